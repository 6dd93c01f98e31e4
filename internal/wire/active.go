package wire

import (
	"context"
	"sync"
)

// active are the requests under way that end together, when the server or
// their session does. A set that is asked once costs each request less than a
// context that each one listens to.
type active struct {
	mu    sync.Mutex
	all   map[any]context.CancelCauseFunc
	cause error // not nil once they have ended
}

// add takes a request in under a key of its own. One that comes too late is
// cancelled at once.
func (a *active) add(key any, cancel context.CancelCauseFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cause != nil {
		cancel(a.cause)
		return
	}
	if a.all == nil {
		a.all = map[any]context.CancelCauseFunc{}
	}
	a.all[key] = cancel
}

func (a *active) remove(key any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, key)
}

// end cancels all requests, and those to come.
func (a *active) end(cause error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cause != nil {
		return
	}
	a.cause = cause
	for _, cancel := range a.all {
		cancel(cause)
	}
	a.all = nil
}
