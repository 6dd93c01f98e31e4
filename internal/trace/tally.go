package trace

import (
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
)

// tallies count how long requests took. They are on the way of every call, so they
// are our own: an instrument of the SDK looks for the line that a value belongs to
// under a lock, each time, and three of them cost a call more than all the rest that
// is noted of it. producer.go hands them to the SDK when somebody wants to read them.
type tallies struct {
	labels *labels

	mu sync.Mutex // one is added at a time
	by atomic.Pointer[map[kind]*tally]
}

// A kind of requests. Members that are empty are no labels.
type kind struct{ server, method, tool string }

// A tally is the requests of one kind, by how they ended.
type tally struct {
	kind
	ended [len(outcomes)]atomic.Pointer[spread]
}

// A spread is how long some requests took.
type spread struct {
	labels, counted attribute.Set // of the histogram's line, and of the counter's

	sum, least, most atomic.Int64 // nanoseconds
	buckets          [len(seconds) + 1]atomic.Uint64
}

// Bounds of the histograms, in seconds: the conventions' own, and finer ones
// below, since a hop takes a fraction of a millisecond.
var seconds = [...]float64{.0005, .001, .0025, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30, 60, 120, 300}

// bounds are the same as durations.
var bounds = func() (all [len(seconds)]time.Duration) {
	for i, s := range seconds {
		all[i] = time.Duration(math.Round(s * float64(time.Second)))
	}
	return all
}()

// add notes one more request.
func (t *tallies) add(k kind, how outcome, took time.Duration) {
	t.of(k).as(how).add(took)
}

// of is the tally of a kind.
func (t *tallies) of(k kind) *tally {
	if all := t.by.Load(); all != nil {
		if one := (*all)[k]; one != nil {
			return one
		}
	}
	return t.begin(kind{t.labels.server(k.server), knownMethod(k.method), k.tool})
}

// begin adds a kind whose members may be labels.
func (t *tallies) begin(k kind) *tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := map[kind]*tally{}
	if all := t.by.Load(); all != nil {
		if one := (*all)[k]; one != nil {
			return one
		}
		maps.Copy(next, *all)
	}
	one := &tally{kind: k}
	next[k] = one
	t.by.Store(&next)
	return one
}

// as is the spread of the requests that ended in a way.
func (t *tally) as(how outcome) *spread {
	at := &t.ended[how.index()]
	if s := at.Load(); s != nil {
		return s
	}
	s := &spread{
		labels:  series{server: t.server, method: t.method, tool: t.tool, outcome: how}.set(),
		counted: series{server: t.server, outcome: how, counted: true}.set(),
	}
	s.least.Store(math.MaxInt64)
	at.CompareAndSwap(nil, s)
	return at.Load()
}

func (s *spread) add(took time.Duration) {
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	s.buckets[i].Add(1)
	s.sum.Add(int64(took))
	for n := s.least.Load(); int64(took) < n && !s.least.CompareAndSwap(n, int64(took)); n = s.least.Load() {
	}
	for n := s.most.Load(); int64(took) > n && !s.most.CompareAndSwap(n, int64(took)); n = s.most.Load() {
	}
}
