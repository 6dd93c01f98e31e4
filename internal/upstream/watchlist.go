package upstream

import (
	"context"
	"maps"
	"slices"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A watchlist is the resources that are watched at a server by one owner of
// connections: a session that has its own, or everybody else. It belongs to the
// server and not to a connection, so that it outlives those.
type watchlist struct {
	srv     *server
	session *wire.Session // the owner; nil for everybody else
	turn    chan struct{} // holds a token while nobody changes or moves the list
	unhook  func() bool   // from the session's end

	// Under srv.mu:
	who      call.Caller    // as whom to connect
	uris     map[string]int // how many agents watch each
	carrier  *conn          // that is subscribed to them; nil while there is none
	reviving bool
	gate     gate // how soon the next carrier may be fetched
}

// owner is whose watchlist a caller's resources are on.
func (s *server) owner(who call.Caller) *wire.Session {
	if s.spec.Sharing == PerAgent {
		return who.Session
	}
	return nil
}

// watchlist of an owner. One of a session is forgotten with it.
func (s *server) watchlist(owner *wire.Session) *watchlist {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.watchlists[owner]
	if w == nil {
		w = &watchlist{srv: s, session: owner, turn: make(chan struct{}, 1), uris: map[string]int{}}
		w.turn <- struct{}{}
		w.gate.reset()
		s.watchlists[owner] = w
		if owner != nil {
			w.unhook = context.AfterFunc(owner.Context(), w.forget)
		}
	}
	return w
}

func (w *watchlist) forget() {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	clear(w.uris)
	delete(w.srv.watchlists, w.session)
}

// forgetWatches lets go of the sessions that had watchlists.
func (s *server) forgetWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watchlists {
		if w.unhook != nil {
			w.unhook()
		}
	}
	clear(s.watchlists)
}

// enter waits for the turn to change the list.
func (w *watchlist) enter(ctx context.Context) error {
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
		return &wire.TransportError{Err: context.Cause(ctx)}
	case <-w.srv.ended.Done():
		return &wire.TransportError{Err: errRemoved}
	}
}

func (w *watchlist) leave() { w.turn <- struct{}{} }

// list is what is watched.
func (w *watchlist) list() []string {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	return slices.Sorted(maps.Keys(w.uris))
}

// again counts one more agent for a resource, if there is one already.
func (w *watchlist) again(uri string) bool {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	if w.uris[uri] == 0 {
		return false
	}
	w.uris[uri]++
	return true
}

// add notes a resource that c is now subscribed to.
func (w *watchlist) add(uri string, c *conn, who call.Caller) {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	who.Progress, who.LogLevel = nil, ""
	w.who = who
	w.uris[uri]++
	w.carrier = c
	if c.gone {
		w.bereave(c)
	}
}

// remove takes one agent off a resource. It returns the connection to tell of
// it, nil if there is none or others still watch.
func (w *watchlist) remove(uri string) *conn {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	if w.uris[uri] > 1 {
		w.uris[uri]--
		return nil
	}
	_, watched := w.uris[uri]
	delete(w.uris, uri)
	c := w.carrier
	if len(w.uris) == 0 {
		w.carrier = nil
	}
	if !watched {
		return nil
	}
	return c
}

// takeOver makes c the carrier if there is none, and returns what it has to
// subscribe to.
func (w *watchlist) takeOver(c *conn) []string {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	if w.carrier != nil || len(w.uris) == 0 || c.gone {
		return nil
	}
	w.carrier = c
	return slices.Sorted(maps.Keys(w.uris))
}

// current is the carrier, nil if there is none that works.
func (w *watchlist) current() *conn {
	w.srv.mu.Lock()
	defer w.srv.mu.Unlock()
	if w.carrier == nil || w.carrier.dead() {
		return nil
	}
	return w.carrier
}

// carries tells whether resources are watched on a connection. s.mu is held.
func (s *server) carries(c *conn) bool {
	w := s.watchlists[c.session]
	return w != nil && w.carrier == c
}

// inherit takes over what is watched at the server that s replaces.
func (s *server) inherit(from *server) {
	from.mu.Lock()
	lists, known := maps.Clone(from.watchlists), from.known
	from.mu.Unlock()
	s.mu.Lock()
	s.known = known // its first connection comes after others
	s.mu.Unlock()
	for owner, old := range lists {
		if owner != nil && s.spec.Sharing != PerAgent {
			owner = nil // it shares its connections now
		}
		w := s.watchlist(owner)
		from.mu.Lock()
		who, uris := old.who, maps.Clone(old.uris)
		from.mu.Unlock()
		s.mu.Lock()
		w.who = who
		for uri, n := range uris {
			w.uris[uri] += n
		}
		w.fetch()
		s.mu.Unlock()
	}
}
