package upstream

import (
	"context"
	"errors"
	"time"

	"toolcrib/internal/wire"
)

// A connection that has been quiet for HealthEvery is asked for a sign of life,
// and replaced if there is none within HealthWait. Together they find a server
// that hangs within 45 seconds.
const (
	defaultHealthEvery = 15 * time.Second
	defaultHealthWait  = 20 * time.Second
)

var errNoLife = errors.New("gave no sign of life: the connection was replaced")

// checkHealth asks a quiet connection that nobody is using. One that is used
// may be busy with what it was asked; its calls have deadlines of their own.
func (c *conn) checkHealth() {
	if c.busy() || time.Since(loaded)-time.Duration(c.heard.Load()) < c.srv.pool.o.HealthEvery {
		return
	}
	c.suspect()
}

// hears notes that the server said something. It is on the way of every call, and the
// time of day would take as long again to read.
func (c *conn) hears() { c.heard.Store(int64(time.Since(loaded))) }

var loaded = time.Now()

func (c *conn) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.flights) > 0
}

// suspect asks for a sign of life: also after a call that got no answer in time.
func (c *conn) suspect() {
	if c.stateless() || !c.asking.CompareAndSwap(false, true) {
		return
	}
	c.srv.background(func() {
		defer c.asking.Store(false)
		c.ask()
	})
}

// stateless tells that there is nothing to keep alive: every request is a
// connection of its own.
func (c *conn) stateless() bool {
	return c.hello.Era == wire.Modern && c.srv.spec.Transport != Stdio
}

func (c *conn) ask() {
	before := c.heard.Load()
	wait := c.srv.pool.o.HealthWait
	ctx, cancel := context.WithTimeoutCause(c.srv.ended, wait, errNoLife)
	defer cancel()
	out := &wire.Outgoing{Method: wire.MethodPing}
	if c.hello.Era == wire.Modern {
		params, err := wire.ChangeMeta(nil, c.introduction(nil)...)
		if err != nil {
			return
		}
		out = &wire.Outgoing{Method: wire.MethodDiscover, Params: params}
	}
	_, err := c.link.Call(ctx, out)
	switch {
	case err == nil || isAnswer(err) || errors.As(err, new(*wire.StatusError)):
		c.hears()
	case c.srv.ended.Err() != nil || c.dead() || c.heard.Load() != before:
		// It is being ended, broke by itself, or said something else meanwhile.
	case ctx.Err() != nil:
		c.srv.log.Warn("server gave no sign of life: replacing the connection", "waited", wait)
		c.close(errNoLife)
	case !c.busy(): // an HTTP server that is not to be reached
		c.close(err)
	}
}
