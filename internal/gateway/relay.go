package gateway

import (
	"context"
	"errors"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// relay does a request at its server and fits the answer to the agent.
func (g *Gateway) relay(ctx context.Context, in *wire.Incoming, t target) ([]byte, error) {
	g.o.Catalog.Asked(t.server)
	who := caller(in)
	both := &struct { // they live equally long
		call.Request
		out outbox
	}{call.Request{Server: t.server, Method: in.Method, Name: t.name, Params: t.params, Caller: who}, outbox{to: in.Back}}
	r, out := &both.Request, &both.out
	r.Back = out
	var result []byte
	var err error
	switch {
	case !asks[in.Method]:
		result, err = g.o.Call(ctx, r)
	case in.Era == wire.Modern:
		result, err = g.relayModern(ctx, in, r, out)
	default:
		result, err = g.relayLegacy(ctx, r)
	}
	out.flush(ctx)
	if err != nil {
		return nil, fitError(in, err)
	}
	if t.many {
		result = renameInResult(t.server, in.Method, result)
	}
	if in.Era == wire.Modern {
		result = fitModern(in.Method, result)
	}
	return result, nil
}

// asks are the methods in the course of which a server may ask the agent.
var asks = map[string]bool{
	wire.MethodToolsCall: true, wire.MethodPromptsGet: true, wire.MethodResourcesRead: true,
}

// fitError is a server's error in the agent's era.
func fitError(in *wire.Incoming, err error) error {
	var e *wire.Error
	if in.Era == wire.Modern && errors.As(err, &e) && e.Code == wire.CodeResourceNotFound && in.Method == wire.MethodResourcesRead {
		return e.WithCode(wire.CodeInvalidParams)
	}
	return err
}

// How long an agent may keep what a legacy server listed: its changes are
// announced, and nothing says that others may see it.
const (
	defaultTTL   = "300000"
	defaultScope = `"private"`
)

// cacheable are the methods whose modern results must say how long they hold.
var cacheable = map[string]bool{
	wire.MethodDiscover: true, wire.MethodToolsList: true, wire.MethodPromptsList: true,
	wire.MethodResourcesList: true, wire.MethodTemplatesList: true, wire.MethodResourcesRead: true,
}

// fitModern adds to a result what a modern one must have and a legacy server
// does not send.
func fitModern(method string, result []byte) []byte {
	if !cacheable[method] && wire.Find(result, "resultType") != nil {
		return result
	}
	o, err := wire.ParseObject(result)
	if err != nil {
		return result // no object: the agent gets what the server sent
	}
	var missing []wire.Change
	add := func(name, value string) {
		if o.Get(name) == nil {
			missing = append(missing, wire.Change{Name: name, Value: []byte(value)})
		}
	}
	add("resultType", `"complete"`)
	if cacheable[method] && o.Text("resultType") != "input_required" {
		add("ttlMs", defaultTTL)
		add("cacheScope", defaultScope)
	}
	if missing == nil {
		return result
	}
	return o.With(missing...)
}
