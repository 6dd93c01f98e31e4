package script

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
)

// turns let so many scripts work at a time, first come, first served. A script
// that waits for a call holds none, and one that works long gives its turn up
// now and then: compiled code cannot be preempted, and with all processors at
// it the gateway itself would stand still.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting list.List // of chan struct{}
	crowd   atomic.Int32
}

func newTurns(n int) *turns { return &turns{free: n} }

// acquire reports whether the turn came before ctx ended.
func (t *turns) acquire(ctx context.Context) bool {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return true
	}
	mine := make(chan struct{})
	place := t.waiting.PushBack(mine)
	t.crowd.Add(1)
	t.mu.Unlock()
	select {
	case <-mine:
		return true
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-mine: // it came at the same moment
		t.pass()
	default:
		t.waiting.Remove(place)
		t.crowd.Add(-1)
	}
	return false
}

func (t *turns) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass()
}

func (t *turns) pass() {
	first := t.waiting.Front()
	if first == nil {
		t.free++
		return
	}
	close(t.waiting.Remove(first).(chan struct{}))
	t.crowd.Add(-1)
}

// crowded tells whether somebody waits.
func (t *turns) crowded() bool { return t.crowd.Load() > 0 }
