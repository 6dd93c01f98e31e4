package trace

import (
	"context"
	"errors"
	"slices"
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
	// What asked for it goes on without it: it has a trace of its own.
	began := time.Now()
	s := t.start(trace.SpanContext{}, title{"discovery", cut(server, maxText)}, trace.SpanKindInternal, began)
	if s != nil {
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
		t.metrics.listed(server, how.outcome, time.Since(began))
		count := len(l.Tools)
		t.ring.learned(server, began, count, l, how.outcome, t.message(how))
		l.Tools = slices.Clone(l.Tools[:min(count, maxNames)]) // the rest need not wait to be sent
		s.end(&learned{server, count, l}, how)
	}
}

func nothingLearned(Lesson) {}

// learned are the facts of a discovery pass.
type learned struct {
	server string
	count  int // of all tools
	Lesson
}

func (l *learned) marks(to []attribute.KeyValue) []attribute.KeyValue {
	cache := "miss"
	if l.Cached {
		cache = "hit"
	}
	to = append(to, keyServer.String(l.server), keyLangfuseType.String(typeSpan),
		keyToolCount.Int(l.count), keyCache.String(cache), keyHits.Int64(int64(l.Hits)), keyMisses.Int64(int64(l.Misses)))
	if l.Rung != "" {
		to = append(to, keyRung.String(l.Rung))
	}
	for i, name := range l.Tools {
		l.Tools[i] = cut(name, maxText)
	}
	return append(to, keyToolNames.StringSlice(l.Tools))
}
