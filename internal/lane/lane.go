// Package lane answers the requests that agents send nearly all the time, without what
// net/http does for requests of any kind.
//
// A Listener stands between the socket and an http.Server. Of every connection it looks
// at each request first:
//
//	                      ┌─ usual: a short POST to one path, all of it well-formed
//	socket ─► Listener ───┤         ─► the handler, on the goroutine of the connection
//	                      └─ anything else: the connection and every byte of it are
//	                                handed to the http.Server, for good
//
// It judges nothing. What it takes is a small and strict part of HTTP/1.1 of which there
// are no two readings, and of which net/http makes the same request; what it does not
// take, net/http answers or refuses as if it had been there from the first byte. So no
// request is read in one way here and in another there.
//
// What it saves is what net/http cannot know to be unnecessary: a goroutine for each
// request that waits for the agent to hang up, here begun only for answers that take long,
// and the contexts, readers, writers and deadlines that it makes anew each time. Figures
// are in docs/adr/0005-a-lane-for-usual-requests.md.
package lane

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"toolcrib/internal/wire"
)

// Options of a Listener. All but Log must be set.
type Options struct {
	Path string // of usual requests
	// Handler answers them. It must not change what it is given, nor keep it: the next
	// request of the connection gets the same. A request's context ends with the
	// connection, not with the answer. Of which type an answer is, the handler says:
	// nothing here guesses it, as net/http does.
	Handler http.Handler
	Log     *slog.Logger // nil discards
}

// Times that a connection is given. They are as long as net/http is told to wait, or
// longer by the slack: moving a deadline costs more than a small write, so it is moved
// only now and then.
const (
	firstWait = 10 * time.Second // for the first bytes of a connection
	restWait  = 10 * time.Second // for the rest of a request, before net/http waits for it
	idleWait  = 2 * time.Minute  // for the next request
	writeWait = 30 * time.Second // for one write, if the handler says nothing else
	slack     = time.Second
	longCall  = 50 * time.Millisecond // after which a hang-up is looked out for
)

// A Listener is a net.Listener for an http.Server: Accept returns connections that sent
// something unusual.
type Listener struct {
	net.Listener
	o    Options
	slow *wire.Alarms

	handed chan net.Conn
	broken chan error
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex
	conns   map[*conn]struct{}
	closing bool
	gone    sync.Cond // signalled when the last of conns is gone
}

// Listen answers usual requests on the connections of l.
func Listen(l net.Listener, o Options) *Listener {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	n := &Listener{
		Listener: l, o: o, slow: wire.NewAlarms(longCall),
		handed: make(chan net.Conn), broken: make(chan error), closed: make(chan struct{}),
		conns: map[*conn]struct{}{},
	}
	n.gone.L = &n.mu
	go n.accept()
	return n
}

// accept takes connections until the listener is closed. Errors are for the http.Server,
// which knows how long to wait.
func (n *Listener) accept() {
	for {
		rwc, err := n.Listener.Accept()
		if err != nil {
			select {
			case n.broken <- err:
				continue
			case <-n.closed:
				return
			}
		}
		if c := n.enter(rwc); c != nil {
			go c.serve()
		}
	}
}

// Accept returns the next connection that is not ours any more.
func (n *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-n.handed:
		return c, nil
	case err := <-n.broken:
		return nil, err
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close takes no more connections and ends those on which nothing is being answered. The
// others end with their answers: see Wait.
func (n *Listener) Close() error {
	err := n.Listener.Close()
	n.once.Do(func() { close(n.closed) })
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closing = true
	for c := range n.conns {
		c.endIdle()
	}
	return err
}

// Wait returns when all answers are given, or ctx ends. It is called after Close; on nil
// there is nothing to wait for.
func (n *Listener) Wait(ctx context.Context) error {
	if n == nil {
		return nil
	}
	defer context.AfterFunc(ctx, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.gone.Broadcast()
	})()
	n.mu.Lock()
	defer n.mu.Unlock()
	for len(n.conns) > 0 && ctx.Err() == nil {
		n.gone.Wait()
	}
	if len(n.conns) > 0 {
		return ctx.Err()
	}
	return nil
}

// Abort cuts off every connection.
func (n *Listener) Abort() {
	_ = n.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		c.cancel()
		_ = c.rwc.Close()
	}
}

func (n *Listener) enter(rwc net.Conn) *conn {
	c := newConn(n, rwc)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closing {
		_ = rwc.Close()
		return nil
	}
	n.conns[c] = struct{}{}
	return c
}

func (n *Listener) leave(c *conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.conns, c)
	if len(n.conns) == 0 {
		n.gone.Broadcast()
	}
}

// ending tells whether connections are to end with their answers.
func (n *Listener) ending() bool {
	select {
	case <-n.closed:
		return true
	default:
		return false
	}
}
