package upstream

import (
	"context"
	"fmt"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// open connects in the background: a caller that gives up does not stop a
// server from starting. s.mu is held.
func (s *server) open(sl *slot, key slotKey, who call.Caller) {
	s.starts++
	s.updateState()
	d := s.plan(key, who)
	s.goLocked(func() {
		ctx, cancel := context.WithTimeoutCause(s.ended, s.spec.StartTimeout,
			fmt.Errorf("did not answer within %v of its start", s.spec.StartTimeout))
		defer cancel()
		c := newConn(s, key.session)
		began := time.Now()
		err := s.connect(ctx, c, d)
		switch {
		case err == nil && c.hello.Versions == nil:
			c.hello.Versions = d.versions // a handshake does not say them
		case err != nil && ctx.Err() != nil:
			err = s.tooSlow(ctx)
		}
		after := time.Since(began).Round(time.Millisecond)
		if err != nil {
			s.log.Warn("server could not be started", "error", err, "after", after)
		} else {
			s.log.Info("server connected", "era", c.hello.Era, "version", c.hello.Version, "after", after)
		}
		if c := s.opened(sl, key, c, err); c != nil {
			c.run()
		}
	})
}

// opened records how a start ended and returns the connection to run, nil if
// there is none.
func (s *server) opened(sl *slot, key slotKey, c *conn, err error) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(sl.ready)
	defer s.updateState()
	delete(s.slots, key)
	if err != nil {
		sl.err = s.refused(key, err)
		return nil
	}
	s.gate.opened()
	s.broken, s.login = false, ""
	c.renews.Store(s.known && s.anyConn() == nil)
	s.known = true
	c.key = key
	c.key.era = c.hello.Era
	if other := s.slots[c.key]; other != nil && other.conn != nil && !other.conn.dead() {
		sl.conn = other.conn // another start was faster
		s.everyone.Go(func() { c.link.Close() })
		return nil
	}
	s.remember(c)
	c.born = time.Now()
	c.hears()
	sl.conn, sl.used = c, c.born
	s.slots[c.key] = sl
	return c
}

// tooSlow is the error of a start that was given up, with what the server wrote
// meanwhile: it may be waiting for somebody.
func (s *server) tooSlow(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := context.Cause(ctx)
	if s.stderr != nil && s.ended.Err() == nil {
		err = s.stderr.addTo(err)
	}
	return &wire.TransportError{Err: err}
}

// refused records a start that failed and returns the error for those who
// waited for it. Whatever the server said to our greeting is no answer to their
// requests: to them it could not be reached.
func (s *server) refused(key slotKey, err error) error {
	s.doubt(key, err)
	what := "could not be started"
	if s.spec.Transport != Stdio {
		what = "could not be reached"
	}
	if s.login = loginWanted(err); s.login == "" {
		err = fmt.Errorf("%s: %s", what, err)
	}
	switch {
	case s.ended.Err() != nil:
		err = errRemoved
	case s.login != "": // once somebody has, it is tried at once
		s.gate.opened()
		s.broken = true
	case !s.onlyClaims(key):
		s.gate.failed(time.Now(), err.Error())
		s.broken = true
	}
	s.gate.trying = false
	return &wire.TransportError{Err: err} // a *wire.LoginError stays one
}
