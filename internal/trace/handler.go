package trace

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
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
	r := &request{t: h.t, in: in, began: time.Now()}
	if in.Method == wire.MethodToolsCall {
		name, _ := wire.Text(wire.Find(in.Params, "name"))
		r.name, r.own = name, ownName(name)
	}
	ctx = r.start(ctx)
	defer func() { r.end(ctx, result, err) }()
	return h.Handler.Serve(ctx, in)
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

// start opens the span, as a child of the one that the agent says it is in.
func (r *request) start(ctx context.Context) context.Context {
	ctx = context.WithValue(ctx, requestKey{}, r)
	if r.t.tracer == nil {
		return ctx
	}
	ctx = extract(ctx, r.in)
	remote := trace.SpanContextFromContext(ctx).IsValid()
	name := spanName(r.in.Method, r.name)
	ctx, r.span = r.t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(r.began))
	if !r.span.IsRecording() {
		return ctx
	}
	marks := r.marks()
	if !remote {
		marks = append(marks, keyLangfuseTrace.String(name))
	}
	r.span.SetAttributes(marks...)
	return ctx
}

// marks are what is known of a request before it is answered.
func (r *request) marks() []attribute.KeyValue {
	in := r.in
	marks := append(make([]attribute.KeyValue, 0, 16),
		keyMethod.String(knownMethod(in.Method)),
		keyProtocol.String(cut(in.Version, maxText)),
		keyRequestID.String(cut(strings.Trim(string(in.ID), `"`), maxText)),
		keyTransport.String(transportOf(in)),
		keyLangfuseType.String(r.kind()),
	)
	marks = append(marks, subjectMarks(in.Method, r.name, in.Params)...)
	if r.own != "" { // what it is to be done with
		if id, ok := wire.Text(wire.Find(wire.Find(in.Params, "arguments"), "tool")); ok {
			marks = append(marks, keyID.String(cut(id, maxText)))
		}
	}
	if in.Session != nil {
		marks = append(marks, keySessionID.String(in.Session.ID))
		if in.Era == wire.Legacy {
			marks = append(marks, keySession.String(in.Session.ID))
		}
	}
	if in.Subject != "" {
		marks = append(marks, keyUser.String(cut(in.Subject, maxText)))
	}
	if r.t.o.Arguments && in.Method == wire.MethodToolsCall {
		text := r.t.content(wire.Find(in.Params, "arguments"))
		marks = append(marks, keyArguments.String(text), keyLangfuseInput.String(text))
	}
	return marks
}

// kind is what Langfuse takes the request for.
func (r *request) kind() string {
	switch {
	case r.own == searchTool:
		return typeRetriever
	case r.own == scriptTool:
		return typeChain
	case r.in.Method == wire.MethodToolsCall:
		return typeTool
	}
	return typeSpan
}

func transportOf(in *wire.Incoming) string {
	if in.Header == nil {
		return transportPipe
	}
	return transportTCP
}

// spanName is what the conventions want: the method, and what it is about.
func spanName(method, name string) string {
	method = knownMethod(method)
	if name == "" {
		return method
	}
	return method + " " + cut(name, maxText)
}

// subjectMarks say what a request is about.
func subjectMarks(method, name string, params []byte) []attribute.KeyValue {
	switch method {
	case wire.MethodToolsCall:
		return []attribute.KeyValue{keyTool.String(cut(name, maxText)), keyOperation.String(executeTool)}
	case wire.MethodPromptsGet:
		if name == "" {
			name, _ = wire.Text(wire.Find(params, "name"))
		}
		return []attribute.KeyValue{keyPrompt.String(cut(name, maxText))}
	case wire.MethodResourcesRead, wire.MethodSubscribe, wire.MethodUnsubscribe:
		if name == "" {
			name, _ = wire.Text(wire.Find(params, "uri"))
		}
		return []attribute.KeyValue{keyResource.String(cut(name, maxText))}
	}
	return nil
}

// content is what may be seen of arguments or a result.
func (t *Trace) content(raw []byte) string {
	// Redacted before the final cut: half a secret may not look like one.
	return cut(t.redact(string(raw[:min(len(raw), 2*maxContent)])), maxContent)
}

func (t *Trace) redact(text string) string {
	if t.o.Redact == nil {
		return text
	}
	return t.o.Redact(text)
}
