package lane

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// When an agent hangs up, what it asked for is taken back.
func TestHangUp(t *testing.T) {
	asked, left := make(chan struct{}), make(chan struct{})
	r := start(t, func(_ http.ResponseWriter, q *http.Request) {
		close(asked)
		<-q.Context().Done()
		close(left)
	})
	c := r.dial()
	c.send(post("x"))
	<-asked
	c.Close()
	<-left
}

// One that has said all that it wants is answered all of it, also what it sent at once.
func TestLastWords(t *testing.T) {
	for _, path := range []string{"/mcp", ""} { // where it is "", net/http answers
		r := startAt(t, path, func(w http.ResponseWriter, q *http.Request) {
			echo(w, q)
			<-q.Context().Done() // the half that is closed looks like a hang-up
		})
		c := r.dial()
		c.send(post("one") + post("two"))
		_ = c.CloseWrite()
		for _, want := range []string{"one", "two"} {
			if _, got := c.answer(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		if !c.over() {
			t.Error("it goes on")
		}
	}
}

// One that sends the next request while it waits has not hung up, and gets both answers.
func TestImpatient(t *testing.T) {
	var n atomic.Int64
	asked := make(chan struct{})
	r := start(t, func(w http.ResponseWriter, q *http.Request) {
		if n.Add(1) == 1 {
			close(asked)
			c := w.(*response).c
			eventually(t, "the next request", func() bool {
				c.watch.mu.Lock()
				defer c.watch.mu.Unlock()
				return len(c.watch.early) > 0
			})
		}
		if q.Context().Err() != nil {
			t.Error("taken for gone")
		}
		echo(w, q)
	})
	c := r.dial()
	c.send(post("one"))
	<-asked
	c.send(post("two"))
	for _, want := range []string{"one", "two"} {
		if _, got := c.answer(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// After an answer that took long, the connection is as good as before.
func TestGoesOnAfterLong(t *testing.T) {
	r := start(t, func(w http.ResponseWriter, q *http.Request) {
		w.(*response).c.untilWatched(t)
		echo(w, q)
	})
	c := r.dial()
	for range 3 {
		c.send(post("x"))
		if _, got := c.answer(); got != "x" {
			t.Errorf("%q", got)
		}
	}
	if n := r.others.Load(); n != 0 {
		t.Errorf("net/http got %d", n)
	}
}

// What was needed for something large is not kept while nobody asks.
func TestIdleKeepsLittle(t *testing.T) {
	r := start(t, echo)
	for _, size := range []int{30 << 10, 60 << 10} { // one is held back until its length is known, one is not
		c := r.dial()
		c.send(post(strings.Repeat("x", size)))
		c.answer()
		mine := r.only()
		eventually(t, "an idle connection", func() bool { return mine.state.CompareAndSwap(idle, ended) }) // so that it is ours
		if kept := cap(mine.buf) + cap(mine.out.held) + cap(mine.out.head); kept > 4*firstBuffer {
			t.Errorf("%d bytes are kept after %d", kept, size)
		}
		if mine.body.rest != nil { // even an empty end of it keeps the whole
			t.Error("the body is kept")
		}
		c.Close()
		eventually(t, "an end", func() bool { return r.only() == nil })
	}
}

// only is the connection of the lane, if there is one.
func (r *rig) only() *conn {
	r.lane.mu.Lock()
	defer r.lane.mu.Unlock()
	for c := range r.lane.conns {
		return c
	}
	return nil
}

// Of a client that is gone before it is accepted, some systems do not know the address.
func TestNoAddress(t *testing.T) {
	r := startOn(t, unknown{loopback(t)}, "/mcp", echo)
	c := r.dial()
	c.send(post("x"))
	if _, got := c.answer(); got != "x" {
		t.Errorf("%q", got)
	}
}

// unknown is a listener whose connections come from nowhere.
type unknown struct{ net.Listener }

func (l unknown) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return unknownConn{c}, err
}

type unknownConn struct{ net.Conn }

func (unknownConn) RemoteAddr() net.Addr { return nil }

// An error of the socket is for net/http, which waits and goes on.
func TestAcceptError(t *testing.T) {
	var failed atomic.Bool
	r := startOn(t, faulty{loopback(t), &failed}, "/mcp", echo)
	for _, header := range []string{"X-A: 1", "Pragma: x"} { // which is not usual
		c := r.dial()
		c.send(post("x", header))
		if _, got := c.answer(); got != "x" || !failed.Load() {
			t.Errorf("%q", got)
		}
	}
}

// faulty is a listener that fails once.
type faulty struct {
	net.Listener
	failed *atomic.Bool
}

func (l faulty) Accept() (net.Conn, error) {
	if l.failed.CompareAndSwap(false, true) {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// Shutting down ends what is idle at once, and waits for the rest.
func TestShutdown(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	r := start(t, func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("X-Slow") != "" {
			close(asked)
			<-answer
		}
		echo(w, q)
	})
	idle, busy, silent, half := r.dial(), r.dial(), r.dial(), r.dial()
	idle.send(post("x"))
	idle.answer()
	half.send(post("x") + "POST /mcp")
	half.answer()
	busy.send(post("x", "X-Slow: 1"))
	<-asked
	eventually(t, "four connections", func() bool {
		r.lane.mu.Lock()
		defer r.lane.mu.Unlock()
		return len(r.lane.conns) == 4
	})
	if err := r.server.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = half.SetDeadline(time.Now().Add(restWait / 2)) // it is not waited for
	if !idle.over() || !silent.over() || !half.over() {
		t.Error("an idle connection is left")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.lane.Wait(ended); err != context.Canceled {
		t.Errorf("%v", err)
	}
	close(answer)
	if resp, text := busy.answer(); text != "x" || !resp.Close {
		t.Errorf("%q %v", text, resp.Header)
	}
	if err := r.lane.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if !busy.over() {
		t.Error("a connection goes on")
	}
}

// What is still being answered can be cut off.
func TestAbort(t *testing.T) {
	asked := make(chan struct{})
	r := start(t, func(_ http.ResponseWriter, q *http.Request) {
		close(asked)
		<-q.Context().Done()
	})
	c := r.dial()
	c.send(post("x"))
	<-asked
	r.lane.Abort()
	if err := r.lane.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	var none *Listener
	if err := none.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// untilWatched waits until somebody looks out for the agent to hang up.
func (c *conn) untilWatched(t *testing.T) {
	eventually(t, "a look at the agent", func() bool {
		c.watch.mu.Lock()
		defer c.watch.mu.Unlock()
		return c.watch.done != nil
	})
}
