package upstream

import (
	"context"
	"errors"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// Subscribe has a server tell of changes of a resource, through Watch, until
// Unsubscribe. Both count: the server is asked once however many agents watch.
// A subscription outlives its connection: while there is one, the server is
// brought back.
func (p *Pool) Subscribe(ctx context.Context, server, uri string, who call.Caller) error {
	for attempt := 1; ; attempt++ {
		s, err := p.server(server)
		if err != nil {
			return err
		}
		err = s.subscribe(ctx, uri, who)
		if err == nil {
			return nil
		}
		if errors.As(err, new(*wire.Error)) || ctx.Err() != nil || attempt == 2 {
			return s.failure(ctx, err)
		}
	}
}

// Unsubscribe takes one Subscribe back. It does not start a server for that.
func (p *Pool) Unsubscribe(ctx context.Context, server, uri string, who call.Caller) error {
	s, err := p.server(server)
	if err != nil {
		return err
	}
	if err := s.unsubscribe(ctx, uri, who); err != nil {
		return s.failure(ctx, err)
	}
	return nil
}

func (s *server) subscribe(ctx context.Context, uri string, who call.Caller) error {
	w := s.watchlist(s.owner(who))
	if err := w.enter(ctx); err != nil {
		return err
	}
	defer w.leave()
	if w.again(uri) {
		return nil
	}
	c := w.current()
	if c == nil {
		sl, err := s.conn(ctx, &who, forWatches)
		if err != nil {
			return err
		}
		defer s.release(sl)
		c = sl.conn
	}
	if err := c.watchAlso(ctx, uri, w.list()); err != nil {
		return err
	}
	w.add(uri, c, who)
	return nil
}

// watchAlso subscribes a connection to one more resource than those before.
func (c *conn) watchAlso(ctx context.Context, uri string, before []string) error {
	ctx, cancel := c.srv.limited(ctx, wire.MethodSubscribe)
	defer cancel()
	if c.hello.Era != wire.Modern {
		return c.subscribe(ctx, wire.MethodSubscribe, uri)
	}
	err := c.listen(append(before, uri)).settle(ctx)
	if err != nil {
		c.listen(before)
	}
	return err
}

func (s *server) unsubscribe(ctx context.Context, uri string, who call.Caller) error {
	w := s.watchlist(s.owner(who))
	if err := w.enter(ctx); err != nil {
		return err
	}
	defer w.leave()
	c := w.remove(uri)
	if c == nil || c.dead() {
		return nil // others still watch it, or there is nobody to tell
	}
	if c.hello.Era == wire.Modern {
		c.listen(w.list())
		return nil
	}
	limited, cancel := s.limited(ctx, wire.MethodUnsubscribe)
	defer cancel()
	return c.subscribe(limited, wire.MethodUnsubscribe, uri)
}

// subscribe tells a legacy server about one resource.
func (c *conn) subscribe(ctx context.Context, method, uri string) error {
	params := append(append([]byte(`{"uri":`), wire.Quote(uri)...), '}')
	_, err := c.link.Call(ctx, &wire.Outgoing{Method: method, Params: params})
	return err
}

// limited gives a request of our own as long as one of an agent has.
func (s *server) limited(ctx context.Context, method string) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, s.spec.CallTimeout, wire.Errorf(wire.CodeTimeout,
		"server %s did not answer %s within %v", s.spec.Name, method, s.spec.CallTimeout))
}

// RootsChanged tells a server that an agent's roots changed, where it has a
// connection for that agent alone. On a shared one they are nobody's.
func (p *Pool) RootsChanged(session *wire.Session) {
	for _, s := range p.set.Load().order {
		s.mu.Lock()
		for key, sl := range s.slots {
			if c := sl.conn; key.session == session && session != nil && c != nil {
				s.goLocked(func() { c.link.Notify(s.ended, wire.MethodRootsChanged, nil) })
			}
		}
		s.mu.Unlock()
	}
}
