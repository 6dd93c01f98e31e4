package wire

import (
	"context"
	"net/http"
)

// A traceContext has the values of the headers traceparent and tracestate.
type traceContext struct {
	context.Context
	parent, state [1]string
}

type traceKey struct{}

// Value has the trace, besides what is in the context.
func (t *traceContext) Value(key any) any {
	if key == (traceKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// WithTrace has requests over HTTP that are made with the context say which trace
// they are part of, for what stands between us and a server: that does not read _meta.
func WithTrace(ctx context.Context, parent, state string) context.Context {
	return &traceContext{ctx, [1]string{parent}, [1]string{state}}
}

func traceHeaders(ctx context.Context, to http.Header) {
	t, _ := ctx.Value(traceKey{}).(*traceContext)
	if t == nil {
		return
	}
	to["Traceparent"] = t.parent[:1:1]
	if t.state[0] != "" {
		to["Tracestate"] = t.state[:1:1]
	}
}
