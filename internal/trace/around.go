package trace

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
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
		s := t.start(parentOf(ctx, asked), titleOf(r.Method, aboutOf(r)), trace.SpanKindClient, began)
		told := *r
		told.Params = inject(s.at, r.Params)
		if t.peer(r.Server).Address != "" {
			ctx = wire.WithTrace(ctx, &wire.Trace{Parent: parentText(s.at), State: s.at.TraceState().String()})
		}
		ctx, marks := t.marked(ctx, r)
		result, err := next(ctx, &told)
		how := judge(ctx, r.Method, result, err)
		took := time.Since(began)
		t.metrics.calling(r, how.outcome, took)
		t.called(asked, r, began, took, marks, how, result, err)
		if s.recorded() {
			s.end(t.callFacts(r, result, err), how)
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

// callFacts are the facts of a request to a server.
type callFacts struct {
	content
	method, name, server, session string

	peer  Peer
	knows bool // what peer is
}

func (t *Trace) callFacts(r *call.Request, result []byte, err error) *callFacts {
	f := &callFacts{method: knownMethod(r.Method), name: r.Name, server: r.Server, peer: t.peer(r.Server), knows: t.o.Peer != nil}
	if r.Caller.Session != nil {
		f.session = r.Caller.Session.ID
	}
	f.content = t.content(r.Method, r.Params, result, err)
	return f
}

func (f *callFacts) marks(to []attribute.KeyValue) []attribute.KeyValue {
	kind := typeSpan
	if f.method == wire.MethodToolsCall {
		kind = typeTool
	}
	to = append(to, keyMethod.String(f.method), keyServer.String(f.server), keyLangfuseType.String(kind))
	to = subjectMarks(to, f.method, f.name)
	switch {
	case f.knows && f.peer.Address != "":
		to = append(to, keyTransport.String(transportTCP), keyAddress.String(f.peer.Address), keyPort.Int(f.peer.Port))
	case f.knows:
		to = append(to, keyTransport.String(transportPipe))
	}
	if f.session != "" {
		to = append(to, keySessionID.String(f.session))
	}
	return f.content.marks(to)
}
