package discovery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/catalog"
)

// A world is servers that are listed on a fake clock.
type world struct {
	t       *testing.T
	mu      sync.Mutex
	starts  map[string][]time.Time
	running int
	most    int
	answer  map[string]func(ctx context.Context) (catalog.Listing, error)
	live    map[string]bool
	saved   []catalog.Listing
	quiet   map[string]bool // listed with background set
}

func newWorld(t *testing.T) *world {
	return &world{t: t, starts: map[string][]time.Time{}, answer: map[string]func(context.Context) (catalog.Listing, error){}, live: map[string]bool{}, quiet: map[string]bool{}}
}

func (w *world) list(ctx context.Context, server string, background bool) (catalog.Listing, error) {
	w.mu.Lock()
	w.starts[server] = append(w.starts[server], time.Now())
	w.running++
	w.most = max(w.most, w.running)
	w.quiet[server] = background
	answer := w.answer[server]
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.running--
		w.mu.Unlock()
	}()
	if answer != nil {
		return answer(ctx)
	}
	time.Sleep(100 * time.Millisecond) // on the fake clock
	return listing(server, "tool"), nil
}

func (w *world) count(server string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.starts[server])
}

func (w *world) peak() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.most
}

func (w *world) wasQuiet(server string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.quiet[server]
}

func listing(server string, tools ...string) catalog.Listing {
	l := catalog.Listing{Server: server, Identity: "id", Taken: time.Now()}
	for _, name := range tools {
		raw, _ := json.Marshal(map[string]any{"name": name})
		l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
	}
	return l
}

// start runs a manager until the test ends, inside a synctest bubble.
func (w *world) start(o Options, names []string, saved ...catalog.Listing) *Manager {
	o.List = w.list
	o.Build = func(l []catalog.Listing) *catalog.Snapshot { return catalog.Build(l, catalog.Rules{}, time.Now()) }
	o.Live = func(s string) bool { w.mu.Lock(); defer w.mu.Unlock(); return w.live[s] }
	o.Save = func(l catalog.Listing) { w.mu.Lock(); defer w.mu.Unlock(); w.saved = append(w.saved, l) }
	m := New(o, servers(names...), saved)
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); m.Run(ctx) }()
	w.t.Cleanup(func() { cancel(); <-done })
	return m
}

func servers(names ...string) []Server {
	var out []Server
	for _, n := range names {
		out = append(out, Server{Name: n, Identity: "id"})
	}
	return out
}

func inBubble(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newWorld(t)) })
}

func TestColdStartIsBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var names []string
		for i := range 50 {
			names = append(names, fmt.Sprintf("s%d", i))
		}
		m := w.start(Options{Parallel: 4}, names)
		m.Need(t.Context())
		if got := m.Snapshot().Len(); got != 50 {
			t.Errorf("%d tools", got)
		}
		if got := w.peak(); got > 4 {
			t.Errorf("%d listings at once", got)
		}
	})
}

// TestNobodyIsHeldUp is F21 on a fake clock: dead, mute and slow servers among
// good ones.
func TestNobodyIsHeldUp(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var names []string
		for i := range 100 {
			name := fmt.Sprintf("s%d", i)
			names = append(names, name)
			switch i % 10 {
			case 0:
				w.answer[name] = func(context.Context) (catalog.Listing, error) { return catalog.Listing{}, errors.New("dead") }
			case 1:
				w.answer[name] = func(ctx context.Context) (catalog.Listing, error) { <-ctx.Done(); return catalog.Listing{}, ctx.Err() }
			case 2:
				w.answer[name] = func(ctx context.Context) (catalog.Listing, error) {
					time.Sleep(5 * time.Second)
					return listing(name, "tool"), nil
				}
			}
		}
		// Mute servers give their place back after a moment.
		m := w.start(Options{Parallel: 4, Hold: time.Second}, names)
		began := time.Now()
		m.Need(t.Context())
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("answered after %v", took)
		}
		if got := m.Snapshot().Len(); got < 70 {
			t.Errorf("%d tools after patience was over", got)
		}
		time.Sleep(2 * time.Minute)
		if got := m.Snapshot().Len(); got != 80 {
			t.Errorf("%d tools in the end", got)
		}
	})
}

func TestWarmStartListsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		old := listing("a", "x", "y")
		old.Taken = time.Now().Add(-24 * time.Hour)
		m := w.start(Options{}, []string{"a"}, old)
		if got := m.Snapshot().Len(); got != 2 {
			t.Fatalf("%d tools at the start", got)
		}
		m.Need(t.Context())
		time.Sleep(time.Second)
		if w.count("a") != 0 {
			t.Error("a server was listed although its tools are known")
		}
		m.Asked("a")
		time.Sleep(time.Second)
		if w.count("a") != 1 {
			t.Errorf("a stale server that is asked for was listed %d times", w.count("a"))
		}
	})
}

func TestBackgroundIsSlow(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		var names []string
		var saved []catalog.Listing
		for i := range 50 {
			name := fmt.Sprintf("s%d", i)
			names = append(names, name)
			l := listing(name, "x")
			l.Taken = time.Now().Add(-24 * time.Hour)
			saved = append(saved, l)
		}
		w.start(Options{}, names, saved...)
		time.Sleep(2 * time.Hour)
		if got := w.peak(); got != 1 {
			t.Errorf("%d servers were listed at once in the background", got)
		}
		for _, name := range names {
			if n := w.count(name); n == 0 || n > 3 {
				t.Errorf("%s was listed %d times in two hours", name, n)
			}
			if !w.wasQuiet(name) {
				t.Errorf("%s was not told that nobody waits", name)
			}
		}
	})
}

func TestTTL(t *testing.T) {
	for name, c := range map[string]struct {
		own, configured, want time.Duration
	}{
		"default":    {0, 0, 5 * time.Minute},
		"configured": {0, 7 * time.Minute, 7 * time.Minute},
		"server's":   {time.Minute, 7 * time.Minute, time.Minute},
		"longer":     {30 * time.Minute, 0, 30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *world) {
				w.live["a"] = true
				w.answer["a"] = func(context.Context) (catalog.Listing, error) {
					l := listing("a", "x")
					l.TTL = c.own
					return l, nil
				}
				m := w.start(Options{}, nil)
				m.SetServers(t.Context(), []Server{{Name: "a", Identity: "id", TTL: c.configured}})
				m.Need(t.Context())
				time.Sleep(c.want - time.Second)
				if w.count("a") != 1 {
					t.Errorf("listed %d times before its time", w.count("a"))
				}
				time.Sleep(2 * time.Second)
				if w.count("a") != 2 {
					t.Errorf("listed %d times after its time", w.count("a"))
				}
			})
		})
	}
}

// TestFailureKeepsTools has a server die: what it offered stays, and says so.
func TestFailureKeepsTools(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		m := w.start(Options{}, []string{"a"})
		m.Need(t.Context())
		w.mu.Lock()
		w.answer["a"] = func(context.Context) (catalog.Listing, error) { return catalog.Listing{}, errors.New("no network") }
		w.mu.Unlock()
		m.Refresh(t.Context(), "a")
		first := time.Now()
		s := m.Snapshot()
		if s.Len() != 1 {
			t.Fatalf("%d tools", s.Len())
		}
		f := s.Servers()[0].Failure()
		if f == nil || f.Reason != "no network" {
			t.Fatalf("failure %v", f)
		}
		time.Sleep(time.Minute)
		m.Refresh(t.Context(), "a")
		if since := m.Snapshot().Servers()[0].Failure().Since; since.After(first) {
			t.Errorf("down since %v, want the first failure at %v", since, first)
		}
		if st := m.Stats(); st.Failed != 1 || st.ToolCount != 1 {
			t.Errorf("stats %+v", st)
		}
		w.mu.Lock()
		delete(w.answer, "a")
		w.mu.Unlock()
		m.Refresh(t.Context())
		if f := m.Snapshot().Servers()[0].Failure(); f != nil {
			t.Errorf("still failed: %v", f)
		}
	})
}

