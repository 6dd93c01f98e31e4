package upstream

import (
	"context"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A slotKey is whom a connection is for: the agents of an era; one session; or,
// where agents are kept apart but have no sessions, one request at a time.
type slotKey struct {
	era     wire.Era // 0 while it has to be found out
	session *wire.Session
	able    string // capabilities it was opened with, for requests without a session
	lease   int    // 1 and up, for requests without a session
}

// A slot is a connection that is there or on its way.
type slot struct {
	ready chan struct{} // closed when conn or err is set
	conn  *conn
	err   error
	users int       // who has it at the moment; a lease has one at most
	used  time.Time // when the last of them let go
}

// A use is what a connection is wanted for.
type use bool

const (
	forCalls   use = false
	forWatches use = true // of resources: agents without sessions have one for all
)

// conn returns the slot with the connection for a caller, opening it if there is
// none. release must be called when it is no longer used.
func (s *server) conn(ctx context.Context, who *call.Caller, what use) (*slot, error) {
	for {
		sl, key, err := s.take(who, what)
		if err != nil {
			return nil, &wire.TransportError{Err: err}
		}
		if err := sl.await(ctx); err != nil {
			s.release(sl)
			return nil, err
		}
		if sl.err != nil {
			return nil, sl.err
		}
		// A slot that had to find the era out may be of another one than this
		// caller's: look again now that it is known.
		if key.era != 0 || who.Era == 0 || sl.conn.hello.Era == who.Era || !sl.conn.hello.Speaks(who.Era) {
			return sl, nil
		}
		s.release(sl)
	}
}

// await waits until the connection is there, or known not to come.
func (sl *slot) await(ctx context.Context) error {
	select {
	case <-sl.ready:
		return nil
	default:
	}
	began := time.Now()
	select {
	case <-sl.ready:
		call.Started(ctx, time.Since(began))
		return nil
	case <-ctx.Done():
		return &wire.TransportError{Err: context.Cause(ctx)}
	}
}

// take finds the slot for a caller, or makes one.
func (s *server) take(who *call.Caller, what use) (*slot, slotKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended.Err() != nil {
		return nil, slotKey{}, errRemoved
	}
	key := s.key(who, what)
	sl := s.slots[key]
	if sl != nil && sl.conn != nil && sl.conn.dead() {
		s.lostLocked(sl.conn, sl.conn.link.Err()) // sooner than its own goroutine comes to it
		sl = nil
	}
	if sl == nil {
		if err := s.gate.pass(time.Now()); err != nil {
			return nil, key, err
		}
		sl = &slot{ready: make(chan struct{})}
		s.slots[key] = sl
		s.open(sl, key, *who)
	}
	sl.users++
	s.trimLeases()
	return sl, key, nil
}

func (s *server) release(sl *slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sl.users--; sl.users == 0 {
		sl.used = time.Now()
	}
	s.trimLeases()
}

// key decides which connection serves a caller: its own era's where the server
// speaks that, else the server's.
func (s *server) key(who *call.Caller, what use) slotKey {
	var k slotKey
	switch {
	case s.spec.Era != 0:
		k.era = s.spec.Era
	case s.trust == unknown:
		k.era = 0
	case who.Era != 0 && s.hello.Speaks(who.Era):
		k.era = who.Era
	default:
		k.era = s.hello.Era
	}
	switch {
	case who.Era == 0: // nobody's in particular: any connection will do
		for other, sl := range s.slots {
			if sl.conn != nil && !sl.conn.dead() && (other.lease == 0 || sl.users == 0) {
				return other
			}
		}
	case s.spec.Sharing == PerAgent && who.Session != nil:
		k.session = who.Session
	case s.spec.Sharing == PerAgent && what == forCalls:
		k.able = string(who.Capabilities.Raw)
		return s.leaseKey(k)
	}
	if unknown := (slotKey{session: k.session}); s.slots[k] == nil && s.slots[unknown] != nil {
		return unknown // it is on its way already
	}
	return k
}

// leaseKey is a lease like k that nobody has, or a new one. Its number is never
// given twice, so that no two starts end up as one connection.
func (s *server) leaseKey(k slotKey) slotKey {
	for other, sl := range s.slots {
		if k.lease = other.lease; k.lease > 0 && other == k && sl.users == 0 && sl.conn != nil {
			return k
		}
	}
	s.leases++
	k.lease = s.leases
	return k
}

// trimLeases closes leased connections that nobody has, the longest unused
// first, while there are more leases than may be in use at once.
func (s *server) trimLeases() {
	if s.leases == 0 {
		return
	}
	for {
		leases := 0
		var oldest *slot
		for key, sl := range s.slots {
			if key.lease == 0 {
				continue
			}
			leases++
			if sl.users == 0 && sl.conn != nil && (oldest == nil || sl.used.Before(oldest.used)) {
				oldest = sl
			}
		}
		if leases <= s.spec.MaxInFlight || oldest == nil {
			return
		}
		c := oldest.conn
		s.lostLocked(c, nil)
		s.goLocked(func() { c.link.Close() })
	}
}

// idle takes a connection out of service that nobody has needed for long
// enough, and tells whether it did. Nothing is saved by closing a connection
// without a process.
func (s *server) idle(c *conn) bool {
	if s.spec.Transport != Stdio || s.spec.IdleTimeout <= 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sl := s.slots[c.key]
	if sl == nil || sl.conn != c || sl.users > 0 || s.carries(c) || time.Since(sl.used) <= s.spec.IdleTimeout {
		return false
	}
	s.lostLocked(c, nil)
	return true
}
