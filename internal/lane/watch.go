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
	early     []byte        // what the agent sent instead
	done      chan struct{} // closed when nobody looks out any more; nil if nobody did
}

// begin is called with a request that is to be answered.
func (w *watch) begin() {
	w.mu.Lock()
	w.answering, w.early = true, nil
	w.mu.Unlock()
	w.c.l.slow.Set(&w.c.alarm, w)
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
	case err != nil && w.answering:
		w.c.cancel()
	}
}

// end is called when the handler has said all. It returns what the agent sent meanwhile.
// That it is gone, whoever reads next will find.
func (w *watch) end() (early []byte) {
	w.c.l.slow.Stop(&w.c.alarm)
	w.mu.Lock()
	done := w.done
	w.answering = false
	w.mu.Unlock()
	if done == nil {
		return nil
	}
	_ = w.c.rwc.SetReadDeadline(past)
	<-done
	w.done = nil
	w.c.readBy = past // whoever reads next sets another
	return w.early
}
