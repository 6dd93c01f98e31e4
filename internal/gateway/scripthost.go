package gateway

import (
	"context"
	"errors"
	"fmt"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A scriptHost is what a script of an agent can reach: the same tools by the
// same chain of calls as the agent itself, in one snapshot.
type scriptHost struct {
	ScriptTools
	g   *Gateway
	in  *wire.Incoming
	who call.Caller
}

// Missing says why a server that is configured is not there.
func (h *scriptHost) Missing(server string) string {
	if b := h.g.sight(h.in).Browser; b != nil {
		if p := b.Waiting(server); p != nil {
			return p.Message
		}
	}
	return ""
}

// Call calls a tool for a script. What a server asks the agent in the course of
// it can be answered by agents that can be asked while they wait; for others the
// call fails.
func (h *scriptHost) Call(ctx context.Context, server, tool string, arguments []byte) ([]byte, error) {
	t := h.Find(server, tool)
	if t == nil {
		return nil, fmt.Errorf("there is no tool %s.%s", server, tool)
	}
	name := t.Server().Name()
	h.g.o.Catalog.Asked(name)
	params := append([]byte(`{"name":`), wire.Quote(t.Name())...)
	params = append(append(append(params, `,"arguments":`...), arguments...), '}')
	who := h.who
	who.Progress = nil // the agent waits for the script, not for one of its calls
	out := newOutbox(h.in.Back)
	send := func(ctx context.Context, r *call.Request) ([]byte, error) { return h.g.relayLegacy(ctx, r) }
	if h.in.Era == wire.Modern {
		send = h.g.o.Call
	}
	result, err := call.Chain(send, h.g.o.Inner...)(ctx, &call.Request{
		Server: name, Method: wire.MethodToolsCall, Name: t.Name(), Params: params, Caller: who, Back: out,
	})
	out.flush(ctx)
	if err != nil {
		return nil, worded(err)
	}
	if _, asks := inputRequired(result); asks {
		return nil, fmt.Errorf("server %s wants to ask the user something, which a script cannot pass on: call the tool with call_tool", server)
	}
	h.g.learn(t, result)
	return renameInResult(name, wire.MethodToolsCall, result), nil
}

// worded is an error in the words that a script shows.
func worded(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return errors.New(e.Message)
	}
	return err
}
