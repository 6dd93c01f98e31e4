package trace

import (
	"context"
	"errors"
	"slices"
	"time"

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
	// What asked for it goes on without it: it has a trace of its own.
	began := time.Now()
	var s span
	t.start(&s, trace.SpanContext{}, title{"discovery", cut(server, maxText)}, trace.SpanKindInternal)
	if s.at.IsValid() {
		ctx = trace.ContextWithSpanContext(ctx, s.at)
	}
	return ctx, func(l Lesson) {
		how := ending{outcome: succeeded}
		if l.Failure != nil {
			how = ending{outcome: failed, kind: string(failed), message: l.Failure.Error()}
			if errors.Is(ctx.Err(), context.Canceled) {
				how.outcome, how.kind = cancelled, string(cancelled)
			}
		}
		took := time.Since(began)
		t.metrics.listed(server, how.outcome, took)
		t.ring.learned(server, began, len(l.Tools), l, how.outcome, t.message(how))
		if s.recorded() {
			s.end(l.marks(s.record(nil, began, took), server), how)
		}
	}
}

func nothingLearned(Lesson) {}

func (l *Lesson) marks(to record, server string) record {
	cache := "miss"
	if l.Cached {
		cache = "hit"
	}
	to = to.text(keyServer, server)
	to = to.mark(markSpan)
	to = to.number(keyToolCount, int64(len(l.Tools)))
	to = to.text(keyCache, cache)
	to = to.number(keyHits, int64(l.Hits))
	to = to.number(keyMisses, int64(l.Misses))
	if l.Rung != "" {
		to = to.text(keyRung, l.Rung)
	}
	names := slices.Clone(l.Tools[:min(len(l.Tools), maxNames)])
	for i, name := range names {
		names[i] = cut(name, maxText)
	}
	return to.texts(keyToolNames, names)
}
