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
	print string // of spec
	log   *slog.Logger
	oauth wire.OAuthHandler // nil: what the spec's headers say is all there is
	tools atomic.Pointer[toolFacts]
	noisy sync.Once // warns of noise on standard output

	retired atomic.Bool
	flights atomic.Int64  // calls under way
	drained chan struct{} // closed when retired and without flights
	empty   sync.Once     // closes it

	mu         sync.Mutex
	slots      map[slotKey]*slot
	watchlists map[*wire.Session]*watchlist
	leases     int         // numbers given to leases
	hello      *wire.Hello // of the last connection, nil if there never was one
	trust      trust       // in what hello says of the eras
	silent     bool        // it said nothing to the last start
	known      bool        // it was connected to before
	gate       gate
	broken     bool   // the last that happened to it was a failure
	login      string // why it wants a person to log in, "" if it does not
	state      State
	since      time.Time
	starts     int
	stderr     *tail
	ended      context.Context
	cancel     context.CancelCauseFunc
	everyone   sync.WaitGroup // goroutines of the server; see goLocked
}

func newServer(p *Pool, spec Spec) *server {
	s := &server{
		pool:       p,
		spec:       spec,
		print:      spec.fingerprint(),
		log:        p.o.Log.With("server", spec.Name),
		slots:      map[slotKey]*slot{},
		watchlists: map[*wire.Session]*watchlist{},
		state:      Idle,
		since:      time.Now(),
		drained:    make(chan struct{}),
	}
	if spec.Transport != Stdio && p.o.OAuth != nil && !spec.authorized() {
		s.oauth = p.o.OAuth(spec.Name, spec.URL)
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
	sl, err := s.conn(ctx, &r.Caller, forCalls)
	if err != nil {
		return nil, err
	}
	defer s.release(sl)
	return sl.conn.do(ctx, r)
}

// enter counts a call in, unless the server is about to end. It takes no lock:
// it is on the way of every call.
func (s *server) enter() bool {
	s.flights.Add(1)
	if s.retired.Load() {
		s.leave()
		return false
	}
	return true
}

func (s *server) leave() {
	if s.flights.Add(-1) == 0 && s.retired.Load() {
		s.empty.Do(func() { close(s.drained) })
	}
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
	if errors.As(err, &e) {
		return e
	}
	if login := loginWanted(err); login != "" {
		return wire.Errorf(wire.CodeUpstreamFailed, "server %s: %s", s.spec.Name, login)
	}
	return wire.Errorf(wire.CodeUpstreamFailed, "server %s: %v", s.spec.Name, err)
}

// background runs f beside everything else until the server ends, and tells
// whether it does: an ended server does nothing any more.
func (s *server) background(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.goLocked(f)
}

// goLocked is background for one who holds s.mu. Nothing is added to everyone
// once retire waits for it.
func (s *server) goLocked(f func()) bool {
	if s.ended.Err() != nil {
		return false
	}
	s.everyone.Go(f)
	return true
}

// hold keeps the server's end waiting until release. It is for what has to be
// finished before the pool is gone; it should hurry when s.ended does.
func (s *server) hold() (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended.Err() != nil {
		return nil, false
	}
	s.everyone.Add(1)
	return s.everyone.Done, true
}

// retire refuses new calls, waits for those in flight until ctx ends, and then
// for the end of all connections, those that are being opened included. How
// long a child may take to end is the pool's to say: see Pool.hard.
func (s *server) retire(ctx context.Context) {
	s.retired.Store(true)
	s.flights.Add(1) // leave ends it if nobody else is there
	s.leave()
	select {
	case <-s.drained:
	case <-ctx.Done():
	}
	s.mu.Lock()
	s.cancel(errRemoved)
	s.mu.Unlock()
	s.everyone.Wait()
	s.forgetWatches()
}
