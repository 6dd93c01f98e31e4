package lane

import (
	"bytes"
	"context"
	"errors"
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
	// nextBuffer is what it grows to if a request does not fit.
	nextBuffer = 16 << 10
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
	at := context.WithValue(context.Background(), http.LocalAddrContextKey, rwc.LocalAddr())
	c.ctx, c.cancel = context.WithCancel(at)
	like := http.Request{
		Method: http.MethodPost, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		URL: &url.URL{Path: l.o.Path}, RequestURI: l.o.Path,
	}
	if from := rwc.RemoteAddr(); from != nil { // which it may be where the client was gone at once
		like.RemoteAddr = from.String()
	}
	c.like = like.WithContext(c.ctx)
	c.out.c, c.out.header = c, http.Header{}
	c.watch.c = c
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
	stray := min(c.used, maxStray) // there are none before the first request
	c.buf = c.buf[:copy(c.buf, c.buf[c.used:])]
	c.used = 0
	stray -= c.skip(stray)
	if len(c.buf) > 0 { // it came with the one before
		return c.whole() || c.readOn()
	}
	for len(c.buf) == 0 {
		if c.wait() != nil {
			return false
		}
		stray -= c.skip(stray)
	}
	return len(c.buf) < firstBuffer || c.whole() || c.readOn()
}

// maxStray is how many bytes of line ends may follow a body. Some clients send them, and
// net/http overlooks as many after a POST, of which it knows nothing when it is the lane
// that answered.
const maxStray = 4

func (c *conn) skip(most int) int {
	n := 0
	for n < min(most, len(c.buf)) && (c.buf[n] == '\r' || c.buf[n] == '\n') {
		n++
	}
	if n > 0 {
		c.buf = c.buf[:copy(c.buf, c.buf[n:])]
	}
	return n
}

// whole tells whether the head of a request has come.
func (c *conn) whole() bool { return bytes.Contains(c.buf, headEnd) }

// wait reads the first bytes of a request.
func (c *conn) wait() error {
	if cap(c.buf) != firstBuffer {
		c.buf = make([]byte, 0, firstBuffer)
	}
	now := time.Now()
	switch {
	case c.readBy.IsZero():
		c.readUntil(now.Add(firstWait))
	case c.readBy.Sub(now) < idleWait:
		c.readUntil(now.Add(idleWait + slack))
	}
	return c.read()
}

// readOn reads what follows the first bytes of a request: its head is long, or began with
// the end of the one before. Whatever is wrong with it is for net/http to find.
func (c *conn) readOn() bool {
	c.readUntil(time.Now().Add(restWait))
	c.buf = slices.Grow(c.buf, firstBuffer)
	return c.read() != errEnded
}

// read reads what there is room for. Meanwhile the connection can be ended: nobody waits
// for an answer before the head of its request has come.
func (c *conn) read() error {
	c.state.Store(idle)
	if c.l.ending() {
		return errEnded
	}
	n, err := c.rwc.Read(c.buf[len(c.buf):cap(c.buf)])
	if !c.state.CompareAndSwap(idle, busy) {
		return errEnded
	}
	c.buf = c.buf[:len(c.buf)+n]
	if n > 0 {
		return nil // what is wrong after it will be said again
	}
	return err
}

var errEnded = errors.New("the listener was closed")

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
	c.watch.begin()
	c.l.o.Handler.ServeHTTP(&c.out, r)
	c.body.rest = nil // what it was part of may be large
	// Before the agent has its answer, and can send what comes next.
	c.buf = append(c.buf, c.watch.end()...)
	return c.out.finish() == nil && !c.l.ending()
}
