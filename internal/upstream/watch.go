package upstream

import (
	"context"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A watch is what a connection is subscribed to: all lists, and the resources
// that agents named.
type watch struct {
	uris   map[string]int // how many agents watch each
	cancel context.CancelFunc
}

// listen subscribes a modern connection to what legacy ones send unasked. The
// stream is opened anew whenever the set of resources changes; the old one is
// closed after the new one stands, so that nothing falls between.
func (c *conn) listen() {
	if c.hello.Era != wire.Modern {
		return
	}
	params, any := c.listenParams()
	if !any {
		return
	}
	ctx, cancel := context.WithCancel(c.srv.ended)
	c.mu.Lock()
	old := c.watch.cancel
	c.watch.cancel = cancel
	c.mu.Unlock()
	c.srv.everyone.Go(func() {
		defer cancel()
		c.keepListening(ctx, params)
	})
	if old != nil {
		time.AfterFunc(time.Second, old)
	}
}

func (c *conn) keepListening(ctx context.Context, params []byte) {
	for pause := time.Second; ; pause = min(2*pause, 30*time.Second) {
		_, err := c.link.Call(ctx, &wire.Outgoing{Method: wire.MethodListen, Params: params, Related: c})
		if err != nil && isAnswer(err) {
			c.srv.log.Debug("server tells of no changes", "error", err)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-c.link.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (c *conn) listenParams() (params []byte, any bool) {
	filter := []byte{'{'}
	add := func(name string, value []byte) {
		if any {
			filter = append(filter, ',')
		}
		any = true
		filter = append(append(append(filter, wire.Quote(name)...), ':'), value...)
	}
	for _, list := range []string{"tools", "prompts", "resources"} {
		if c.offers(list) {
			add(list+"ListChanged", []byte("true"))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.watch.uris) > 0 {
		uris := []byte{'['}
		for uri := range c.watch.uris {
			if len(uris) > 1 {
				uris = append(uris, ',')
			}
			uris = append(uris, wire.Quote(uri)...)
		}
		add("resourceSubscriptions", append(uris, ']'))
	}
	body := append(append([]byte(`{"notifications":`), append(filter, '}')...), '}')
	params, err := wire.ChangeMeta(body, c.introduction(nil)...)
	return params, any && err == nil
}

// Subscribe has a server tell of changes of a resource, through Watch, until
// Unsubscribe. Both count: the server is asked once however many agents watch.
func (p *Pool) Subscribe(ctx context.Context, server, uri string, who call.Caller) error {
	return p.subscribe(ctx, server, uri, who, 1)
}

// Unsubscribe takes one Subscribe back.
func (p *Pool) Unsubscribe(ctx context.Context, server, uri string, who call.Caller) error {
	return p.subscribe(ctx, server, uri, who, -1)
}

func (p *Pool) subscribe(ctx context.Context, server, uri string, who call.Caller, n int) error {
	s, err := p.server(server)
	if err != nil {
		return err
	}
	c, release, err := s.conn(ctx, who)
	if err != nil {
		return s.failure(ctx, err)
	}
	defer release()
	c.mu.Lock()
	if c.watch.uris == nil {
		c.watch.uris = map[string]int{}
	}
	before := c.watch.uris[uri]
	after := max(0, before+n)
	c.watch.uris[uri] = after
	if after == 0 {
		delete(c.watch.uris, uri)
	}
	c.mu.Unlock()
	if (before == 0) == (after == 0) {
		return nil
	}
	if c.hello.Era == wire.Modern {
		c.listen()
		return nil
	}
	method := wire.MethodSubscribe
	if after == 0 {
		method = wire.MethodUnsubscribe
	}
	params := append(append([]byte(`{"uri":`), wire.Quote(uri)...), '}')
	if _, err = c.link.Call(ctx, &wire.Outgoing{Method: method, Params: params}); err != nil {
		if n > 0 {
			c.mu.Lock()
			delete(c.watch.uris, uri)
			c.mu.Unlock()
		}
		if isAnswer(err) {
			return err
		}
		return s.failure(ctx, err)
	}
	return nil
}

// RootsChanged tells a server that an agent's roots changed, where it has a
// connection for that agent alone. On a shared one they are nobody's.
func (p *Pool) RootsChanged(session *wire.Session) {
	for _, s := range p.set.Load().order {
		s.mu.Lock()
		var own []*conn
		for key, sl := range s.slots {
			if key.session == session && session != nil && sl.conn != nil {
				own = append(own, sl.conn)
			}
		}
		s.mu.Unlock()
		for _, c := range own {
			s.everyone.Go(func() { c.link.Notify(s.ended, wire.MethodRootsChanged, nil) })
		}
	}
}
