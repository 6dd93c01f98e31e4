package trace

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// A queue gathers spans that have ended and has them exported by one goroutine.
// Whoever ends a span never waits: when the queue is full the span is dropped and
// counted. The SDK's own does not tell how many it drops, and wakes its goroutine
// for every span, which on a small machine costs a call more than the span does.
type queue struct {
	o        queueOptions
	exporter sdktrace.SpanExporter

	mu     sync.Mutex
	spans  []sdktrace.ReadOnlySpan // waiting
	closed bool

	dropped, exported, failed atomic.Int64

	full  chan struct{}   // one slot: there is a batch
	life  context.Context // ends when nothing more may be sent
	cut   context.CancelFunc
	stop  chan struct{} // closed to ask for the last batches
	once  sync.Once
	ended chan struct{}
}

func newQueue(e sdktrace.SpanExporter, o queueOptions) *queue {
	q := &queue{
		o: o, exporter: e,
		full:  make(chan struct{}, 1),
		stop:  make(chan struct{}),
		ended: make(chan struct{}),
	}
	q.life, q.cut = context.WithCancel(context.Background())
	go q.run()
	return q
}

// add takes a span, if there is room for it. It does not block.
func (q *queue) add(s sdktrace.ReadOnlySpan) {
	q.mu.Lock()
	if q.closed || len(q.spans) >= q.o.size {
		q.mu.Unlock()
		q.dropped.Add(1)
		return
	}
	q.spans = append(q.spans, s)
	wake := len(q.spans) == q.o.batch
	q.mu.Unlock()
	if wake {
		select {
		case q.full <- struct{}{}:
		default: // it knows
		}
	}
}

func (q *queue) run() {
	defer close(q.ended)
	timer := time.NewTimer(q.o.delay)
	defer timer.Stop()
	for {
		select {
		case <-q.full:
			q.send(q.o.batch)
		case <-timer.C:
			q.send(1)
		case <-q.stop:
			q.mu.Lock()
			q.closed = true
			q.mu.Unlock()
			q.send(1)
			return
		}
		timer.Reset(q.o.delay)
	}
}

// send exports what waits, in batches, until less than least is left.
func (q *queue) send(least int) {
	var spare []sdktrace.ReadOnlySpan
	for {
		q.mu.Lock()
		if len(q.spans) < least || len(q.spans) == 0 {
			q.mu.Unlock()
			return
		}
		all := q.spans
		q.spans = spare[:0]
		q.mu.Unlock()
		for rest := all; len(rest) > 0; {
			n := min(len(rest), q.o.batch)
			q.export(rest[:n])
			rest = rest[n:]
		}
		clear(all)
		spare = all
	}
}

func (q *queue) export(batch []sdktrace.ReadOnlySpan) {
	ctx, cancel := context.WithTimeout(q.life, q.o.limit)
	defer cancel()
	if err := q.exporter.ExportSpans(ctx, batch); err != nil {
		q.failed.Add(int64(len(batch))) // the exporter has said why
		return
	}
	q.exported.Add(int64(len(batch)))
}

// shutdown sends what is left until ctx ends. A batch that is on its way to a
// collector that hangs is cut short then.
func (q *queue) shutdown(ctx context.Context) error {
	q.once.Do(func() { close(q.stop) })
	defer q.cut()
	select {
	case <-q.ended:
	case <-ctx.Done():
		q.cut()
		<-q.ended
	}
	return errors.Join(ctx.Err(), q.exporter.Shutdown(ctx))
}