// TestStorm is F32: a server that announces changes a thousand times a second.
func TestStorm(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		m := w.start(Options{}, []string{"a", "b"})
		m.Need(t.Context())
		n := 0
		w.mu.Lock()
		w.answer["a"] = func(context.Context) (catalog.Listing, error) {
			n++
			return listing("a", fmt.Sprintf("tool%d", n)), nil
		}
		w.mu.Unlock()
		before := w.count("a")
		for range 5000 {
			m.Changed("a")
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		if got := w.count("a") - before; got > 7 {
			t.Errorf("listed %d times in 7 seconds", got)
		}
		if w.count("b") != 1 {
			t.Error("another server was listed as well")
		}
		if m.Snapshot().Find("a", fmt.Sprintf("tool%d", n)) == nil {
			t.Error("the last state is not the one that is shown")
		}
	})
}

func TestRemovedServersGo(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		m := w.start(Options{}, []string{"a", "b"})
		m.Need(t.Context())
		m.SetServers(t.Context(), servers("b"))
		time.Sleep(time.Second)
		if s := m.Snapshot(); s.Len() != 1 || s.Servers()[0].Name() != "b" {
			t.Errorf("servers %v", s.Servers())
		}
		if w.count("b") != 1 {
			t.Error("a server that did not change was listed again")
		}
		m.SetServers(t.Context(), []Server{{Name: "b", Identity: "other"}})
		time.Sleep(time.Second)
		if w.count("b") != 2 {
			t.Error("a server that is configured otherwise was not listed again")
		}
	})
}

// TestClockJumps is F30: a saved listing from the future, and from long ago.
func TestClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{-24 * time.Hour, 24 * time.Hour, 400 * 24 * time.Hour} {
		inBubble(t, func(t *testing.T, w *world) {
			l := listing("a", "x")
			l.Taken = time.Now().Add(jump)
			m := w.start(Options{}, []string{"a"}, l)
			time.Sleep(30 * time.Minute)
			if n := w.count("a"); n > 1 {
				t.Errorf("%v: listed %d times", jump, n)
			}
			if m.Snapshot().Len() != 1 {
				t.Errorf("%v: forgotten", jump)
			}
		})
	}
}

func TestWatchersSeeEverySnapshot(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		m := w.start(Options{}, []string{"a"})
		var seen []int
		var mu sync.Mutex
		m.Watch(func(s *catalog.Snapshot) { mu.Lock(); seen = append(seen, s.Len()); mu.Unlock() })
		m.Need(t.Context())
		mu.Lock()
		defer mu.Unlock()
		if !slices.Contains(seen, 1) {
			t.Errorf("seen %v", seen)
		}
	})
}

func TestHitsAndMisses(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		m := w.start(Options{}, []string{"a"})
		m.Need(t.Context())
		m.Asked("a")
		time.Sleep(10 * time.Minute)
		m.Asked("a")
		synctest.Wait()
		if st := m.Stats(); st.Hits != 1 || st.Misses != 2 || st.Expired == 0 && st.Age == 0 {
			t.Errorf("stats %+v", st)
		}
	})
}

// TestGuessedTools shows what was found in other ways, as long as the server
// itself tells nothing, and never in place of what it told.
func TestGuessedTools(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		guess := func(context.Context) (catalog.Listing, error) {
			l := listing("a", "guessed")
			l.Tools[0].Provenance = catalog.Parsed
			l.Failure = &catalog.Failure{Reason: "does not start"}
			return l, nil
		}
		w.answer["a"] = guess
		m := w.start(Options{}, []string{"a"})
		m.Need(t.Context())
		tool := m.Snapshot().Find("a", "guessed")
		if tool == nil || tool.Callable() || tool.State().Available {
			t.Fatalf("guessed tool %v", tool)
		}
		w.mu.Lock()
		delete(w.answer, "a")
		w.mu.Unlock()
		m.Refresh(t.Context())
		if m.Snapshot().Find("a", "guessed") != nil || m.Snapshot().Find("a", "tool") == nil {
			t.Fatal("the server's own list does not replace the guess")
		}
		w.mu.Lock()
		w.answer["a"] = guess
		w.mu.Unlock()
		m.Refresh(t.Context())
		if m.Snapshot().Find("a", "guessed") != nil || m.Snapshot().Find("a", "tool") == nil {
			t.Fatal("a guess replaced what the server had told")
		}
	})
}
