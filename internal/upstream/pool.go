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

	watchMu  sync.Mutex
	watchers atomic.Pointer[[]*func(Event)]
}

type servers struct {
	order  []*server
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
	g, err := startGuard(p.o.Guard)
	if err != nil {
		return nil, err
	}
	p.launcher = newLauncher(g)
	p.orphans = p.launcher.reapOrphans()
	p.starts = make(chan struct{}, p.o.MaxStarts)
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
	for _, spec := range specs {
		if err := spec.Check(); err != nil {
			return err
		}
		if next.byName[spec.Name] != nil {
			return fmt.Errorf("two servers are called %s: rename one of them", spec.Name)
		}
		s := now.byName[spec.Name]
		if s == nil || s.spec.fingerprint() != spec.fingerprint() {
			s = newServer(p, spec)
		}
		next.order = append(next.order, s)
		next.byName[spec.Name] = s
	}
	p.set.Store(next)
	for _, s := range now.order {
		if next.byName[s.spec.Name] == s {
			continue
		}
		p.old.Add(1)
		go func() {
			defer p.old.Done()
			ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
			defer cancel()
			s.retire(ctx)
		}()
	}
	return nil
}

// Close ends all servers. Calls in flight may finish until ctx ends.
func (p *Pool) Close(ctx context.Context) error {
	p.apply.Lock()
	defer p.apply.Unlock()
	now := p.set.Load()
	if now.closed {
		return nil
	}
	p.set.Store(&servers{closed: true})
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
	s, err := p.server(r.Server)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		result, err := s.try(ctx, r)
		var broken *wire.TransportError
		if err == nil || !errors.As(err, &broken) {
			return result, err
		}
		if ctx.Err() != nil || attempt == 2 || (broken.Sent && !s.repeatable(r)) {
			return nil, s.failure(ctx, err)
		}
		s.log.Info("sending a request again on a new connection", "method", r.Method, "reason", err)
	}
}

// Names are the servers, in the order of the specs.
func (p *Pool) Names() []string {
	set := p.set.Load()
	names := make([]string, len(set.order))
	for i, s := range set.order {
		names[i] = s.spec.Name
	}
	return names
}

// Hello connects to a server, if need be, and returns what it says of itself.
func (p *Pool) Hello(ctx context.Context, name string, who call.Caller) (*wire.Hello, error) {
	s, err := p.server(name)
	if err != nil {
		return nil, err
	}
	c, release, err := s.conn(ctx, who)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	defer release()
	return c.hello, nil
}

// Status of every server, in the order of the specs.
func (p *Pool) Status() []Status {
	set := p.set.Load()
	out := make([]Status, len(set.order))
	for i, s := range set.order {
		out[i] = s.status()
	}
	return out
}

// Watch has f called for every event, in the order of each server, until stop.
// f must not block.
func (p *Pool) Watch(f func(Event)) (stop func()) {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	list := append([]*func(Event){}, *p.watchers.Load()...)
	list = append(list, &f)
	p.watchers.Store(&list)
	return func() {
		p.watchMu.Lock()
		defer p.watchMu.Unlock()
		var rest []*func(Event)
		for _, w := range *p.watchers.Load() {
			if w != &f {
				rest = append(rest, w)
			}
		}
		p.watchers.Store(&rest)
	}
}

func (p *Pool) publish(e Event) {
	for _, f := range *p.watchers.Load() {
		(*f)(e)
	}
}
