package trace

import (
	"context"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"toolcrib/internal/wire"
)

// A request of an agent, while it is being answered.
type request struct {
	t     *Trace
	in    *wire.Incoming
	name  string // of the tool it calls, as the agent names it
	own   string // the same if it is one of the gateway's, else ""
	began time.Time
	span  trace.Span   // nil without traces
	calls atomic.Int64 // made at servers in the course of it
}

// requestKey is where the contexts of calls keep the request they belong to.
type requestKey struct{}

func requestOf(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// end notes how the request was answered.
func (r *request) end(ctx context.Context, result []byte, err error) {
	ended := judge(ctx, r.in.Method, result, err)
	took := time.Since(r.began)
	m := r.t.metrics
	m.served(r, ended, took)
	var found *searched
	if r.own == searchTool && err == nil {
		found = readSearch(result)
		m.searched(found)
	}
	if r.own == scriptTool {
		m.ran(ended.outcome)
	}
	m.spend(r, result, err)
	if r.span == nil {
		return
	}
	defer r.span.End()
	if !r.span.IsRecording() {
		return
	}
	if n := r.calls.Load(); n > 0 {
		r.span.SetAttributes(keyCalls.Int64(n))
	}
	if r.own == scriptTool && ended.outcome == toolError {
		code, _ := wire.Text(wire.Find(wire.Find(wire.Find(result, "structuredContent"), "error"), "code"))
		r.span.SetAttributes(keyScriptError.String(cut(code, maxText)))
	}
	if r.t.o.Results && err == nil && r.in.Method == wire.MethodToolsCall {
		text := r.t.content(result)
		r.span.SetAttributes(keyResult.String(text), keyLangfuseOutput.String(text))
	}
	if r.own == searchTool {
		r.markSearch(found)
	}
	ended.mark(r.span, r.t.redact)
}
