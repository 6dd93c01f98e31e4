package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// failed makes an answer of why a tool could not be called: a result that a
// model reads, and that ends in what to do next. An error that is the agent's own
// affair - it cancelled, or cannot be asked what the server needs to know - stays
// an error of the protocol.
func (g *Gateway) failed(ctx context.Context, in *wire.Incoming, t *catalog.Tool, err error) ([]byte, error) {
	var mistake *call.Mistake
	if errors.As(err, &mistake) {
		return g.problem(in, &disclose.Problem{
			Message: fmt.Sprintf("the arguments do not fit %s, which was not called: %s", t.ID(), strings.Join(mistake.Problems, "; ")),
			Schema:  disclose.Schema(t),
			Next:    "Call it again with arguments that fit the schema.",
		}), nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	var e *wire.Error
	if !errors.As(err, &e) || wire.Find(in.Params, "requestState") != nil {
		return nil, err
	}
	server := t.Server()
	p := &disclose.Problem{Message: fmt.Sprintf("%s could not be called: %s", t.ID(), disclose.Line(e.Message))}
	switch e.Code {
	case wire.CodeAgentRefused, wire.CodeMissingCapability, wire.CodeURLElicitation:
		return nil, err
	case wire.CodeRefused:
		p.Message = disclose.Line(e.Message)
		p.Next = "Tell the user, who can allow it, or do without: search_tools finds others."
	case wire.CodeLimited:
		p.Message, p.RetryAfter = disclose.Line(e.Message), e.RetryAfter()
		p.Next = "Wait that long and call it again, or do something else meanwhile."
	case wire.CodeInvalidParams:
		p.Message = fmt.Sprintf("server %s refused the call of %s: %s", server.LuaName(), t.ID(), disclose.Line(e.Message))
		p.Schema = disclose.Schema(t)
		p.Next = "Call it again with arguments that fit the schema."
	case wire.CodeMethodNotFound:
		p.Next = g.sight(in).Browser.Advise("list_server_tools", fmt.Sprintf(`list_server_tools {"server":"%s"} shows what it has.`, server.LuaName()),
			fmt.Sprintf(`search_tools {"query":"...","server":"%s"} finds what it has.`, server.LuaName()))
	case wire.CodeTimeout:
		p.Next = "It may have been done all the same: look before you call it again."
	default:
		p.Next = g.sight(in).Browser.Advise("list_servers", "list_servers says how the server stands; ", "") + "search_tools finds others that do the same."
	}
	return g.problem(in, p), nil
}
