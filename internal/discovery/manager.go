package discovery

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/catalog"
)

// A Manager looks after listings. Run must be running for anything to change.
type Manager struct {
	o        Options
	snapshot atomic.Pointer[catalog.Snapshot]
	count    counters
	initial  *state // until Run
	commands chan func(*state)
	asked    chan string
	results  chan result
	ended    chan struct{}

	mu       sync.Mutex
	watchers []func(*catalog.Snapshot)
	changes  map[string]bool // servers that announced another list
	news     chan struct{}   // there are changes
}

// state belongs to the loop of Run, and to New before it.
type state struct {
	m       *Manager
	order   []*entry
	byName  map[string]*entry
	dirty   bool      // the snapshot has to be built anew
	publish time.Time // when
}

type result struct {
	entry   *entry
	listing catalog.Listing
	err     error
	took    time.Duration
}

// New makes a manager that already knows saved listings: Snapshot answers at
// once. A listing of a server that is not in servers, or is configured otherwise
// by now, is left aside.
func New(o Options, servers []Server, saved []catalog.Listing) *Manager {
	o.fill()
	m := &Manager{
		o:        o,
		commands: make(chan func(*state)),
		asked:    make(chan string, 64),
		results:  make(chan result, o.Parallel),
		ended:    make(chan struct{}),
		changes:  map[string]bool{},
		news:     make(chan struct{}, 1),
	}
	s := &state{m: m, byName: map[string]*entry{}}
	s.setServers(servers, saved)
	s.build()
	m.initial = s
	return m
}

// settle is how long results are gathered before a snapshot is built.
const settle = 20 * time.Millisecond

// Run keeps the listings fresh until ctx ends.
func (m *Manager) Run(ctx context.Context) {
	s := m.initial
	var work sync.WaitGroup
	defer work.Wait()    // third: they let go of their results when
	defer close(m.ended) // second: nobody takes them, after
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // first: they were told to stop
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		next := s.advance(time.Now(), func(e *entry, background bool) {
			name := e.server.Name // the entry is the loop's: a new configuration changes it
			work.Go(func() { m.list(ctx, e, name, background) })
		})
		timer.Reset(next)
		select {
		case <-ctx.Done():
			s.giveUp(ctx.Err())
			return
		case c := <-m.commands:
			c(s)
		case <-m.news:
			s.changed()
		case server := <-m.asked:
			s.asked(server, time.Now())
		case r := <-m.results:
			if ctx.Err() == nil { // else it may have failed because of us
				s.take(r, time.Now())
			}
		case <-timer.C:
		}
	}
}

// list fetches one listing; its result goes back to the loop.
func (m *Manager) list(ctx context.Context, e *entry, server string, background bool) {
	ctx, cancel := context.WithTimeout(ctx, m.o.ListTime)
	defer cancel()
	began := time.Now()
	l, err := m.o.List(ctx, server, background)
	select {
	case m.results <- result{e, l, err, time.Since(began)}:
	case <-m.ended:
	}
}

// do has the loop run f, and returns false when there is no loop any more.
func (m *Manager) do(ctx context.Context, f func(*state)) bool {
	select {
	case m.commands <- f:
		return true
	case <-ctx.Done():
	case <-m.ended:
	}
	return false
}

// Snapshot is what is known now. It is never nil and never changes.
func (m *Manager) Snapshot() *catalog.Snapshot { return m.snapshot.Load() }

// Watch has f called with every new snapshot, in order. f must not block.
func (m *Manager) Watch(f func(*catalog.Snapshot)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watchers = append(m.watchers, f)
}

// SetServers makes the manager look after exactly these. Listings of others go
// at once.
func (m *Manager) SetServers(ctx context.Context, servers []Server) {
	m.do(ctx, func(s *state) { s.setServers(servers, nil) })
}

// Changed says that a server announced another list. It is listed again, at
// most once a second. It does not block.
func (m *Manager) Changed(server string) {
	m.mu.Lock()
	m.changes[server] = true
	m.mu.Unlock()
	select {
	case m.news <- struct{}{}:
	default: // the loop has not looked yet
	}
}

func (s *state) changed() {
	s.m.mu.Lock()
	changes := s.m.changes
	s.m.changes = map[string]bool{}
	s.m.mu.Unlock()
	for server := range changes {
		if e := s.byName[server]; e != nil {
			e.want(soon)
		}
	}
}

// Asked says that one of a server's tools is being looked at or called: a stale
// listing is fetched anew behind the answer. It does not block, and costs little
// while the listing is fresh.
func (m *Manager) Asked(server string) {
	if m.count.fresh(server, time.Now()) {
		m.count.hits.Add(1)
		return
	}
	m.count.misses.Add(1)
	select {
	case m.asked <- server:
	default: // the loop is busy; whoever asks next says it again
	}
}

func (s *state) asked(server string, now time.Time) {
	if e := s.byName[server]; e != nil && !e.fresh(now) && !e.running {
		s.m.o.Log.Debug("listing is stale", "server", server)
		e.want(soon)
	}
}

// Need waits until all named servers were listed at least once, or could not
// be, or Patience is over. No names are all servers.
func (m *Manager) Need(ctx context.Context, servers ...string) {
	ctx, cancel := context.WithTimeout(ctx, m.o.Patience)
	defer cancel()
	m.wait(ctx, servers, func(e *entry) bool {
		known := e.listed || e.failed
		if known {
			m.count.hits.Add(1)
		} else {
			m.count.misses.Add(1)
		}
		return !known
	})
}

// Refresh lists servers anew, whatever is known, and waits for the results. No
// names are all servers.
func (m *Manager) Refresh(ctx context.Context, servers ...string) {
	m.wait(ctx, servers, func(*entry) bool { return true })
}

// wait lists the servers for which wants returns true and waits for them.
func (m *Manager) wait(ctx context.Context, servers []string, wants func(*entry) bool) {
	var pending []chan struct{}
	ready := make(chan struct{})
	asked := m.do(ctx, func(s *state) {
		defer close(ready)
		for _, e := range s.named(servers) {
			if wants(e) {
				if !e.running { // one that is under way is new enough
					e.want(urgent)
				}
				done := make(chan struct{})
				e.waiters = append(e.waiters, done)
				pending = append(pending, done)
			}
		}
	})
	if !asked {
		return
	}
	<-ready
	for _, done := range pending {
		select {
		case <-done:
		case <-ctx.Done():
			return
		case <-m.ended:
			return
		}
	}
	// What was learned is in the snapshot before anybody is told.
	published := make(chan struct{})
	if m.do(ctx, func(s *state) { s.build(); close(published) }) {
		<-published
	}
}
