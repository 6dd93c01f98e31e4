package lane

import (
	"bytes"
	"errors"
	"slices"
	"time"
)

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
