package upstream

import (
	"context"
	"errors"
	"time"

	"toolcrib/internal/wire"
)

// A connection that has been quiet for healthEvery is asked for a sign of life,
// and replaced if there is none within healthWait.
const (
	healthEvery = 15 * time.Second
	healthWait  = 20 * time.Second
)

var errNoLife = errors.New("gave no sign of life")

// checkHealth asks a quiet connection that nobody is using. One that is used
// may be busy with what it was asked; its calls have deadlines of their own.
func (c *conn) checkHealth() {
	c.mu.Lock()
	busy := len(c.flights) > 0
	c.mu.Unlock()
	if busy || c.stateless() || time.Since(time.Unix(0, c.heard.Load())) < healthEvery {
		return
	}
	c.ask()
}

// suspect asks after a call that got no answer in time.
func (c *conn) suspect() {
	if !c.stateless() {
		c.srv.everyone.Go(c.ask)
	}
}

// stateless tells that there is nothing to keep alive: every request is a
// connection of its own.
func (c *conn) stateless() bool {
	return c.hello.Era == wire.Modern && c.srv.spec.Transport != Stdio
}

func (c *conn) ask() {
	before := c.heard.Load()
	ctx, cancel := context.WithTimeoutCause(c.srv.ended, healthWait, errNoLife)
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
	if err == nil || isAnswer(err) || c.srv.ended.Err() != nil {
		c.heard.Store(time.Now().UnixNano())
		return
	}
	if c.heard.Load() != before {
		return // it said something else meanwhile
	}
	c.srv.log.Warn("server gave no sign of life: replacing the connection", "waited", healthWait)
	c.srv.forget(c)
	c.link.Close()
}
