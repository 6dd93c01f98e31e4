package trace

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// A queue gathers spans that have ended, in batches, and has those sent by one goroutine.
// Whoever ends a span never waits: when the queue is full the span is dropped and counted.
// The SDK's own does not tell how many it drops, and wakes its goroutine for every span,
// which on a small machine costs a call more than the span does.
type queue struct {
	o  queueOptions
	to sender

	mu      sync.Mutex
	filling *batch
	full    []*batch // the oldest first
	spare   []*batch // empty ones, for their memory
	spans   int      // in filling and full
	bytes   int
	closed  bool

	dropped, exported, failed atomic.Int64

	wake  chan struct{}   // one slot: there is a full batch
	life  context.Context // ends when nothing more may be sent
	cut   context.CancelFunc
	stop  chan struct{} // closed to ask for the last batches
	once  sync.Once
	ended chan struct{}
}

// A batch is spans that are sent together, each a field of a ScopeSpans.
type batch struct {
	b     []byte
	spans int
}

// A sender brings batches to a collector, one at a time.
type sender interface {
	send(ctx context.Context, spans []byte) error // which are not its own
	stop(ctx context.Context) error
}

// Bounds of what waits, in bytes, besides those in spans that variables set: a span may be
// a few hundred bytes, and with arguments and results it may be many thousand.
const (
	mostWaiting = 16 << 20
	mostSent    = 1 << 20 // of a batch; one span more may be in it
	mostSpare   = 3       // batches
)

const tagSpan = 2<<3 | byte(protowire.BytesType) // of a ScopeSpans

func newQueue(to sender, o queueOptions) *queue {
	q := &queue{
		o: o, to: to,
		filling: &batch{},
		wake:    make(chan struct{}, 1),
		stop:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
	q.life, q.cut = context.WithCancel(context.Background())
	go q.run()
	return q
}

// add takes a copy of a span as it is sent, if there is room for it. It does not block.
func (q *queue) add(span []byte) {
	q.mu.Lock()
	if q.closed || q.spans >= q.o.size || q.bytes+len(span) > mostWaiting {
		q.mu.Unlock()
		q.dropped.Add(1)
		return
	}
	f := q.filling
	before := len(f.b)
	f.b = append(appendSize(append(f.b, tagSpan), len(span)), span...)
	f.spans++
	q.spans++
	q.bytes += len(f.b) - before
	full := f.spans == q.o.batch || len(f.b) >= mostSent
	if full {
		q.turn()
	}
	q.mu.Unlock()
	if full {
		select {
		case q.wake <- struct{}{}:
		default: // it knows
		}
	}
}

// turn has the batch that is being filled be sent next. q.mu is held.
func (q *queue) turn() {
	if q.filling.spans == 0 {
		return
	}
	q.full = append(q.full, q.filling)
	if last := len(q.spare) - 1; last >= 0 {
		q.filling, q.spare = q.spare[last], q.spare[:last]
		return
	}
	size := len(q.filling.b)
	q.filling = &batch{b: make([]byte, 0, size+size/8)} // the next is about as large
}

func (q *queue) run() {
	defer close(q.ended)
	timer := time.NewTimer(q.o.delay)
	defer timer.Stop()
	for {
		last := false
		select {
		case <-q.wake:
		case <-timer.C:
			q.mu.Lock()
			q.turn()
			q.mu.Unlock()
		case <-q.stop:
			q.mu.Lock()
			q.closed, last = true, true
			q.turn()
			q.mu.Unlock()
		}
		for b := q.next(nil); b != nil; b = q.next(b) {
			q.export(b)
		}
		if last {
			return
		}
		timer.Reset(q.o.delay)
	}
}

// next is the oldest batch that is full, nil if there is none. The one before, that was
// sent, can be filled again.
func (q *queue) next(sent *batch) *batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	if sent != nil && len(q.spare) < mostSpare {
		sent.b, sent.spans = sent.b[:0], 0
		q.spare = append(q.spare, sent)
	}
	if len(q.full) == 0 {
		return nil
	}
	b := q.full[0]
	q.full = slices.Delete(q.full, 0, 1)
	q.spans -= b.spans
	q.bytes -= len(b.b)
	return b
}

func (q *queue) export(b *batch) {
	ctx, cancel := context.WithTimeout(q.life, q.o.limit)
	defer cancel()
	if err := q.to.send(ctx, b.b); err != nil {
		q.failed.Add(int64(b.spans)) // the sender has said why
		return
	}
	q.exported.Add(int64(b.spans))
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
	return errors.Join(ctx.Err(), q.to.stop(ctx))
}
