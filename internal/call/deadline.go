package call

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/wire"
)

// Deadline ends a request that takes longer than its server is given: with an error
// of the code CodeTimeout as the cause of its context's end. limit returns 0 for no
// limit.
func Deadline(limit func(server string) time.Duration) Middleware {
	var all alarms
	return func(next Func) Func {
		return func(ctx context.Context, r *Request) ([]byte, error) {
			d := limit(r.Server)
			if d <= 0 {
				return next(ctx, r)
			}
			late := &lateError{r: r, limit: d}
			ctx, late.cancel = context.WithCancelCause(ctx)
			defer late.cancel(nil)
			rings := all.after(d)
			rings.Set(&late.Alarm, late)
			defer rings.Stop(&late.Alarm)
			return next(ctx, r)
		}
	}
}

// alarms are those for each limit that some server has.
type alarms struct {
	mu     sync.Mutex
	byTime atomic.Pointer[map[time.Duration]*wire.Alarms]
}

func (a *alarms) after(d time.Duration) *wire.Alarms {
	if all := a.byTime.Load(); all != nil && (*all)[d] != nil {
		return (*all)[d]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	next := map[time.Duration]*wire.Alarms{d: wire.NewAlarms(d)}
	if all := a.byTime.Load(); all != nil {
		maps.Copy(next, *all) // one that somebody else made meanwhile stays
	}
	a.byTime.Store(&next)
	return next[d]
}

// A lateError ends a request, and is put into words only when that happens.
type lateError struct {
	wire.Alarm
	r      *Request
	limit  time.Duration
	cancel context.CancelCauseFunc
}

// Ring is called when the time is over.
func (e *lateError) Ring() { e.cancel(e) }

func (e *lateError) Error() string { return e.Unwrap().Error() }

func (e *lateError) Unwrap() error {
	what := e.r.Method
	if e.r.Name != "" {
		what += " " + e.r.Name
	}
	return wire.Errorf(wire.CodeTimeout, "server %s did not answer %s within %v; raise call_timeout of the server if it needs longer", e.r.Server, what, e.limit)
}
