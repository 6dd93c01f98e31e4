package gateway

import (
	"context"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// callKnown calls a tool behind us for an agent that named it to one of our own.
// Everything else in the agent's request goes along: what it says of progress, of
// tasks, and the answers to what the tool asked before. then makes of the tool's
// result what the agent is to see; it may be nil.
func (g *Gateway) callKnown(ctx context.Context, in *wire.Incoming, t *catalog.Tool, arguments []byte, then func(result []byte) []byte) ([]byte, error) {
	if !t.Callable() {
		return g.problem(in, &disclose.Problem{Message: "tool " + string(t.ID()) + " cannot be called: " + disclose.NotCallable(t), Next: "search_tools finds others."}), nil
	}
	o, err := wire.ParseObject(in.Params)
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	if arguments = call.Unpack(arguments); arguments == nil {
		arguments = []byte("{}")
	}
	r := &call.Request{
		Server: t.Server().Name(), Method: wire.MethodToolsCall, Name: t.Name(), Caller: g.callerOf(in),
		Params: o.With(wire.Change{Name: "name", Value: wire.Quote(t.Name())}, wire.Change{Name: "arguments", Value: arguments}),
	}
	send := func(ctx context.Context, r *call.Request) ([]byte, error) {
		result, err := g.relay(ctx, in, target{server: r.Server, name: r.Name, params: r.Params, many: true})
		if err != nil {
			return nil, err
		}
		if _, asks := inputRequired(result); asks {
			return result, nil
		}
		g.learn(t, result)
		g.counted(r, t)
		if then != nil {
			result = then(result)
		}
		return result, nil
	}
	result, err := call.Chain(send, g.o.Around...)(ctx, r)
	if err != nil {
		return g.failed(ctx, in, t, err)
	}
	return result, nil
}

// callerOf is who asks, with what the configured header says of that.
func (g *Gateway) callerOf(in *wire.Incoming) call.Caller {
	who := caller(in)
	if g.o.CallerHeader != "" && in.Header != nil {
		who.Conversation = in.Header.Get(g.o.CallerHeader)
	}
	return who
}

// learn keeps the shape of a real answer.
func (g *Gateway) learn(t *catalog.Tool, result []byte) {
	if g.o.Outlines != nil {
		g.o.Outlines.Learn(t.Fingerprint(), result)
	}
}

// asked says that a server's tools are of interest.
func (g *Gateway) asked(lua string) {
	if s := g.o.Catalog.Snapshot().Server(lua); s != nil {
		g.o.Catalog.Asked(s.Name())
	}
}
