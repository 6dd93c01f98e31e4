package upstream

import (
	"context"
	"errors"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// startHold is how long a start keeps others waiting: a server that does not
// answer must not hold up those that would.
const startHold = 5 * time.Second

// connect reaches a server as d says and fills c in.
func (s *server) connect(ctx context.Context, c *conn, d dialPlan) error {
	if s.spec.Transport != Stdio {
		return s.connectHTTP(ctx, c, d)
	}
	select {
	case s.pool.starts <- struct{}{}:
		release := time.AfterFunc(startHold, func() { <-s.pool.starts })
		defer func() {
			if release.Stop() {
				<-s.pool.starts
			}
		}()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return s.connectStdio(ctx, c, d)
}

func (s *server) connectStdio(ctx context.Context, c *conn, d dialPlan) (err error) {
	dial := func() (wire.Link, error) { return s.launch(c) }
	c.link, c.hello, err = wire.ConnectStdio(ctx, dial, d.identity, d.era, d.prefer, s.spec.ProbeTimeout)
	if err != nil && d.guess && answered(err) && ctx.Err() == nil {
		c.link, c.hello, err = wire.ConnectStdio(ctx, dial, d.identity, 0, d.prefer, s.spec.ProbeTimeout)
		d.guess = false
	}
	c.guessed = d.guess
	return err
}

// connectHTTP finds the era out and then speaks the preferred one, if the
// server speaks both.
func (s *server) connectHTTP(ctx context.Context, c *conn, d dialPlan) (err error) {
	o := wire.HTTPClientOptions{URL: s.spec.URL, Header: s.spec.Header, Receiver: c, Identity: d.identity, OAuth: s.oauth, Log: s.log}
	sse := s.spec.Transport == SSE
	c.link, c.hello, err = wire.ConnectHTTP(ctx, o, d.era, sse, s.spec.ProbeTimeout)
	if err != nil && d.era != s.spec.Era && answered(err) && ctx.Err() == nil {
		d.era = s.spec.Era // it is not what it was
		c.link, c.hello, err = wire.ConnectHTTP(ctx, o, d.era, sse, s.spec.ProbeTimeout)
	}
	if err != nil || d.era != 0 || d.prefer == 0 || c.hello.Era == d.prefer || !c.hello.Speaks(d.prefer) {
		return err
	}
	other, hello, err := wire.ConnectHTTP(ctx, o, d.prefer, sse, s.spec.ProbeTimeout)
	if err != nil {
		c.hello.Versions = nil // it does not, whatever it says
		return nil
	}
	c.link.Close()
	hello.Versions = c.hello.Versions
	c.link, c.hello = other, hello
	return nil
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
			if !p.stop(s.pool.hard) {
				s.log.Error("server's process does not end even when it is killed", "pid", p.cmd.Process.Pid)
			}
			return p.stdout.Close()
		},
	}), nil
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

// answered tells whether a server that could not be connected to said anything.
func answered(err error) bool {
	var broken *wire.TransportError
	return !errors.As(err, &broken) || errors.As(err, new(*wire.StatusError))
}
