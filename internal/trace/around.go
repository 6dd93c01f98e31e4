package trace

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// Around is a call.Middleware: a span and metrics for each request to a server,
// which is told of the span in _meta. It stands outside all others, so that time
// spent waiting for a turn is seen.
func (t *Trace) Around(next call.Func) call.Func {
	switch {
	case t == nil:
		return next
	case t.sampler == nil && t.ring == nil:
		return t.counted(next)
	case t.sampler == nil:
		return t.remembered(next)
	}
	return func(ctx context.Context, r *call.Request) ([]byte, error) {
		began := time.Now()
		asked := requestOf(ctx)
		var s span
		t.start(&s, parentOf(ctx, asked), titleOf(r.Method, aboutOf(r)), trace.SpanKindClient)
		params := r.Params
		r.Params = inject(s.at, params)
		peer := t.peer(r.Server)
		if peer.Address != "" {
			ctx = wire.WithTrace(ctx, parentText(s.at), s.at.TraceState().String())
		}
		ctx, marks := t.marked(ctx, r)
		result, err := next(ctx, r)
		r.Params = params // the rest is about what the agent sent
		how := judge(ctx, r.Method, result, err)
		took := time.Since(began)
		t.metrics.calling(r, how.outcome, took)
		t.called(asked, r, began, took, marks, how, result, err)
		if s.recorded() {
			t.sendCall(&s, r, began, took, peer, how, result, err)
		}
		return result, err
	}
}

// counted is Around without spans.
func (t *Trace) counted(next call.Func) call.Func {
	return func(ctx context.Context, r *call.Request) ([]byte, error) {
		began := clock()
		result, err := next(ctx, r)
		t.metrics.calling(r, judge(ctx, r.Method, result, err).outcome, clock()-began)
		return result, err
	}
}

// clock is for measuring alone. It takes half as long to read as time.Now, which
// finds out the time of day too.
func clock() time.Duration { return time.Since(loaded) }

var loaded = time.Now()

func (t *Trace) peer(server string) Peer {
	if t.o.Peer == nil {
		return Peer{}
	}
	return t.o.Peer(server)
}

// parentOf is what a call is made in: an agent's request, or a listing.
func parentOf(ctx context.Context, asked *request) trace.SpanContext {
	if asked != nil {
		asked.calls.Add(1)
		if asked.span != nil {
			return asked.span.at
		}
	}
	return trace.SpanContextFromContext(ctx)
}

// aboutOf is what a span's name says besides the method: an URI would make as
// many names as there are resources.
func aboutOf(r *call.Request) string {
	if r.Method == wire.MethodToolsCall || r.Method == wire.MethodPromptsGet {
		return r.Name
	}
	return ""
}

// sendCall ends the span of a request to a server.
func (t *Trace) sendCall(s *span, r *call.Request, began time.Time, took time.Duration, peer Peer, how ending, result []byte, err error) {
	var room [usualRecord]byte
	to := s.record(room[:0], began, took)
	to = to.mark(markOf(r.Method)).text(keyServer, r.Server).mark(typeOf(r.Method))
	to = subjectMarks(to, r.Method, r.Name)
	switch {
	case peer.Address != "":
		to = to.mark(markTCP).text(keyAddress, peer.Address).number(keyPort, int64(peer.Port))
	case t.o.Peer != nil:
		to = to.mark(markPipe)
	}
	if r.Caller.Session != nil && r.Caller.Session.ID != "" {
		to = to.text(keySessionID, r.Caller.Session.ID)
	}
	c := t.content(r.Method, r.Params, result, err)
	s.end(c.marks(to), how)
}
