package discovery

import (
	"sync/atomic"
	"time"
)

// Stats say how the knowledge stands.
type Stats struct {
	Servers   int           // looked after
	ToolCount int           // in the snapshot
	Age       time.Duration // of the oldest listing
	Expired   int           // listings that are served although they are too old
	Failed    int           // servers that could not be listed
	Hits      uint64        // questions that a fresh listing answered
	Misses    uint64        // questions that needed a listing
}

type counters struct {
	hits, misses atomic.Uint64
	last         atomic.Pointer[map[string]moment] // by server
}

// A moment is what Stats need of an entry.
type moment struct {
	taken, until time.Time
	tools        int
	listed, bad  bool
}

func (c *counters) note(s *state) {
	all := make(map[string]moment, len(s.order))
	for _, e := range s.order {
		all[e.server.Name] = moment{e.began, e.until, len(e.listing.Tools), e.listed, e.failed}
	}
	c.last.Store(&all)
}

// fresh tells whether a server's listing holds. It takes no lock.
func (c *counters) fresh(server string, now time.Time) bool {
	e, ok := (*c.last.Load())[server]
	return ok && e.listed && !e.bad && now.Before(e.until)
}

// Stats reads the counters; it takes no lock.
func (m *Manager) Stats() Stats {
	now := time.Now()
	st := Stats{Hits: m.count.hits.Load(), Misses: m.count.misses.Load()}
	for _, e := range *m.count.last.Load() {
		st.Servers++
		st.ToolCount += e.tools
		if e.bad {
			st.Failed++
		}
		if e.listed {
			st.Age = max(st.Age, now.Sub(e.taken))
			if now.After(e.until) {
				st.Expired++
			}
		}
	}
	return st
}
