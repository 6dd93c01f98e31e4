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
	guessed bool      // hello's era was not found out but guessed
	born    time.Time // when it was connected
	gone    bool      // it was lost or closed; s.mu is held to see it
	why     error     // of gone, nil if we did not need it any more

	renews      atomic.Bool  // it comes after others that are gone, and nobody was told yet
	answered    atomic.Bool  // it did something for somebody
	unreachable atomic.Bool  // the last request did not even arrive
	asking      atomic.Bool  // for a sign of life
	heard       atomic.Int64 // when it last said anything: see hears

	mu        sync.Mutex
	flights   map[*flight]bool
	tokens    map[string]*flight // our progress tokens, as written
	last      uint64             // number and token given
	level     int                // the log level it was told; 0 none
	listening *listening         // modern: the newest
}

// A flight is one request under way.
type flight struct {
	*call.Request
	out     wire.Outgoing
	token   string // ours; "" if the caller wants no progress
	number  uint64 // later ones have higher ones
	waiting int    // for answers of its agent; guarded by conn.mu
}

func newConn(s *server, session *wire.Session) *conn {
	return &conn{srv: s, session: session, flights: map[*flight]bool{}, tokens: map[string]*flight{}}
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
	f.out = wire.Outgoing{Method: r.Method, Params: params, Related: f}
	result, err := c.send(ctx, &f.out, r)
	err = c.judge(ctx, err)
	if err == nil && r.Method == wire.MethodToolsList {
		return c.learn(r, result)
	}
	return result, err
}

// judge draws conclusions from how a request ended, and returns err as the
// caller should see it.
func (c *conn) judge(ctx context.Context, err error) error {
	if err == nil || isAnswer(err) {
		c.answered.Store(true)
		c.hears()
		if c.reached() {
			c.announce(nil)
		}
		return err
	}
	var broken *wire.TransportError
	errors.As(err, &broken)
	switch {
	case ctx.Err() != nil:
		c.suspect()
	case c.dead():
		c.srv.mu.Lock()
		defer c.srv.mu.Unlock()
		c.srv.lostLocked(c, c.link.Err()) // so that whoever looks now sees it
		if c.why != nil {                 // says more than that it was closed
			return &wire.TransportError{Sent: broken.Sent, Err: c.why}
		}
	case !broken.Sent:
		c.missed(err)
	}
	return err
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
	c.last++
	f.number = c.last
	if r.Caller.Progress != nil {
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
}

// run looks after the connection until it ends.
func (c *conn) run() {
	c.srv.background(c.settleIn)
	every := c.srv.pool.o.HealthEvery
	if idle := c.srv.spec.IdleTimeout; idle > 0 {
		every = min(every, idle)
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-c.link.Done():
			c.srv.lost(c, c.link.Err())
			c.link.Close()
			return
		case <-c.sessionEnd():
			c.close(nil)
		case <-c.srv.ended.Done():
			c.close(nil)
		case <-ticker.C:
			if c.srv.idle(c) {
				c.srv.log.Info("server is idle: stopping it", "after", c.srv.spec.IdleTimeout)
				c.link.Close()
				continue
			}
			c.checkHealth()
		}
	}
}

// dead tells whether the connection can carry nothing more.
func (c *conn) dead() bool {
	select {
	case <-c.link.Done():
		return true
	default:
		return false
	}
}

func (c *conn) sessionEnd() <-chan struct{} {
	if c.session == nil {
		return nil
	}
	return c.session.Context().Done()
}

// close takes the connection out of service and ends it; calls that are still
// under way fail. why is nil if it is not needed any more.
func (c *conn) close(why error) {
	c.srv.lost(c, why)
	c.link.Close()
}

// lost takes a connection out of service that ended or is about to be ended,
// so that no new call finds it. why is nil if we end it because we do not need
// it any more.
func (s *server) lost(c *conn, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lostLocked(c, why)
}

// lostLocked is lost for one who holds s.mu.
func (s *server) lostLocked(c *conn, why error) {
	if c.gone {
		return
	}
	c.gone, c.why = true, why
	if sl := s.slots[c.key]; sl != nil && sl.conn == c {
		delete(s.slots, c.key)
	}
	switch {
	case why == nil:
	case errors.Is(why, wire.ErrSessionLost):
		s.log.Info("session lost: a new one is opened when it is needed")
	default:
		s.broken, s.login = true, ""
		if c.answered.Load() {
			s.gate.reset() // it did work: the next start need not wait
			s.gate.reason = why.Error()
		} else {
			s.gate.failed(time.Now(), why.Error())
		}
		s.log.Warn("server is gone", "error", why)
	}
	s.updateState()
	if w := s.watchlists[c.session]; w != nil {
		w.bereave(c)
	}
}
