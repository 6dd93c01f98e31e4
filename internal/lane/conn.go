package lane

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
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
