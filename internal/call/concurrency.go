package call

import (
	"context"
	"sync"
	"time"

	"toolcrib/internal/wire"
)

// Limit is how many requests may be at a server at once, and how long one more
// may wait for its turn.
type Limit struct {
	InFlight int           // 0 is no limit
	Wait     time.Duration // then the request fails, unsent
}

// maxWaiting bounds the queue, as a multiple of the limit.
const maxWaiting = 16

// Concurrency keeps requests to one server within its limit. limit is asked for
// every request, so that a changed configuration holds from the next one on.
func Concurrency(limit func(server string) Limit) Middleware {
	q := &queues{byServer: map[string]*queue{}}
	return func(next Func) Func {
		return func(ctx context.Context, r *Request) ([]byte, error) {
			l := limit(r.Server)
			if l.InFlight <= 0 {
				return next(ctx, r)
			}
			turns := q.of(r.Server, l.InFlight)
			if err := turns.enter(ctx, r.Server, l.Wait); err != nil {
				return nil, err
			}
			defer func() { <-turns.running }()
			return next(ctx, r)
		}
	}
}

type queues struct {
	mu       sync.Mutex
	byServer map[string]*queue
}

// A queue holds one token for each request at the server and for each that waits.
type queue struct {
	running chan struct{}
	waiting chan struct{}
}

func (q *queues) of(server string, size int) *queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	one := q.byServer[server]
	if one == nil || cap(one.running) != size {
		one = &queue{make(chan struct{}, size), make(chan struct{}, size*maxWaiting)}
		q.byServer[server] = one
	}
	return one
}

func (q *queue) enter(ctx context.Context, server string, wait time.Duration) error {
	select {
	case q.running <- struct{}{}:
		return nil
	default:
	}
	select {
	case q.waiting <- struct{}{}:
		defer func() { <-q.waiting }()
	default:
		return wire.Errorf(wire.CodeUpstreamBusy, "server %s is busy: %d requests are running and %d are waiting; try again later", server, cap(q.running), cap(q.waiting))
	}
	began, timer := time.Now(), time.NewTimer(wait)
	defer timer.Stop()
	select {
	case q.running <- struct{}{}:
		Queued(ctx, time.Since(began))
		return nil
	case <-timer.C:
		return wire.Errorf(wire.CodeUpstreamBusy, "server %s is busy: all its %d turns were taken for %v; try again later, or raise max_in_flight of the server", server, cap(q.running), wait)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
