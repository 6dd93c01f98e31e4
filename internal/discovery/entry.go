package discovery

import (
	"slices"
	"time"

	"toolcrib/internal/catalog"
)

// urgency is why a server is to be listed.
type urgency int

const (
	never  urgency = iota // nothing is wanted
	idle                  // in the background, when its time has come
	soon                  // it changed, or is asked for while it is stale
	urgent                // somebody waits
)

// An entry is what the manager knows of one server.
type entry struct {
	server  Server
	listing catalog.Listing
	listed  bool // it was, once
	failed  bool // the last try did not work
	tries   int  // in a row that did not work
	until   time.Time
	began   time.Time // of the last listing
	rest    time.Time // not listed in the background before
	running bool
	wanted  urgency
	waiters []chan struct{}
}

func (e *entry) want(u urgency) { e.wanted = max(e.wanted, u) }

func (e *entry) fresh(now time.Time) bool { return e.listed && !e.failed && now.Before(e.until) }

// ttl is how long the listing holds: what the server says, else the
// configuration, else the default.
func (e *entry) ttl(o *Options) time.Duration {
	switch {
	case e.listing.TTL > 0:
		return e.listing.TTL
	case e.server.TTL > 0:
		return e.server.TTL
	}
	return o.TTL
}

// minGap is how often one server is listed at most, however often it announces
// changes.
const minGap = time.Second

// Failures are tried again in the background after firstRetry, and then ever
// more slowly, up to Options.Background.
const firstRetry = 30 * time.Second

// warmUp is how long after a start saved listings are left alone: agents are
// connecting, and what is known is good enough for them.
const warmUp = time.Minute

// due is when a listing that nobody asked for should be fetched. zero is now.
func (e *entry) due(o *Options) time.Time {
	if d := e.expires(o); d.After(e.rest) {
		return d
	}
	return e.rest
}

func (e *entry) expires(o *Options) time.Time {
	switch {
	case !e.listed && !e.failed:
		return time.Time{}
	case e.failed:
		wait := firstRetry << min(e.tries-1, 10)
		return e.began.Add(min(wait, o.Background))
	case o.Live(e.server.Name):
		return e.until
	}
	if rest := e.began.Add(o.Background); rest.After(e.until) {
		return rest
	}
	return e.until
}

func (s *state) named(names []string) []*entry {
	if len(names) == 0 {
		return s.order
	}
	var out []*entry
	for _, name := range names {
		if e := s.byName[name]; e != nil {
			out = append(out, e)
		}
	}
	return out
}

// setServers replaces the servers. Those that did not change keep what is known
// of them.
func (s *state) setServers(servers []Server, saved []catalog.Listing) {
	old := s.byName
	s.order, s.byName = nil, make(map[string]*entry, len(servers))
	now := time.Now()
	for _, server := range servers {
		e := old[server.Name]
		if e == nil || e.server.Identity != server.Identity || e.server.Authorization != server.Authorization && e.listing.Private {
			e = &entry{server: server}
			i := slices.IndexFunc(saved, func(l catalog.Listing) bool { return server.owns(&l) })
			if i >= 0 {
				e.restore(&s.m.o, saved[i], now)
			}
		}
		e.server = server
		s.order = append(s.order, e)
		s.byName[server.Name] = e
	}
	for name, e := range old {
		if s.byName[name] != e {
			e.release()
		}
	}
	s.touch(now)
}

// restore takes a saved listing. Its age is told by the wall clock, which may
// have jumped; from here on only the time that passes counts.
func (e *entry) restore(o *Options, l catalog.Listing, now time.Time) {
	e.listing, e.listed = l, true
	e.failed = l.Failure != nil
	if e.failed {
		e.tries = 1
	}
	age := now.Sub(l.Taken)
	if age < 0 {
		age = 0
	}
	e.began = now.Add(-min(age, o.Background))
	e.until = now.Add(e.ttl(o) - age)
	e.rest = now.Add(warmUp)
}

// release tells whoever waits for the server that there is nothing more to come.
func (e *entry) release() {
	for _, w := range e.waiters {
		close(w)
	}
	e.waiters = nil
}

func (s *state) giveUp(error) {
	for _, e := range s.order {
		e.release()
	}
}
