// Package call is the one way in which anything is done on a server: a Func.
//
//	agent, script, CLI, page ──► Middleware ─► Middleware ─► upstream.Pool.Call
//
// Deadlines, limits, policy and everything else that surrounds a call is a
// Middleware, and everybody holds the same chain, so that none of them can do
// more than another. A Middleware may refuse, delay or add; it never widens
// what a call may reach.
package call

import (
	"context"

	"toolcrib/internal/wire"
)

// A Request is one request to one server, in the words of that server.
type Request struct {
	Server string // the server's name in the configuration
	Method string // such as tools/call
	Name   string // the tool, prompt or URI it is about, for limits and logs; may be ""
	Params []byte // raw, as the server is to get them but for _meta of the hop

	Caller     Caller
	Back       wire.Back // the way back to the caller; nil if nobody can be reached
	Idempotent bool      // may be sent again if it is unknown whether it arrived

	// Approved is set once a user has allowed the call, as it is: when it goes on after
	// a question of its server it is not asked about again.
	Approved bool
}

// A Caller is who asks.
type Caller struct {
	Era          wire.Era
	Session      *wire.Session // nil for a modern request over HTTP
	Subject      string        // authenticated name, "" if none
	Scopes       []string      // what its token allows, where tokens say that
	ClientInfo   []byte        // raw, may be nil
	Capabilities wire.Capabilities
	LogLevel     string // modern: what the request asked for
	Progress     []byte // raw progress token of the caller, nil if it wants none

	Conversation string // what the configured header says it belongs to, "" if nothing
}

// A Func does a request and returns the raw result. A *wire.Error that the
// server sent comes back as it was.
type Func func(ctx context.Context, r *Request) ([]byte, error)

// A Middleware surrounds a Func.
type Middleware func(next Func) Func

// Chain puts middlewares around f; the first is outermost.
func Chain(f Func, around ...Middleware) Func {
	for i := len(around) - 1; i >= 0; i-- {
		f = around[i](f)
	}
	return f
}
