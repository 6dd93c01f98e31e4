package trace

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// A Lesson is what an attempt to learn what a server offers brought.
type Lesson struct {
	Rung    string   // how the tools were learned: protocol, parsed, ...; "" if they were not
	Tools   []string // their names
	Cached  bool     // another gateway on this machine had just learned it
	Failure error    // why the server did not list itself

	Hits, Misses uint64 // of listings, so far
}

// Discovery begins an attempt to learn what a server offers; the function ends it.
// Requests that are made with the context belong to it.
func (t *Trace) Discovery(ctx context.Context, server string) (context.Context, func(Lesson)) {
	if t == nil {
		return ctx, nothingLearned
	}
	began := time.Now()
	var span trace.Span
	if t.tracer != nil {
		name := "discovery " + cut(server, maxText)
		// What asked for it goes on without it: it has a trace of its own.
		ctx, span = t.tracer.Start(ctx, name, trace.WithNewRoot(), trace.WithTimestamp(began))
		span.SetAttributes(keyServer.String(server), keyLangfuseType.String(typeSpan), keyLangfuseTrace.String(name))
	}
	return ctx, func(l Lesson) {
		how := succeeded
		if l.Failure != nil {
			how = failed
			if errors.Is(ctx.Err(), context.Canceled) {
				how = cancelled
			}
		}
		t.metrics.listed(server, how, time.Since(began))
		if span != nil {
			span.SetAttributes(l.marks()...)
			if l.Failure != nil {
				ending{outcome: how, kind: string(how), message: l.Failure.Error()}.mark(span, t.redact)
			}
			span.End()
		}
	}
}

func nothingLearned(Lesson) {}

func (l *Lesson) marks() []attribute.KeyValue {
	cache := "miss"
	if l.Cached {
		cache = "hit"
	}
	marks := []attribute.KeyValue{
		keyToolCount.Int(len(l.Tools)), keyCache.String(cache), keyHits.Int64(int64(l.Hits)), keyMisses.Int64(int64(l.Misses)),
	}
	if l.Rung != "" {
		marks = append(marks, keyRung.String(l.Rung))
	}
	names := make([]string, 0, min(len(l.Tools), maxNames))
	for _, name := range l.Tools[:min(len(l.Tools), maxNames)] {
		names = append(names, cut(name, maxText))
	}
	return append(marks, keyToolNames.StringSlice(names))
}
