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
// counted. The SDK's own does not tell how many it drops.
type queue struct {
	o        queueOptions
	exporter sdktrace.SpanExporter
	spans    chan sdktrace.ReadOnlySpan

	dropped, exported, failed atomic.Int64

	flushes chan chan struct{}
	life    context.Context // ends when nothing more may be sent
	cut     context.CancelFunc
	stop    chan struct{} // closed to ask for the last batches
	once    sync.Once
	ended   chan struct{}
}

func newQueue(e sdktrace.SpanExporter, o queueOptions) *queue {
	q := &queue{
		o: o, exporter: e,
		spans:   make(chan sdktrace.ReadOnlySpan, o.size),
		flushes: make(chan chan struct{}),
		stop:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
	q.life, q.cut = context.WithCancel(context.Background())
	go q.run()
	return q
}

// OnStart has nothing to do.
func (q *queue) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd takes a span, if there is room for it. It does not block.
func (q *queue) OnEnd(s sdktrace.ReadOnlySpan) {
	if !s.SpanContext().IsSampled() {
		return
	}
	select {
	case <-q.ended:
		q.dropped.Add(1)
		return
	default:
	}
	select {
	case q.spans <- s:
	default:
		q.dropped.Add(1)
	}
}

func (q *queue) run() {
	defer close(q.ended)
	timer := time.NewTimer(q.o.delay)
	defer timer.Stop()
	batch := make([]sdktrace.ReadOnlySpan, 0, q.o.batch)
	send := func() {
		if len(batch) > 0 {
			q.export(batch)
			clear(batch)
			batch = batch[:0]
		}
		timer.Reset(q.o.delay)
	}
	for {
		select {
		case s := <-q.spans:
			if batch = append(batch, s); len(batch) == cap(batch) {
				send()
			}
		case <-timer.C:
			send()
		case done := <-q.flushes:
			q.drain(&batch, send)
			close(done)
		case <-q.stop:
			q.drain(&batch, send)
			return
		}
	}
}

// drain sends all that is queued at the moment.
func (q *queue) drain(batch *[]sdktrace.ReadOnlySpan, send func()) {
	for range len(q.spans) {
		if *batch = append(*batch, <-q.spans); len(*batch) == cap(*batch) {
			send()
		}
	}
	send()
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

// ForceFlush sends what has ended until now.
func (q *queue) ForceFlush(ctx context.Context) error {
	done := make(chan struct{})
	select {
	case q.flushes <- done:
	case <-q.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Shutdown sends what is left until ctx ends. A batch that is on its way to a
// collector that hangs is cut short then.
func (q *queue) Shutdown(ctx context.Context) error {
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
