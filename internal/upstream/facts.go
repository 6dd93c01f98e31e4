package upstream

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// toolFacts are what has to be known of a server's tools to call them: learned
// from the lists that pass by.
type toolFacts map[string]toolFact

type toolFact struct {
	harmless bool               // may be called twice
	headers  []wire.ParamHeader // arguments that HTTP headers repeat
}

// repeatable tells whether a request that may have arrived may be sent again.
func (s *server) repeatable(r *call.Request) bool {
	switch r.Method {
	case wire.MethodToolsList, wire.MethodPromptsList, wire.MethodResourcesList, wire.MethodTemplatesList,
		wire.MethodPromptsGet, wire.MethodResourcesRead, wire.MethodComplete, wire.MethodSetLevel,
		wire.MethodSubscribe, wire.MethodUnsubscribe, wire.MethodTasksGet, wire.MethodTasksList:
		return true
	case wire.MethodToolsCall:
		if facts := s.tools.Load(); facts != nil && (*facts)[r.Name].harmless {
			return true
		}
	}
	return r.Idempotent
}

// ParamHeaders are the arguments of a tool that HTTP headers repeat.
func (p *Pool) ParamHeaders(server, tool string) []wire.ParamHeader {
	s, err := p.server(server)
	if err != nil {
		return nil
	}
	if facts := s.tools.Load(); facts != nil {
		return (*facts)[tool].headers
	}
	return nil
}

// learn notes what a tools/list says. Over HTTP a modern server's tool whose
// header annotations are wrong cannot be called: it is left out of the list.
func (c *conn) learn(r *call.Request, result []byte) ([]byte, error) {
	o, err := wire.ParseObject(result)
	if err != nil {
		return result, nil // whoever asked will see it
	}
	tools, err := wire.Elements(o.Get("tools"))
	if err != nil {
		return result, nil
	}
	facts := toolFacts{}
	if old := c.srv.tools.Load(); old != nil && bytes.Contains(r.Params, []byte(`"cursor"`)) {
		facts = maps.Clone(*old)
	}
	var wrong []int
	for i, raw := range tools {
		tool, err := wire.ParseObject(raw)
		if err != nil {
			continue
		}
		fact := toolFact{harmless: harmless(tool.Get("annotations"))}
		fact.headers, err = wire.ParamHeaders(tool.Get("inputSchema"))
		if err != nil && c.stateless() {
			c.srv.log.Warn("tool left out: its header annotations are wrong", "tool", tool.Text("name"), "error", err)
			wrong = append(wrong, i)
			continue
		}
		facts[tool.Text("name")] = fact
	}
	c.srv.tools.Store(&facts)
	if wrong == nil {
		return result, nil
	}
	kept := [][]byte{}
	for i, raw := range tools {
		if !slices.Contains(wrong, i) {
			kept = append(kept, raw)
		}
	}
	list := append(append([]byte{'['}, bytes.Join(kept, []byte{','})...), ']')
	return o.With(wire.Change{Name: "tools", Value: list}), nil
}

func harmless(annotations []byte) bool {
	o, err := wire.ParseObject(annotations)
	if err != nil {
		return false
	}
	return string(o.Get("idempotentHint")) == "true" || string(o.Get("readOnlyHint")) == "true"
}

// send is link.Call with the headers that a modern HTTP server wants of a tool
// call. If they are wrong the tool has changed: it is listed anew and called
// once more, since a call with wrong headers was refused unread.
func (c *conn) send(ctx context.Context, out *wire.Outgoing, r *call.Request) ([]byte, error) {
	if !c.stateless() || r.Method != wire.MethodToolsCall {
		return c.link.Call(ctx, out)
	}
	if c.srv.tools.Load() == nil {
		c.list(ctx)
	}
	out.Headers = c.paramHeaders(r, out.Params)
	result, err := c.link.Call(ctx, out)
	if err == nil {
		return result, nil
	}
	var e *wire.Error
	if errors.As(err, &e) && e.Code == wire.CodeHeaderMismatch {
		c.list(ctx)
		out.Headers = c.paramHeaders(r, out.Params)
		return c.link.Call(ctx, out)
	}
	return result, err
}

func (c *conn) paramHeaders(r *call.Request, params []byte) [][2]string {
	if facts := c.srv.tools.Load(); facts != nil {
		return wire.AppendParamHeaders(nil, (*facts)[r.Name].headers, params)
	}
	return nil
}

// list reads all pages of a server's tools for the facts in them.
func (c *conn) list(ctx context.Context) {
	var cursor []byte
	seen := map[string]bool{}
	for range maxPages {
		changes := []byte("{}")
		if cursor != nil {
			changes = append(append([]byte(`{"cursor":`), cursor...), '}')
		}
		params, err := wire.ChangeMeta(changes, c.introduction(nil)...)
		if err != nil {
			return
		}
		result, err := c.link.Call(ctx, &wire.Outgoing{Method: wire.MethodToolsList, Params: params})
		if err != nil {
			c.srv.log.Warn("tools could not be listed", "error", err)
			return
		}
		c.learn(&call.Request{Params: params}, result)
		o, err := wire.ParseObject(result)
		if err != nil {
			return
		}
		cursor = o.Get("nextCursor")
		if cursor == nil || string(cursor) == "null" || seen[string(cursor)] {
			return // the end, or a list that leads back into itself
		}
		seen[string(cursor)] = true
	}
}

// maxPages bounds how far a list is followed.
const maxPages = 1000
