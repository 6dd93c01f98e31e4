package lane

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"toolcrib/internal/wire"
)

const (
	// firstBuffer is what is read into at first. A connection keeps it while it is idle.
	firstBuffer = 4 << 10
	// maxRequest is how long a usual request is, head and body.
	maxRequest = 64 << 10
)

// A conn is one connection, as long as what it sends is usual.
type conn struct {
	l      *Listener
	rwc    net.Conn
	ctx    context.Context // of its requests: ends when the agent is gone
	cancel context.CancelFunc
	like   *http.Request // what all requests have in common

	buf     []byte // what was read and is not yet answered
	used    int    // of buf, by the request that is being answered
	readBy  time.Time
	writeBy time.Time
	state   atomic.Int32
	out     response
	body    body

	alarm wire.Alarm // goes off when an answer takes long
	watch watch
}

// States of a connection: only an idle one can be ended by somebody else.
const (
	busy int32 = iota
	idle
	ended
)

func newConn(l *Listener, rwc net.Conn) *conn {
	c := &conn{l: l, rwc: rwc}
	c.ctx, c.cancel = context.WithCancel(l.base)
	like := http.Request{
		Method: http.MethodPost, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		URL: &url.URL{Path: l.o.Path}, RequestURI: l.o.Path, RemoteAddr: rwc.RemoteAddr().String(),
	}
	c.like = like.WithContext(c.ctx)
	c.out.c, c.out.header = c, http.Header{}
	return c
}

// serve answers requests until one is unusual, or the connection ends.
func (c *conn) serve() {
	handed := false
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			c.l.o.Log.Error("panic while answering", "panic", p, "stack", string(debug.Stack()))
		}
		c.l.slow.Stop(&c.alarm)
		c.cancel()
		if !handed {
			_ = c.rwc.Close()
		}
		c.l.leave(c)
	}()
	for c.more() {
		r, usual := c.request()
		if !usual {
			handed = c.handOver()
			return
		}
		if !c.answer(r) {
			return
		}
	}
}

// more waits for the beginning of a request.
func (c *conn) more() bool {
	if len(c.buf) > c.used { // it came with the one before
		c.buf = c.buf[:copy(c.buf, c.buf[c.used:])]
		c.used = 0
		return c.whole() || c.readOn()
	}
	c.used = 0
	if cap(c.buf) != firstBuffer {
		c.buf = make([]byte, 0, firstBuffer)
	}
	c.buf = c.buf[:0]
	now := time.Now()
	switch {
	case c.readBy.IsZero():
		c.readUntil(now.Add(firstWait))
	case c.readBy.Sub(now) < idleWait:
		c.readUntil(now.Add(idleWait + slack))
	}
	c.state.Store(idle)
	if c.l.ending() {
		return false
	}
	n, err := c.rwc.Read(c.buf[:cap(c.buf)])
	if !c.state.CompareAndSwap(idle, busy) {
		return false
	}
	c.buf = c.buf[:n]
	if n == cap(c.buf) && !c.whole() {
		return c.readOn()
	}
	return n > 0 || err == nil
}

// whole tells whether the head of a request has come.
func (c *conn) whole() bool { return bytes.Contains(c.buf, headEnd) }

// readOn reads what follows the first bytes of a request: its head is long, or began with
// the end of the one before. Whatever is wrong with it is for net/http to find.
func (c *conn) readOn() bool {
	c.readUntil(time.Now().Add(restWait))
	c.buf = slices.Grow(c.buf, firstBuffer)
	n, _ := c.rwc.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	return true
}

func (c *conn) readUntil(t time.Time) {
	c.readBy = t
	_ = c.rwc.SetReadDeadline(t)
}

// endIdle ends a connection on which nothing is being answered.
func (c *conn) endIdle() {
	if c.state.CompareAndSwap(idle, ended) {
		_ = c.rwc.SetReadDeadline(past)
	}
}

var past = time.Unix(1, 0)

// answer has a request answered, and tells whether there may be another.
func (c *conn) answer(r *http.Request) bool {
	c.watch.begin(c)
	c.l.o.Handler.ServeHTTP(&c.out, r)
	// Before the agent has its answer, and can send what comes next.
	early, gone := c.watch.end(c)
	c.buf = append(c.buf, early...)
	err := c.out.finish()
	return err == nil && !gone && !c.l.ending()
}
