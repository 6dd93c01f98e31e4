package upstream

import (
	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A trust says how far it can be relied on that a server still speaks what it
// spoke.
type trust int

const (
	unknown trust = iota // find out
	guessed              // it speaks that, and perhaps more: find out when it starts anew
	certain              // it was found out
)

// A dialPlan is how a server is to be reached.
type dialPlan struct {
	identity wire.Identity
	era      wire.Era // to speak; 0 finds it out
	prefer   wire.Era // of two that it may speak
	versions []string // that it is known to speak
	guess    bool     // era is none that was found out: take an answer to mean nothing
}

// plan decides in which era a server is spoken to. What was found out once
// holds until a start fails: finding out costs a server that is silent to
// strange requests seconds, and one that ends on them a process. s.mu is held.
func (s *server) plan(key slotKey, who call.Caller) dialPlan {
	d := dialPlan{identity: s.identity(key, who), era: s.spec.Era, prefer: key.era}
	if d.prefer == 0 {
		d.prefer = who.Era
	}
	switch {
	case s.spec.Era != 0:
	case s.trust == certain:
		d.era, d.versions = key.era, s.hello.Versions
	case s.silent && s.spec.Transport == Stdio:
		// It ended or said nothing the last time, whichever way it was spoken
		// to. The handshake alone does with one process what finding out does
		// with two.
		d.era, d.guess = wire.Legacy, true
	}
	return d
}

// remember keeps what a connection found out. s.mu is held.
func (s *server) remember(c *conn) {
	s.hello, s.trust, s.silent = c.hello, certain, false
	if c.guessed {
		s.trust = guessed
	}
}

// doubt forgets what was found out if a failed start speaks against it. s.mu is held.
func (s *server) doubt(key slotKey, err error) {
	s.silent = !answered(err)
	switch {
	case s.onlyClaims(key):
		h := *s.hello
		h.Versions = nil
		s.hello = &h
		if s.silent {
			s.trust, s.silent = guessed, false
		}
	case s.anyConn() != nil:
	case s.silent && key.era == wire.Legacy:
		// Not the era's fault: what cannot be started says nothing in any.
	default:
		s.trust = unknown
	}
}

// onlyClaims tells whether a server is spoken to in another era than the one
// that just failed: it only claims to speak this one.
func (s *server) onlyClaims(key slotKey) bool {
	c := s.anyConn()
	return c != nil && key.era != 0 && c.hello.Era != key.era
}

// anyConn is some connection that is there. s.mu is held.
func (s *server) anyConn() *conn {
	for _, sl := range s.slots {
		if sl.conn != nil {
			return sl.conn
		}
	}
	return nil
}
