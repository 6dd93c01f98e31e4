package trace

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// Counts are what was done in some time.
type Counts struct {
	Calls, Errors, Refused, Searches, Scripts, KeptOut, Spent int64
}

// counts are Counts that are being counted.
type counts struct {
	calls, errors, refused, searches, scripts, keptOut, spent atomic.Int64
}

func (c *counts) note(e *Entry) {
	switch e.Kind {
	case CallKind:
		c.calls.Add(1)
		if e.failed() {
			c.errors.Add(1)
		}
		if e.Outcome == string(denied) {
			c.refused.Add(1)
		}
	case SearchKind:
		c.searches.Add(1)
	case ScriptKind:
		c.scripts.Add(1)
	}
	if e.KeptOut > 0 {
		c.keptOut.Add(int64(e.KeptOut))
	}
	if e.Spent > 0 {
		c.spent.Add(int64(e.Spent))
	}
}

func (c *counts) now() Counts {
	return Counts{
		Calls: c.calls.Load(), Errors: c.errors.Load(), Refused: c.refused.Load(), Searches: c.searches.Load(),
		Scripts: c.scripts.Load(), KeptOut: c.keptOut.Load(), Spent: c.spent.Load(),
	}
}

func (r *Ring) count(e *Entry) {
	r.totals.note(e)
	r.minutes.at(e.Start.Add(e.Took)).note(e)
	if e.Kind != CallKind || e.Server == "" {
		return
	}
	c, ok := r.servers.Load(e.Server)
	if !ok {
		if r.named.Add(1) > maxServers { // reloads with ever new names do not count for ever
			return
		}
		c, _ = r.servers.LoadOrStore(e.Server, &counts{})
	}
	c.(*counts).note(e)
}

// Totals are what was done since the start.
func (r *Ring) Totals() Counts {
	if r == nil {
		return Counts{}
	}
	return r.totals.now()
}

// Server is what was done at one server since the start.
func (r *Ring) Server(name string) Counts {
	if r == nil {
		return Counts{}
	}
	if c, ok := r.servers.Load(name); ok {
		return c.(*counts).now()
	}
	return Counts{}
}

// A Minute is what was done in one.
type Minute struct {
	Start time.Time
	Counts
	Median, Slow time.Duration // of calls; 95 of 100 were faster than Slow
}

// Hour is how many minutes are counted apart.
const Hour = 60

// minutes are the last ones, each in its place.
type minutes struct {
	mu  sync.Mutex // one begins a minute at a time
	all [Hour + 1]atomic.Pointer[minute]
}

type minute struct {
	number int64 // since the epoch
	counts
	times [timeBuckets]atomic.Int32
}

func numberOf(t time.Time) int64 { return t.Unix() / 60 }

// at is the minute of a moment.
func (m *minutes) at(t time.Time) *minute {
	n := numberOf(t)
	place := &m.all[uint64(n)%uint64(len(m.all))]
	if one := place.Load(); one != nil && one.number >= n {
		return one
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if one := place.Load(); one != nil && one.number >= n {
		return one
	}
	one := &minute{number: n}
	place.Store(one)
	return one
}

func (m *minute) note(e *Entry) {
	m.counts.note(e)
	if e.Kind == CallKind {
		m.times[bucketOf(e.Took)].Add(1)
	}
}

// Minutes are the last 60, the oldest first; the last one is running.
func (r *Ring) Minutes(now time.Time) []Minute {
	out := make([]Minute, 0, Hour)
	for n := numberOf(now) - Hour + 1; n <= numberOf(now); n++ {
		one := Minute{Start: time.Unix(n*60, 0).UTC()}
		if r != nil {
			if m := r.minutes.all[uint64(n)%uint64(len(r.minutes.all))].Load(); m != nil && m.number == n {
				one.Counts = m.counts.now()
				one.Median, one.Slow = m.quantile(0.5), m.quantile(0.95)
			}
		}
		out = append(out, one)
	}
	return out
}

// Times are counted in buckets that grow by a quarter of a power of two, from a
// microsecond up to more than an hour.
const timeBuckets = 4 * 33

func bucketOf(d time.Duration) int {
	us := uint64(max(0, d.Microseconds()))
	if us < 4 {
		return int(us)
	}
	power := bits.Len64(us) - 1 // at least 2
	return min(4*(power-1)+int(us>>(power-2)&3), timeBuckets-1)
}

// boundOf is what all times of a bucket are below.
func boundOf(bucket int) time.Duration {
	if bucket < 4 {
		return time.Duration(bucket+1) * time.Microsecond
	}
	power := bucket/4 + 1
	return time.Duration(5+bucket%4) << (power - 2) * time.Microsecond
}

// quantile is below which time a share of the calls were, 0 if there were none.
func (m *minute) quantile(share float64) time.Duration {
	var all int64
	for i := range m.times {
		all += int64(m.times[i].Load())
	}
	if all == 0 {
		return 0
	}
	left := int64(float64(all) * share)
	for i := range m.times {
		if left -= int64(m.times[i].Load()); left < 0 {
			return boundOf(i)
		}
	}
	return boundOf(timeBuckets - 1)
}
