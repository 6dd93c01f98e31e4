package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// shared is the engine of all tests that do not look at the engine itself: the
// program is compiled once.
var shared = sync.OnceValue(func() *Engine { return New(&Options{CacheDir: cacheDir}) })

// A fakeHost is a few servers with tools that tests are made of.
type fakeHost struct {
	tools  map[string]map[string]fakeTool
	calls  atomic.Int64
	active atomic.Int64
	most   atomic.Int64
}

type fakeTool struct {
	Tool
	do func(ctx context.Context, arguments json.RawMessage) (string, error)
}

func (h *fakeHost) Server(name string) bool { return h.tools[name] != nil }

func (h *fakeHost) Tool(server, name string) *Tool {
	t, ok := h.tools[server][name]
	if !ok {
		return nil
	}
	return &t.Tool
}

func (h *fakeHost) Nearest(server, name string) (near []string) {
	var all []string
	defer func() {
		if len(near) == 0 {
			near = slices.Sorted(slices.Values(all))
		}
	}()
	consider := func(candidate string) {
		all = append(all, candidate)
		if name != "" && candidate[0] == name[0] {
			near = append(near, candidate)
		}
	}
	if server == "" {
		for s := range h.tools {
			consider(s)
		}
	}
	for t := range h.tools[server] {
		consider(t)
	}
	slices.Sort(near)
	return near
}

func (h *fakeHost) Call(ctx context.Context, server, tool string, arguments []byte) ([]byte, error) {
	h.calls.Add(1)
	now := h.active.Add(1)
	for most := h.most.Load(); now > most && !h.most.CompareAndSwap(most, now); most = h.most.Load() {
	}
	defer h.active.Add(-1)
	raw, err := h.tools[server][tool].do(ctx, arguments)
	return []byte(raw), err
}

func structured(v any) (string, error) {
	text, err := json.Marshal(v)
	return fmt.Sprintf(`{"content":[],"structuredContent":%s}`, text), err
}

func textResult(text string) (string, error) {
	quoted, err := json.Marshal(text)
	return fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, quoted), err
}

type codedError struct{ code, text string }

func (e *codedError) Error() string { return e.text }
func (e *codedError) Code() string  { return e.code }

type numbers struct{ A, B float64 }

func arithmetic(f func(a, b float64) float64) fakeTool {
	return fakeTool{
		Tool{ReadOnly, json.RawMessage(`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`)},
		func(_ context.Context, arguments json.RawMessage) (string, error) {
			var n numbers
			if err := json.Unmarshal(arguments, &n); err != nil {
				return "", err
			}
			return structured(map[string]any{"result": f(n.A, n.B)})
		},
	}
}

func newHost() *fakeHost {
	h := &fakeHost{tools: map[string]map[string]fakeTool{}}
	h.tools["calculator"] = map[string]fakeTool{
		"add":      arithmetic(func(a, b float64) float64 { return a + b }),
		"multiply": arithmetic(func(a, b float64) float64 { return a * b }),
	}
	h.tools["t"] = map[string]fakeTool{
		// echo gives back its arguments as they arrived.
		"echo": {do: func(_ context.Context, a json.RawMessage) (string, error) {
			return `{"content":[],"structuredContent":` + string(a) + `}`, nil
		}},
		// raw gives back its argument json as the result, whatever it is.
		"raw": {do: func(_ context.Context, a json.RawMessage) (string, error) {
			var r struct{ JSON string }
			err := json.Unmarshal(a, &r)
			return r.JSON, err
		}},
		"text": {do: func(_ context.Context, a json.RawMessage) (string, error) {
			var r struct{ Text string }
			_ = json.Unmarshal(a, &r)
			return textResult(r.Text)
		}},
		"fail": {do: func(context.Context, json.RawMessage) (string, error) {
			return `{"content":[{"type":"text","text":"it went wrong"}],"isError":true}`, nil
		}},
		"broken": {do: func(context.Context, json.RawMessage) (string, error) { return "", errors.New("the server is down") }},
		"denied": {do: func(context.Context, json.RawMessage) (string, error) {
			return "", &codedError{"policy", "not allowed"}
		}},
		"hang": {do: func(ctx context.Context, _ json.RawMessage) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}},
		"lists": {Tool{Access: Writing, InputSchema: json.RawMessage(`{"type":"object","properties":{
			"labels":{"type":"array"},"filter":{"type":"object","properties":{"tags":{"type":["array","null"]}}},
			"rows":{"type":"array","items":{"type":"array"}},"ref":{"$ref":"#/$defs/list"},"any":{"anyOf":[{"type":"null"},{"type":"array"}]},
			"both":{"anyOf":[{"type":"object"},{"type":"array"}]}},
			"additionalProperties":{"type":"array"},"$defs":{"list":{"type":"array"}}}`)}, func(_ context.Context, a json.RawMessage) (string, error) {
			return textResult(string(a))
		}},
		"id": {do: func(_ context.Context, a json.RawMessage) (string, error) { return textResult(string(a)) }},
	}
	return h
}

// runScript runs a script on the shared engine.
func runScript(t testing.TB, source string, host Host) (*Result, error) {
	t.Helper()
	return runLimited(t, source, host, nil)
}

func runLimited(t testing.TB, source string, host Host, limits *Limits) (*Result, error) {
	t.Helper()
	return shared().Run(t.Context(), &Request{Source: source, Limits: limits}, host)
}

// failure is the error of a script that must fail.
func failure(t testing.TB, source string, host Host, limits *Limits) (*Result, *Error) {
	t.Helper()
	r, err := runLimited(t, source, host, limits)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s\nended with %v and %s", clip(source, 200), err, r.Value)
	}
	return r, e
}

// value is the result of a script that must succeed.
func value(t testing.TB, source string, host Host) string {
	t.Helper()
	r, err := runScript(t, source, host)
	if err != nil {
		t.Fatalf("%s\n%v\nprinted: %s", clip(source, 300), err, r.Printed)
	}
	return strings.TrimSpace(string(r.Value))
}
