package mcptest

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// A tool of the good server.
type tool struct {
	name   string
	about  string
	params object   // of its input schema
	needed []string // required parameters
	reads  bool     // readOnlyHint
	run    func(ctx context.Context, g *good, c *toolCall) (any, *rpcError)
}

// A toolCall is one call of a tool.
type toolCall struct {
	*request
	arguments map[string]json.RawMessage
}

// into decodes an argument, if there is one.
func (c *toolCall) into(name string, v any) *rpcError {
	raw := c.arguments[name]
	if raw == nil {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return rpcErrorf(-32602, "argument %s: %v", name, err)
	}
	return nil
}

func (c *toolCall) num(name string, fallback int) (int, *rpcError) {
	n := fallback
	fault := c.into(name, &n)
	return n, fault
}

func (t *tool) definition() object {
	schema := object{"type": "object", "properties": t.params, "required": append([]string{}, t.needed...)}
	if t.params == nil {
		schema["properties"] = object{}
	}
	return object{
		"name": t.name, "title": "Tool " + t.name, "description": t.about, "inputSchema": schema,
		"annotations": object{"readOnlyHint": t.reads, "idempotentHint": t.reads},
	}
}

func (g *good) toolList() []object {
	var list []object
	for _, t := range g.tools {
		list = append(list, t.definition())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.extra["tools"] {
		extra := tool{name: "extra", about: "Was not here before"}
		list = append(list, extra.definition())
	}
	return list
}

func (g *good) callTool(ctx context.Context, r *request) (any, *rpcError) {
	name := r.text("name")
	g.mu.Lock()
	g.calls[name]++
	g.mu.Unlock()
	i := slices.IndexFunc(g.tools, func(t tool) bool { return t.name == name })
	if i < 0 {
		return nil, rpcErrorf(-32602, "unknown tool %q", name)
	}
	c := &toolCall{request: r}
	if raw := r.params["arguments"]; raw != nil {
		if err := json.Unmarshal(raw, &c.arguments); err != nil {
			return nil, rpcErrorf(-32602, "arguments: %v", err)
		}
	}
	for _, p := range g.tools[i].needed {
		if c.arguments[p] == nil {
			return nil, rpcErrorf(-32602, "tool %s needs the argument %s", name, p)
		}
	}
	return g.tools[i].run(ctx, g, c)
}

// say is a result with one text.
func say(text string) object {
	return object{"content": []any{object{"type": "text", "text": text}}}
}

// show is a result with a value, as text and as structured content.
func show(v any) object {
	o := say(string(encode(v)))
	o["structuredContent"] = v
	return o
}

func failed(text string) object {
	o := say(text)
	o["isError"] = true
	return o
}

// pause waits, or says that it was interrupted.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
