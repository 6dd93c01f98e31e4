package trace

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"

	"toolcrib/internal/wire"
)

// Handler is h with a span and metrics for each request of an agent.
func (t *Trace) Handler(h wire.Handler) wire.Handler {
	if t == nil {
		return h
	}
	return &handler{Handler: h, t: t}
}

type handler struct {
	wire.Handler
	t *Trace
}

// Serve answers a request. What lasts as long as an agent listens is none to
// measure.
func (h *handler) Serve(ctx context.Context, in *wire.Incoming) (result []byte, err error) {
	if in.Session != nil {
		h.t.metrics.joined(in.Session)
	}
	if in.Method == wire.MethodListen {
		return h.Handler.Serve(ctx, in)
	}
	name := ""
	if in.Method == wire.MethodToolsCall {
		name = in.About()
	}
	if h.t.sampler != nil || h.t.ring != nil {
		return h.traced(ctx, in, name)
	}
	r := request{t: h.t, in: in, name: name, own: ownName(name), began: time.Now()}
	defer func() { r.end(ctx, result, err) }()
	return h.Handler.Serve(ctx, in)
}

// traced is Serve with a span, a child of the one that the agent says it is in.
// The calls that are made in the course of it find it in their context.
func (h *handler) traced(ctx context.Context, in *wire.Incoming, name string) (result []byte, err error) {
	var r *request
	if h.t.sampler != nil {
		both := &struct { // one piece of memory
			request
			at span
		}{}
		r, both.span = &both.request, &both.at
	} else {
		r = &request{}
	}
	r.Context, r.t, r.in, r.name, r.own, r.began = ctx, h.t, in, name, ownName(name), time.Now()
	if r.span != nil {
		h.t.start(r.span, extract(in), titleOf(in.Method, name), trace.SpanKindServer)
	}
	if r.own == scriptTool && h.t.ring != nil {
		r.id = h.t.ring.newID()
	}
	defer func() { r.end(ctx, result, err) }()
	return h.Handler.Serve(r, in)
}

// Closed is told when a session is over.
func (h *handler) Closed(s *wire.Session) {
	h.t.metrics.left(s)
	h.Handler.Closed(s)
}

// Tools of the gateway whose answers are looked at.
const (
	searchTool = "search_tools"
	scriptTool = "execute"
)

// ownTools may be labels of metrics: there are few of them.
var ownTools = map[string]bool{
	searchTool: true, scriptTool: true, "tool_details": true, "call_tool": true, "list_servers": true, "list_server_tools": true,
	"inspect_tool_response": true, "list_tools": true, "list_categories": true, "find_by_tags": true, "get_related_tools": true,
}

// ownName is the name of a tool of the gateway, "" if it is none.
func ownName(name string) string {
	if len(name) > len("inspect_tool_response") {
		return ""
	}
	if name = strings.ReplaceAll(name, "-", "_"); ownTools[name] {
		return name
	}
	return ""
}

// titleOf is what the conventions want: the method, and what it is about.
func titleOf(method, name string) title {
	return title{knownMethod(method), cut(name, maxText)}
}
