package discovery

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"toolcrib/internal/catalog"
)

// far is when nothing is due.
const far = time.Hour

// advance starts what should run now and returns how long until there may be
// something to do again.
func (s *state) advance(now time.Time, start func(e *entry, background bool)) time.Duration {
	next := far
	later := func(t time.Time) {
		if d := max(0, t.Sub(now)); d < next {
			next = d
		}
	}
	quick, all := s.underWay(now, later)
	for _, level := range []urgency{urgent, soon, idle} {
		for _, e := range s.order {
			if e.running || s.level(e, now) != level {
				continue
			}
			if gap := e.began.Add(minGap); level != urgent && gap.After(now) && !e.began.IsZero() {
				later(gap)
				continue
			}
			if quick >= s.limit(level) || all >= crowd*s.m.o.Parallel {
				continue // the next result makes room
			}
			quick, all = quick+1, all+1
			later(now.Add(s.m.o.Hold))
			e.running, e.began, e.wanted = true, now, never
			start(e, level == idle && e.listed)
		}
	}
	for _, e := range s.order {
		if !e.running && s.level(e, now) == never {
			later(e.due(&s.m.o))
		}
	}
	if s.dirty {
		if !now.Before(s.publish) {
			s.build()
		} else {
			later(s.publish)
		}
	}
	return next
}

// crowd is how many listings there may be at all, those that take long
// included, as a multiple of Parallel.
const crowd = 8

// underWay counts listings: those that began just now, and all. A server that
// does not answer is no reason to keep others waiting.
func (s *state) underWay(now time.Time, later func(time.Time)) (quick, all int) {
	for _, e := range s.order {
		if !e.running {
			continue
		}
		all++
		if held := e.began.Add(s.m.o.Hold); held.After(now) {
			quick++
			later(held)
		}
	}
	return quick, all
}

// level is how urgently a server is to be listed now. One that was never
// listed counts as changed: agents ask for it first.
func (s *state) level(e *entry, now time.Time) urgency {
	switch {
	case e.wanted > idle:
		return e.wanted
	case !e.listed && !e.failed:
		return soon
	case !e.due(&s.m.o).After(now):
		return idle
	}
	return never
}

// limit leaves the background one place of all, so that it is never in the way
// of what somebody waits for.
func (s *state) limit(level urgency) int {
	if level == idle {
		return 1
	}
	return s.m.o.Parallel
}

// take notes how a listing ended.
func (s *state) take(r result, now time.Time) {
	e, o := r.entry, &s.m.o
	e.running = false
	defer e.release()
	if s.byName[e.server.Name] != e {
		return // removed meanwhile
	}
	if r.err == nil && r.listing.Private && r.listing.Authorization != e.server.Authorization {
		e.want(soon) // it is for somebody as whom we do not ask any more
		return
	}
	if r.err == nil && r.listing.Failure != nil && len(e.listing.Tools) == 0 {
		// Found out in another way: shown until the server tells itself.
		e.listing = r.listing
	}
	if r.err == nil && r.listing.Failure != nil {
		r.err = errors.New(r.listing.Failure.Reason)
	}
	if r.err != nil {
		e.tries++
		since := now
		if e.failed && e.listing.Failure != nil {
			since = e.listing.Failure.Since
		}
		e.failed = true
		e.listing.Server, e.listing.Identity = e.server.Name, e.server.Identity
		e.listing.Failure = &catalog.Failure{Reason: r.err.Error(), Since: since}
		o.Log.Warn("a server could not be listed", "server", e.server.Name, "error", r.err, "after", r.took.Round(time.Millisecond), "kept_tools", len(e.listing.Tools))
	} else {
		level := slog.LevelInfo
		if e.listed && !e.failed && sameTools(e.listing.Tools, r.listing.Tools) {
			level = slog.LevelDebug // no news
		}
		e.tries, e.failed, e.listed = 0, false, true
		e.listing = r.listing
		e.listing.Server, e.listing.Identity = e.server.Name, e.server.Identity
		e.until = now.Add(e.ttl(o))
		o.Log.Log(context.Background(), level, "server listed", "server", e.server.Name, "tools", len(r.listing.Tools), "after", r.took.Round(time.Millisecond))
	}
	o.Save(e.listing)
	s.touch(now)
}

func sameTools(a, b []catalog.Found) bool {
	return slices.EqualFunc(a, b, func(a, b catalog.Found) bool { return bytes.Equal(a.Raw, b.Raw) })
}

// touch has a snapshot built, together with what else changes at the moment.
func (s *state) touch(now time.Time) {
	if !s.dirty {
		s.dirty, s.publish = true, now.Add(settle)
	}
}

// build publishes a snapshot of everything known.
func (s *state) build() {
	s.dirty = false
	listings := make([]catalog.Listing, 0, len(s.order))
	for _, e := range s.order {
		if e.listed || e.failed {
			listings = append(listings, e.listing)
		}
	}
	snap := s.m.o.Build(listings)
	s.m.snapshot.Store(snap)
	s.m.count.note(s)
	s.m.mu.Lock()
	watchers := s.m.watchers
	s.m.mu.Unlock()
	for _, f := range watchers {
		f(snap)
	}
}
