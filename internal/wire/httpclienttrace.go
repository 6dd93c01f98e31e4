package wire

import (
	"context"
	"net/http"
)

// A Trace is what the headers traceparent and tracestate say.
type Trace struct{ Parent, State string }

type traceKey struct{}

// WithTrace has requests over HTTP that are made with the context say which trace
// they are part of, for what stands between us and a server: that does not read _meta.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

func traceHeaders(ctx context.Context, to http.Header) {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	if t == nil {
		return
	}
	to["Traceparent"] = []string{t.Parent}
	if t.State != "" {
		to["Tracestate"] = []string{t.State}
	}
}
