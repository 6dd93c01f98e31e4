package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// startHold is how long a start keeps others waiting: a server that does not
// answer must not hold up those that would.
const startHold = 5 * time.Second

// open connects in the background: a caller that gives up does not stop a
// server from starting. s.mu is held.
func (s *server) open(sl *slot, key slotKey, who call.Caller) {
	s.setState(Starting)
	s.starts++
	s.everyone.Add(1)
	go func() {
		defer s.everyone.Done()
		ctx, cancel := context.WithTimeoutCause(s.ended, s.spec.StartTimeout,
			fmt.Errorf("did not answer within %v of its start", s.spec.StartTimeout))
		defer cancel()
		c := newConn(s, key.session)
		began := time.Now()
		err := s.connect(ctx, c, key, who)
		if err != nil {
			s.log.Warn("server could not be started", "error", err, "after", time.Since(began).Round(time.Millisecond))
		} else {
			s.log.Info("server connected", "era", c.hello.Era, "version", c.hello.Version, "after", time.Since(began).Round(time.Millisecond))
		}
		if c := s.opened(sl, key, c, err); c != nil {
			c.run()
		}
	}()
}

func (s *server) connect(ctx context.Context, c *conn, key slotKey, who call.Caller) error {
	if s.spec.Transport == Stdio {
		select {
		case s.pool.starts <- struct{}{}:
			release := time.AfterFunc(startHold, func() { <-s.pool.starts })
			defer func() {
				if release.Stop() {
					<-s.pool.starts
				}
			}()
		case <-ctx.Done():
			return &wire.TransportError{Err: context.Cause(ctx)}
		}
	}
	prefer := key.era
	if prefer == 0 {
		prefer = who.Era
	}
	id := s.identity(key, who)
	var err error
	switch s.spec.Transport {
	case Stdio:
		dial := func() (wire.Link, error) { return s.launch(c) }
		c.link, c.hello, err = wire.ConnectStdio(ctx, dial, id, s.spec.Era, prefer, s.spec.ProbeTimeout)
	default:
		o := wire.HTTPClientOptions{URL: s.spec.URL, Header: s.spec.Header, Receiver: c, Identity: id, Log: s.log}
		c.link, c.hello, err = s.connectHTTP(ctx, o, prefer)
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	// A server that cannot be spoken to is one that cannot be reached: an error
	// it gave to our greeting is no answer to the caller's request.
	return &wire.TransportError{Err: errors.New(err.Error())}
}

// connectHTTP finds the era out and then speaks the preferred one, if the
// server speaks both.
func (s *server) connectHTTP(ctx context.Context, o wire.HTTPClientOptions, prefer wire.Era) (wire.Link, *wire.Hello, error) {
	sse := s.spec.Transport == SSE
	l, h, err := wire.ConnectHTTP(ctx, o, s.spec.Era, sse, s.spec.ProbeTimeout)
	if err != nil || s.spec.Era != 0 || prefer == 0 || h.Era == prefer || !h.Speaks(prefer) {
		return l, h, err
	}
	other, hello, err := wire.ConnectHTTP(ctx, o, prefer, sse, s.spec.ProbeTimeout)
	if err != nil {
		h.Versions = nil // it does not, whatever it says
		return l, h, nil
	}
	hello.Versions = h.Versions
	l.Close()
	return other, hello, nil
}

// launch starts a child and gives its pipes to a link.
func (s *server) launch(c *conn) (wire.Link, error) {
	p, err := s.pool.launcher.startProcess(&s.spec, func(line []byte) {
		s.log.Debug("stderr", "line", string(line))
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.stderr = p.stderr
	s.mu.Unlock()
	s.log.Debug("server started", "pid", p.cmd.Process.Pid)
	return wire.NewStdioLink(p.stdin, p.stdout, wire.StdioLinkOptions{
		Receiver: c,
		Explain:  p.explain,
		Close: func() error {
			p.stop(s.ended)
			return p.stdout.Close()
		},
	}), nil
}

// opened records how a start ended and returns the connection to run, nil if
// there is none.
func (s *server) opened(sl *slot, key slotKey, c *conn, err error) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(sl.ready)
	delete(s.slots, key)
	if err != nil {
		sl.err = err
		if s.anyConn() != nil {
			// It is spoken to in the other era: this one it only claims to speak.
			h := *s.hello
			h.Versions = nil
			s.hello = &h
			return nil
		}
		s.hello = nil // it may have changed: find out anew
		s.gate.failed(time.Now(), err.Error())
		s.setState(Failed)
		return nil
	}
	c.key = key
	c.key.era = c.hello.Era
	if other := s.slots[c.key]; other != nil && other.conn != nil {
		sl.conn = other.conn // another start was faster
		s.everyone.Go(func() { c.link.Close() })
		return nil
	}
	s.hello = c.hello
	s.slots[c.key] = sl
	sl.conn = c
	s.gate.retry = time.Time{}
	s.setState(Ready)
	return c
}

func (s *server) anyConn() *conn {
	for _, sl := range s.slots {
		if sl.conn != nil {
			return sl.conn
		}
	}
	return nil
}

// lost forgets a connection that ended. why is nil if we ended it ourselves.
func (s *server) lost(c *conn, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sl := s.slots[c.key]; sl != nil && sl.conn == c {
		delete(s.slots, c.key)
	}
	switch {
	case why == nil:
		if len(s.slots) == 0 {
			s.setState(Idle)
		}
	default:
		if c.answered.Load() {
			s.gate.reset() // it did work: the next start need not wait
		} else {
			s.gate.failed(time.Now(), why.Error())
		}
		s.gate.reason = why.Error()
		s.setState(Failed)
		s.log.Warn("server is gone", "error", why)
	}
}

// identity is who we are to a server. A connection of one agent says what that
// agent can do; one that all share says what we can pass on.
func (s *server) identity(key slotKey, who call.Caller) wire.Identity {
	id := wire.Identity{
		ClientInfo:   append(append([]byte(`{"name":"toolcrib","version":`), wire.Quote(or(s.pool.o.Version, "dev"))...), '}'),
		Capabilities: []byte(`{"sampling":{},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}`),
	}
	if (key.session != nil || key.lease > 0) && who.Capabilities.Raw != nil {
		id.Capabilities = who.Capabilities.Raw
	}
	return id
}
