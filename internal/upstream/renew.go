package upstream

import "toolcrib/internal/wire"

// announce says that a server may offer something else now, and that uris may
// have changed: nobody was connected to hear of it.
func (c *conn) announce(uris []string) {
	c.srv.pool.changed(c.srv.spec.Name)
	for _, uri := range uris {
		c.publish(wire.MethodResourceUpdated, append(append([]byte(`{"uri":`), wire.Quote(uri)...), '}'))
	}
}

// missed notes that a request did not arrive. A connection without a session
// outlives its server's restarts, so this is how they are noticed.
func (c *conn) missed(err error) {
	if c.srv.spec.Transport == Stdio || c.dead() || c.unreachable.Swap(true) {
		return
	}
	s := c.srv
	s.log.Warn("server cannot be reached", "error", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken, s.gate.reason, s.login = true, err.Error(), loginWanted(err)
	s.updateState()
}

// reached notes that a request arrived, and tells whether the one before did not.
func (c *conn) reached() bool {
	if !c.unreachable.Load() || !c.unreachable.CompareAndSwap(true, false) {
		return false
	}
	s := c.srv
	s.log.Info("server can be reached again")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = false
	s.updateState()
	return true
}

// settleIn has a new connection tell of changes, takes over the resources that
// are watched, and says what may have changed if there was one before it.
func (c *conn) settleIn() {
	var uris []string
	if c.key.lease == 0 { // a lease is for one request at a time: nobody's to watch on
		w := c.srv.watchlist(c.session)
		if w.enter(c.srv.ended) != nil {
			return
		}
		defer w.leave()
		uris = w.takeOver(c)
	}
	c.watchAll(uris)
	if c.renews.CompareAndSwap(true, false) {
		c.announce(uris)
	}
}

// watchAll subscribes a connection to its lists and to uris.
func (c *conn) watchAll(uris []string) {
	ctx := c.srv.ended
	if c.hello.Era != wire.Modern {
		for _, uri := range uris {
			if err := c.subscribe(ctx, wire.MethodSubscribe, uri); err != nil && isAnswer(err) {
				c.srv.log.Warn("a resource cannot be watched any more", "uri", uri, "error", err)
			}
		}
		return
	}
	c.mu.Lock()
	listens := c.listening != nil
	c.mu.Unlock()
	if listens && uris == nil {
		return
	}
	if err := c.listen(uris).settle(ctx); err != nil && isAnswer(err) && uris != nil {
		c.srv.log.Warn("resources cannot be watched any more", "error", err)
	}
}
