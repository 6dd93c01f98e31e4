package upstream

import "time"

// worthy is how long a carrier has to live for its end to be an accident: the
// next one is fetched at once then.
const worthy = 30 * time.Second

// bereave notes the end of a connection, and fetches another one if resources
// were watched on it. s.mu is held.
func (w *watchlist) bereave(c *conn) {
	if w.carrier != c {
		return
	}
	w.carrier = nil
	if time.Since(c.born) > worthy {
		w.gate.reset()
	} else {
		w.gate.failed(time.Now(), "")
	}
	w.fetch()
}

// fetch brings the server back in the background while resources are watched.
// srv.mu is held.
func (w *watchlist) fetch() {
	if len(w.uris) > 0 && !w.reviving {
		w.reviving = w.srv.goLocked(w.revive)
	}
}

func (w *watchlist) revive() {
	s := w.srv
	for {
		s.mu.Lock()
		if len(w.uris) == 0 || w.carrier != nil || s.ended.Err() != nil {
			w.reviving = false
			s.mu.Unlock()
			return
		}
		who := w.who
		wait := max(time.Until(w.gate.retry), time.Until(s.gate.retry), 0)
		s.mu.Unlock()
		select {
		case <-time.After(wait):
		case <-s.ended.Done():
			continue
		case <-w.over():
			return
		}
		sl, err := s.conn(s.ended, &who, forWatches)
		if err == nil {
			sl.conn.settleIn()
			s.release(sl)
			continue
		}
		s.mu.Lock()
		w.gate.failed(time.Now(), "")
		s.mu.Unlock()
	}
}

// over is closed when there is no owner any more.
func (w *watchlist) over() <-chan struct{} {
	if w.session == nil {
		return nil
	}
	return w.session.Context().Done()
}
