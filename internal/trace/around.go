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
	if t == nil {
		return next
	}
	return func(ctx context.Context, r *call.Request) ([]byte, error) {
		began := time.Now()
		if asked := requestOf(ctx); asked != nil {
			asked.calls.Add(1)
		}
		if t.tracer == nil {
			result, err := next(ctx, r)
			t.metrics.called(r, judge(ctx, r.Method, result, err), time.Since(began))
			return result, err
		}
		ctx, span := t.tracer.Start(ctx, spanName(r.Method, aboutOf(r)), trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(began))
		defer span.End()
		if span.IsRecording() {
			span.SetAttributes(t.callMarks(r)...)
		}
		told := *r
		told.Params = inject(ctx, r.Params)
		result, err := next(ctx, &told)
		ended := judge(ctx, r.Method, result, err)
		t.metrics.called(r, ended, time.Since(began))
		if span.IsRecording() {
			if t.o.Results && err == nil && r.Method == wire.MethodToolsCall {
				text := t.content(result)
				span.SetAttributes(keyResult.String(text), keyLangfuseOutput.String(text))
			}
			ended.mark(span, t.redact)
		}
		return result, err
	}
}

// aboutOf is what a span's name says besides the method: an URI would make as
// many names as there are resources.
func aboutOf(r *call.Request) string {
	if r.Method == wire.MethodToolsCall || r.Method == wire.MethodPromptsGet {
		return r.Name
	}
	return ""
}

// callMarks are what is known of a call before it is made.
func (t *Trace) callMarks(r *call.Request) []attribute.KeyValue {
	kind := typeSpan
	if r.Method == wire.MethodToolsCall {
		kind = typeTool
	}
	marks := append(make([]attribute.KeyValue, 0, 12),
		keyMethod.String(knownMethod(r.Method)), keyServer.String(r.Server), keyLangfuseType.String(kind))
	marks = append(marks, subjectMarks(r.Method, r.Name, r.Params)...)
	if t.o.Peer != nil {
		if p := t.o.Peer(r.Server); p.Address != "" {
			marks = append(marks, keyTransport.String(transportTCP), keyAddress.String(p.Address), keyPort.Int(p.Port))
		} else {
			marks = append(marks, keyTransport.String(transportPipe))
		}
	}
	if r.Caller.Session != nil {
		marks = append(marks, keySessionID.String(r.Caller.Session.ID))
	}
	if t.o.Arguments && r.Method == wire.MethodToolsCall {
		text := t.content(wire.Find(r.Params, "arguments"))
		marks = append(marks, keyArguments.String(text), keyLangfuseInput.String(text))
	}
	return marks
}
