package lane

import (
	"sync"
	"time"
)

// A watch looks out for the agent to hang up while it waits for an answer. It begins
// when the answer takes long: nearly all are given before anybody could.
type watch struct {
	c *conn

	mu        sync.Mutex
	answering bool
	ending    bool
	gone      bool
	early     []byte        // what the agent sent instead
	done      chan struct{} // closed when nobody looks out any more; nil if nobody did
}

func (w *watch) begin(c *conn) {
	w.c = c
	w.mu.Lock()
	w.answering, w.ending, w.early = true, false, nil
	w.mu.Unlock()
	c.l.slow.Set(&c.alarm, w)
}

// Ring is called when an answer takes long.
func (w *watch) Ring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.answering || w.done != nil {
		return
	}
	w.done = make(chan struct{})
	_ = w.c.rwc.SetReadDeadline(time.Time{})
	go w.look(w.done)
}

func (w *watch) look(done chan struct{}) {
	defer close(done)
	var b [1]byte
	n, err := w.c.rwc.Read(b[:])
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case n > 0:
		w.early = b[:n]
	case err != nil && !w.ending:
		w.gone = true
		w.c.cancel()
	}
}

// end is called with the answer given. It returns what the agent sent meanwhile, and
// whether it is gone.
func (w *watch) end(c *conn) (early []byte, gone bool) {
	c.l.slow.Stop(&c.alarm)
	w.mu.Lock()
	done := w.done
	w.answering, w.ending = false, true
	w.mu.Unlock()
	if done == nil {
		return nil, false
	}
	_ = c.rwc.SetReadDeadline(past)
	<-done
	w.done = nil
	c.readBy = past // there is no deadline any more
	return w.early, w.gone
}
