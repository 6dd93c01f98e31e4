package store

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Usage remembers which tools were called one after another, and which were
// called after a search had shown them: ids and counts, never what they were called
// with, what was searched for, or by whom.
//
// Counts are kept in memory and added to those in the file by Save, so that
// several gateways share it. Whoever does not want it does not open it.
type Usage struct {
	s *Store

	mu      sync.Mutex
	known   counts            // as in the file when it was last read
	added   counts            // since then
	callers map[string]*trail // what each did last
	order   []string          // of callers, the longest quiet first
}

// counts are by id.
type counts struct {
	Chosen   map[string]int            `json:"chosen"`   // called after a search showed it
	Together map[string]map[string]int `json:"together"` // called soon after the first, either way round
}

// A trail is what a caller did last.
type trail struct {
	called []string
	shown  []string
	at     time.Time
}

const (
	trailLength    = 5                // calls that count as together
	trailTime      = 10 * time.Minute // within which they do
	maxCallers     = 1000
	maxUsageTools  = 2000 // that are remembered, those with the highest counts
	maxPartners    = 16   // of a tool
	maxUsageBytes  = 4 << 20
	maxCount       = 1000 // at which all counts are halved: what was long ago counts less
	fullyFavoured  = 20   // times chosen that say all there is to say
	maxUsageIDSize = 512
)

// Usage opens what is remembered in this store.
func (s *Store) Usage() *Usage {
	u := &Usage{s: s, added: newCounts(), callers: map[string]*trail{}}
	u.known = u.load()
	return u
}

func newCounts() counts { return counts{map[string]int{}, map[string]map[string]int{}} }

// Searched notes which tools a caller was shown.
func (u *Usage) Searched(caller string, tools []string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.trail(caller, now)
	t.shown, t.at = slices.Clone(tools), now
}

// Called notes that a caller called a tool.
func (u *Usage) Called(caller, tool string, now time.Time) {
	if tool == "" || len(tool) > maxUsageIDSize {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.trail(caller, now)
	if slices.Contains(t.shown, tool) {
		u.added.Chosen[tool]++
		t.shown = nil
	}
	for _, other := range t.called {
		if other != tool {
			u.added.pair(tool, other, 1)
			u.added.pair(other, tool, 1)
		}
	}
	t.called = append(slices.DeleteFunc(t.called, func(o string) bool { return o == tool }), tool)
	t.called = t.called[max(0, len(t.called)-trailLength):]
	t.at = now
	u.bound()
}

func (c *counts) pair(a, b string, n int) {
	if c.Together[a] == nil {
		c.Together[a] = map[string]int{}
	}
	c.Together[a][b] += n
}

// trail is that of a caller; an old one is begun anew.
func (u *Usage) trail(caller string, now time.Time) *trail {
	t := u.callers[caller]
	if t == nil || now.Sub(t.at) > trailTime {
		t = &trail{}
		u.callers[caller] = t
	}
	u.order = append(slices.DeleteFunc(u.order, func(c string) bool { return c == caller }), caller)
	if len(u.order) > maxCallers {
		delete(u.callers, u.order[0])
		u.order = u.order[1:]
	}
	return t
}

// bound keeps what was added small between two saves.
func (u *Usage) bound() {
	if len(u.added.Together) > 2*maxUsageTools || len(u.added.Chosen) > 2*maxUsageTools {
		u.added.trim()
	}
}

// Together are at most n tools that were called with another, most often first.
func (u *Usage) Together(tool string, n int) []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := maps.Clone(u.known.Together[tool])
	if all == nil {
		all = map[string]int{}
	}
	for other, count := range u.added.Together[tool] {
		all[other] += count
	}
	best := mostOf(all)
	return best[:min(n, len(best))]
}

// Favour is from 0 to 1 how often a tool was what a search was for.
func (u *Usage) Favour(tool string) float32 {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := u.known.Chosen[tool] + u.added.Chosen[tool]
	return float32(min(1, math.Log1p(float64(n))/math.Log1p(fullyFavoured)))
}

// Save adds what is new to the file. What cannot be saved is told once and kept
// for the next time.
func (u *Usage) Save() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.added.Chosen) == 0 && len(u.added.Together) == 0 || u.s.dir == "" {
		return
	}
	all := u.load()
	all.add(&u.added)
	all.trim()
	data, err := json.Marshal(all)
	if err == nil {
		err = u.s.replace(u.path(), time.Now(), func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	}
	if err != nil {
		u.s.cannotSave(err)
		return
	}
	u.known, u.added = all, newCounts()
}

func (c *counts) add(o *counts) {
	for tool, n := range o.Chosen {
		c.Chosen[tool] += n
	}
	for a, others := range o.Together {
		for b, n := range others {
			c.pair(a, b, n)
		}
	}
}

// trim keeps the highest counts, and halves all when one is high.
func (c *counts) trim() {
	highest := 0
	for _, n := range c.Chosen {
		highest = max(highest, n)
	}
	for a, others := range c.Together {
		for _, least := range mostOf(others)[min(maxPartners, len(others)):] {
			delete(others, least)
		}
		for _, n := range others {
			highest = max(highest, n)
		}
		if len(others) == 0 {
			delete(c.Together, a)
		}
	}
	for _, least := range mostOf(c.Chosen)[min(maxUsageTools, len(c.Chosen)):] {
		delete(c.Chosen, least)
	}
	sums := make(map[string]int, len(c.Together))
	for a, others := range c.Together {
		for _, n := range others {
			sums[a] += n
		}
	}
	for _, least := range mostOf(sums)[min(maxUsageTools, len(sums)):] {
		delete(c.Together, least)
	}
	if highest > maxCount {
		halve(c.Chosen)
		for _, others := range c.Together {
			halve(others)
		}
	}
}

func halve(counts map[string]int) {
	for id, n := range counts {
		if counts[id] = n / 2; n < 2 {
			delete(counts, id)
		}
	}
}

// mostOf are the ids, that with the highest count first.
func mostOf(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

// load reads the file; one that cannot be read is as if there were none.
func (u *Usage) load() counts {
	c := newCounts()
	if u.s.dir == "" {
		return c
	}
	data, info, err := readAll(u.path())
	if err != nil || info.Size() > maxUsageBytes || json.Unmarshal(data, &c) != nil {
		return newCounts()
	}
	if c.Chosen == nil {
		c.Chosen = map[string]int{}
	}
	if c.Together == nil {
		c.Together = map[string]map[string]int{}
	}
	return c
}

// usageFile is the name of its file.
const usageFile = "usage.v1.counts"

func (u *Usage) path() string { return filepath.Join(u.s.dir, usageFile) }
