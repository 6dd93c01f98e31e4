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

// A Pool supervises servers.
type Pool struct {
	o        Options
	launcher *launcher
	orphans  func()        // stops collecting them
	starts   chan struct{} // a token a server that may start now

	set   atomic.Pointer[servers] // read without a lock
	apply sync.Mutex              // one Apply or Close at a time
	old   sync.WaitGroup          // servers that were removed and still drain

	hard context.Context // ends when children get no more time to end by themselves
	kill context.CancelFunc

	watchMu  sync.Mutex
	watchers atomic.Pointer[[]*func(Event)]
}

type servers struct {
	order  []*server
	names  []string // of order
	byName map[string]*server
	closed bool
}

// NewPool makes an empty pool.
func NewPool(o *Options) (*Pool, error) {
	p := &Pool{}
	if o != nil {
		p.o = *o
	}
	if p.o.Log == nil {
		p.o.Log = slog.New(slog.DiscardHandler)
	}
	p.o.MaxStarts = or(p.o.MaxStarts, 4)
	p.o.HealthEvery = or(p.o.HealthEvery, defaultHealthEvery)
	p.o.HealthWait = or(p.o.HealthWait, defaultHealthWait)
	g, err := startGuard(p.o.Guard)
	if err != nil {
		return nil, err
	}
	p.launcher = newLauncher(g)
	p.orphans = p.launcher.reapOrphans()
	p.starts = make(chan struct{}, p.o.MaxStarts)
	p.hard, p.kill = context.WithCancel(context.Background())
	p.set.Store(&servers{})
	p.watchers.Store(&[]*func(Event){})
	return p, nil
}

// drainTimeout is how long calls may go on at a server that was removed.
const drainTimeout = 30 * time.Second

// Apply makes the pool run exactly specs. Unchanged servers keep their
// connections; removed and changed ones finish their calls first.
func (p *Pool) Apply(specs []Spec) error {
	p.apply.Lock()
	defer p.apply.Unlock()
	now := p.set.Load()
	if now.closed {
		return errors.New("the pool is closed")
	}
	next := &servers{byName: make(map[string]*server, len(specs))}
	var fresh []*server
	for _, spec := range specs {
		if err := spec.Check(); err != nil {
			return err
		}
		if next.byName[spec.Name] != nil {
			return fmt.Errorf("two servers are called %s: rename one of them", spec.Name)
		}
		s := now.byName[spec.Name]
		if s == nil || s.print != spec.fingerprint() {
			s = newServer(p, spec.clone())
			fresh = append(fresh, s)
		}
		next.order, next.names = append(next.order, s), append(next.names, spec.Name)
		next.byName[spec.Name] = s
	}
	p.set.Store(next)
	for _, s := range fresh {
		if old := now.byName[s.spec.Name]; old != nil {
			s.inherit(old)
		}
		p.changed(s.spec.Name)
	}
	for _, s := range now.order {
		if other := next.byName[s.spec.Name]; other == nil {
			p.changed(s.spec.Name)
		} else if other == s {
			continue
		}
		p.old.Go(func() { p.drain(s) })
	}
	return nil
}

// drain lets a server that was removed finish its calls, and ends it.
func (p *Pool) drain(s *server) {
	ctx, cancel := context.WithTimeout(p.hard, drainTimeout)
	defer cancel()
	s.retire(ctx)
}

// Close ends all servers, also those that were removed and still drain. Calls in
// flight may finish and children may end by themselves until ctx ends; then
// they are killed.
func (p *Pool) Close(ctx context.Context) error {
	p.apply.Lock()
	defer p.apply.Unlock()
	now := p.set.Load()
	if now.closed {
		return nil
	}
	p.set.Store(&servers{closed: true})
	defer context.AfterFunc(ctx, p.kill)()
	defer p.kill()
	var all sync.WaitGroup
	for _, s := range now.order {
		all.Go(func() { s.retire(ctx) })
	}
	all.Wait()
	p.old.Wait()
	p.orphans()
	p.launcher.close()
	return nil
}

func (p *Pool) server(name string) (*server, error) {
	set := p.set.Load()
	if s := set.byName[name]; s != nil {
		return s, nil
	}
	if set.closed {
		return nil, wire.Errorf(wire.CodeUpstreamFailed, "the gateway is shutting down")
	}
	return nil, wire.Errorf(wire.CodeUpstreamFailed, "there is no server %q: it was removed from the configuration, or never was in it", name)
}

// Call does a request at its server. It is the innermost call.Func.
func (p *Pool) Call(ctx context.Context, r *call.Request) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		s, err := p.server(r.Server) // another one by now if it was changed
		if err != nil {
			return nil, err
		}
		result, err := s.try(ctx, r)
		if err == nil {
			return result, nil
		}
		var broken *wire.TransportError
		if !errors.As(err, &broken) {
			return nil, err
		}
		if ctx.Err() != nil || attempt == 2 || (broken.Sent && !s.repeatable(r)) {
			return nil, s.failure(ctx, err)
		}
		s.log.Debug("trying a request again", "method", r.Method, "reason", err)
	}
}

// Names are the servers, in the order of the specs. They are not to be changed.
func (p *Pool) Names() []string { return p.set.Load().names }

// Hello connects to a server, if need be, and returns what it says of itself.
func (p *Pool) Hello(ctx context.Context, name string, who call.Caller) (*wire.Hello, error) {
	s, err := p.server(name)
	if err != nil {
		return nil, err
	}
	sl, err := s.conn(ctx, &who, forCalls)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	defer s.release(sl)
	return sl.conn.hello, nil
}
