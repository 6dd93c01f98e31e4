package upstream

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A conn is one connection to a server and what is under way on it.
type conn struct {
	srv     *server
	session *wire.Session // whose it is alone, nil if shared
	key     slotKey
	link    wire.Link
	hello   *wire.Hello

	answered atomic.Bool  // it did something for somebody
	heard    atomic.Int64 // when it last said anything, in Unix nanoseconds
	closing  atomic.Bool

	mu      sync.Mutex
	flights map[*flight]bool
	tokens  map[string]*flight // our progress tokens, as written
	last    uint64             // token given
	used    time.Time
	level   int // the log level it was told; 0 none
	watch   watch
}

// A flight is one request under way.
type flight struct {
	*call.Request
	token string // ours; "" if the caller wants no progress
}

func newConn(s *server, session *wire.Session) *conn {
	return &conn{srv: s, session: session, flights: map[*flight]bool{}, tokens: map[string]*flight{}, used: time.Now()}
}

// do sends a request and waits for its answer.
func (c *conn) do(ctx context.Context, r *call.Request) ([]byte, error) {
	f := c.begin(r)
	defer c.finish(f)
	params, err := c.hop(f)
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "%v", err)
	}
	if r.Caller.LogLevel != "" {
		c.raiseLevel(ctx, r.Caller.LogLevel)
	}
	out := &wire.Outgoing{Method: r.Method, Params: params, Related: f}
	result, err := c.send(ctx, out, r)
	if err == nil || isAnswer(err) {
		c.answered.Store(true)
	} else if ctx.Err() != nil {
		c.suspect()
	}
	if err == nil && r.Method == wire.MethodToolsList {
		return c.learn(r, result)
	}
	return result, err
}

// isAnswer tells whether err is something the server said.
func isAnswer(err error) bool {
	var broken *wire.TransportError
	return !errors.As(err, &broken)
}

func (c *conn) begin(r *call.Request) *flight {
	f := &flight{Request: r}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flights[f] = true
	if r.Caller.Progress != nil {
		c.last++
		f.token = tokenText(c.last)
		c.tokens[f.token] = f
	}
	return f
}

func (c *conn) finish(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, f)
	delete(c.tokens, f.token)
	c.used = time.Now()
}

// run looks after the connection until it ends.
func (c *conn) run() {
	c.listen()
	ticker := time.NewTicker(healthEvery)
	defer ticker.Stop()
	for {
		select {
		case <-c.link.Done():
			err := c.link.Err()
			c.link.Close()
			if c.closing.Load() {
				err = nil
			}
			c.srv.lost(c, err)
			return
		case <-c.sessionEnd():
			c.close(nil)
		case <-c.srv.ended.Done():
			c.close(nil)
		case <-ticker.C:
			if c.idle() {
				c.srv.log.Info("server is idle: stopping it", "after", c.srv.spec.IdleTimeout)
				c.close(nil)
				continue
			}
			c.checkHealth()
		}
	}
}

func (c *conn) sessionEnd() <-chan struct{} {
	if c.session == nil {
		return nil
	}
	return c.session.Context().Done()
}

// idle tells whether nobody has needed the connection for long enough. Nothing
// is saved by closing a connection without a process.
func (c *conn) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.srv.spec.Transport == Stdio && c.srv.spec.IdleTimeout > 0 && len(c.flights) == 0 &&
		len(c.watch.uris) == 0 && time.Since(c.used) > c.srv.spec.IdleTimeout
}

// close ends the connection; calls that are still under way fail.
func (c *conn) close(error) {
	c.closing.Store(true)
	c.srv.forget(c)
	c.link.Close()
}

// forget takes a connection out of service before it is closed, so that no new
// call finds it.
func (s *server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sl := s.slots[c.key]; sl != nil && sl.conn == c {
		delete(s.slots, c.key)
	}
}
