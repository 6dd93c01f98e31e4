// Package script runs Lua 5.4 over every server an agent may reach, so that it
// cannot hurt.
//
//	source ─► Engine.Run ─► admission ─► a fresh Lua in wasm ─► Result
//	                                      │ server.tool({...}) : host call
//	                                      ▼
//	                         Host.Call, a goroutine per call in flight
//
// Lua is the original PUC-Lua, compiled to wasm (lua/build.sh) and run by wazero,
// in pure Go. Every script gets a machine of its own, which is thrown away with
// its memory. Work is counted inside it: each tick, about a millisecond, asks the host
// whether to go on, and a host that says no does not return, so that no pcall can
// catch it. Waiting for a call costs no work.
//
// A script reaches its Host and nothing else: no files, network, environment or
// clock but the one the host lends. It can be stopped by its limits (Limits), each
// with a Code of its own, and whatever happened until then is kept: what was
// printed, and the ledger of calls.
package script

import (
	"context"
	"encoding/json"
	"time"
)

// A Request is one script to run.
type Request struct {
	Source string
	Args   json.RawMessage // an object, the global args of the script; nil for none
	Caller string          // who asks, for the fair queue; "" is a caller like any other
	Limits *Limits         // nil for the defaults
}

func isObject(text json.RawMessage) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(text, &fields) == nil && fields != nil
}

// A Result is what came of a script. It is never nil, and complete when the script
// failed: what was printed and done until then is in it.
type Result struct {
	Value        json.RawMessage // the answer, nil if the script gave none
	IsToolResult bool            // Value is a tool result already, to be passed on as it is
	Printed      string          // lines as they were printed
	Ledger       []Call          // every call that was made, in order
	Notes        []string        // what the author of the script should know

	Ticks  int           // of work, about a millisecond each
	Memory int           // most bytes that Lua had in use
	Wall   time.Duration // from admission to the end
}

// Run runs a script. An error is an *Error. It returns when the script and all of
// its calls have ended.
func (e *Engine) Run(ctx context.Context, r *Request, host Host) (*Result, error) {
	limits := r.Limits.withDefaults()
	if len(r.Source) > limits.Source {
		return &Result{}, tooLong(len(r.Source), limits.Source)
	}
	if len(r.Args) > 0 && !isObject(r.Args) {
		return &Result{}, &Error{Code: CodeBadArguments, Message: "the arguments of the script are not a JSON object"}
	}
	m, err := e.enter(ctx, r.Caller, &limits, host)
	if err != nil {
		return &Result{}, err
	}
	defer m.leave()
	return m.run(r.Source, r.Args)
}
