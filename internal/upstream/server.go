package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A server is one Spec and the connections to it.
type server struct {
	pool  *Pool
	spec  Spec
	log   *slog.Logger
	tools atomic.Pointer[toolFacts]
	noisy sync.Once // warns of noise on standard output

	mu       sync.Mutex
	slots    map[slotKey]*slot
	hello    *wire.Hello // of the last connection; nil while the era is unknown
	gate     gate
	state    State
	since    time.Time
	starts   int
	stderr   *tail
	retired  bool
	flights  int
	drained  chan struct{} // closed when retired and without flights
	ended    context.Context
	cancel   context.CancelCauseFunc
	everyone sync.WaitGroup // goroutines of the connections
}

// A slotKey is whom a connection is for: the agents of an era; one session; or,
// where agents are kept apart but have no sessions, one request at a time.
type slotKey struct {
	era     wire.Era // 0 while it has to be found out
	session *wire.Session
	able    string // capabilities it was opened with, for requests without a session
	lease   int    // 1 and up, for requests without a session
}

// A slot is a connection that is there or on its way.
type slot struct {
	ready chan struct{} // closed when conn or err is set
	conn  *conn
	err   error
	taken bool // by the one request that may use it (leases only)
}

func newServer(p *Pool, spec Spec) *server {
	s := &server{
		pool:    p,
		spec:    spec,
		log:     p.o.Log.With("server", spec.Name),
		slots:   map[slotKey]*slot{},
		state:   Idle,
		since:   time.Now(),
		drained: make(chan struct{}),
	}
	s.gate.reset()
	s.ended, s.cancel = context.WithCancelCause(context.Background())
	return s
}

var errRemoved = errors.New("was removed from the configuration, or the gateway is shutting down")

// try does a request once.
func (s *server) try(ctx context.Context, r *call.Request) ([]byte, error) {
	if !s.enter() {
		return nil, &wire.TransportError{Err: errRemoved}
	}
	defer s.leave()
	c, release, err := s.conn(ctx, r.Caller)
	if err != nil {
		return nil, err
	}
	defer release()
	return c.do(ctx, r)
}

func (s *server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired {
		return false
	}
	s.flights++
	return true
}

func (s *server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flights--; s.flights == 0 && s.retired {
		close(s.drained)
	}
}

// conn returns the connection for a caller, opening it if there is none.
// release must be called when it is no longer used.
func (s *server) conn(ctx context.Context, who call.Caller) (c *conn, release func(), err error) {
	for {
		s.mu.Lock()
		if s.ended.Err() != nil {
			s.mu.Unlock()
			return nil, nil, &wire.TransportError{Err: errRemoved}
		}
		key := s.key(who)
		sl := s.slots[key]
		if sl == nil {
			if err := s.gate.closed(time.Now()); err != nil {
				s.mu.Unlock()
				return nil, nil, err
			}
			sl = &slot{ready: make(chan struct{})}
			s.slots[key] = sl
			s.open(sl, key, who)
		}
		sl.taken = key.lease > 0
		s.mu.Unlock()
		select {
		case <-sl.ready:
		case <-ctx.Done():
			s.release(sl)
			return nil, nil, &wire.TransportError{Err: context.Cause(ctx)}
		}
		if sl.err != nil {
			return nil, nil, sl.err
		}
		// A slot that had to find the era out may be of another one than this
		// caller's: look again now that it is known.
		if key.era != 0 || who.Era == 0 || sl.conn.hello.Era == who.Era || !sl.conn.hello.Speaks(who.Era) {
			return sl.conn, func() { s.release(sl) }, nil
		}
		s.release(sl)
	}
}

func (s *server) release(sl *slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sl.taken = false
}

// key decides which connection serves a caller: its own era's where the server
// speaks that, else the server's.
func (s *server) key(who call.Caller) slotKey {
	var k slotKey
	switch {
	case s.spec.Era != 0:
		k.era = s.spec.Era
	case s.hello == nil:
		k.era = 0
	case who.Era != 0 && s.hello.Speaks(who.Era):
		k.era = who.Era
	default:
		k.era = s.hello.Era
	}
	switch {
	case who.Era == 0: // nobody's in particular: any connection will do
		for other, sl := range s.slots {
			if sl.conn != nil && !sl.taken {
				return other
			}
		}
	case s.spec.Sharing == PerAgent && who.Session != nil:
		k.session = who.Session
	case s.spec.Sharing == PerAgent:
		k.able = string(who.Capabilities.Raw)
		for k.lease = 1; s.slots[k] != nil && s.slots[k].taken; k.lease++ {
		}
	}
	return k
}

// failure is err as the caller should read it.
func (s *server) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		var own *wire.Error
		if errors.As(context.Cause(ctx), &own) {
			return own
		}
		return fmt.Errorf("server %s: %w", s.spec.Name, context.Cause(ctx))
	}
	var e *wire.Error
	if errors.As(err, &e) && !errors.As(err, new(*wire.TransportError)) {
		return e
	}
	return wire.Errorf(wire.CodeUpstreamFailed, "server %s %v", s.spec.Name, err)
}

func (s *server) setState(st State) {
	if s.state != st {
		s.state, s.since = st, time.Now()
	}
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := Status{Name: s.spec.Name, State: s.state, Since: s.since, Restarts: max(0, s.starts-1)}
	if s.state == Failed {
		st.Reason, st.Retry = s.gate.reason, s.gate.retry
	}
	if s.stderr != nil {
		st.Stderr = s.stderr.text()
	}
	return st
}

// retire refuses new calls, waits for those in flight until ctx ends, and
// closes all connections.
func (s *server) retire(ctx context.Context) {
	s.mu.Lock()
	if !s.retired {
		s.retired = true
		if s.flights == 0 {
			close(s.drained)
		}
	}
	s.mu.Unlock()
	select {
	case <-s.drained:
	case <-ctx.Done():
	}
	s.cancel(errRemoved)
	s.mu.Lock()
	var conns []*conn
	for _, sl := range s.slots {
		if sl.conn != nil {
			conns = append(conns, sl.conn)
		}
	}
	s.mu.Unlock()
	var all sync.WaitGroup
	for _, c := range conns {
		all.Go(func() { c.close(errRemoved) })
	}
	all.Wait()
	s.everyone.Wait()
}
