package upstream

import (
	"context"
	"math/rand/v2"
	"time"

	"toolcrib/internal/wire"
)

// listenAgain is how long the pauses are before a stream of changes that ended
// is opened again; standWait is how long a new one may take to be acknowledged.
const (
	listenAgain    = time.Second
	listenAgainMax = 30 * time.Second
	standWait      = 10 * time.Second
)

// A listening is one subscription of a modern connection, to what legacy ones
// send unasked and to resources.
type listening struct {
	uris   []string
	cancel context.CancelFunc
	stands chan struct{} // closed when the server has acknowledged it
	over   chan struct{} // closed when it was refused or is not needed any more
	err    error         // why it was refused; set before over is closed
}

// listen subscribes a modern connection to its lists and to uris, in place of
// what it was subscribed to before. The old subscription ends when the new one
// stands, so that nothing falls between. It returns nil if there is nothing to
// subscribe to.
func (c *conn) listen(uris []string) *listening {
	params, any := c.listenParams(uris)
	var l *listening
	ctx, cancel := context.WithCancel(c.srv.ended)
	if any {
		l = &listening{uris: uris, cancel: cancel, stands: make(chan struct{}), over: make(chan struct{})}
	}
	c.mu.Lock()
	old := c.listening
	c.listening = l
	c.mu.Unlock()
	started := c.srv.background(func() {
		defer cancel()
		if old != nil {
			c.srv.everyone.Go(func() {
				l.settle(ctx)
				old.cancel()
			})
		}
		if l != nil {
			c.keepListening(ctx, l, params)
			close(l.over)
		}
	})
	if !started {
		cancel()
		return nil
	}
	return l
}

// settle waits until a subscription stands, is refused, or takes too long, and
// returns the refusal.
func (l *listening) settle(ctx context.Context) error {
	if l == nil {
		return nil
	}
	timer := time.NewTimer(standWait)
	defer timer.Stop()
	select {
	case <-l.stands:
	case <-l.over:
		return l.err
	case <-timer.C:
	case <-ctx.Done():
		return &wire.TransportError{Sent: true, Err: context.Cause(ctx)}
	}
	return nil
}

// stood tells whether the subscription was ever acknowledged.
func (l *listening) stood() bool {
	select {
	case <-l.stands:
		return true
	default:
		return false
	}
}

// keepListening opens the stream of a subscription again whenever it ends.
func (c *conn) keepListening(ctx context.Context, l *listening, params []byte) {
	pause := listenAgain
	for {
		began := time.Now()
		_, err := c.link.Call(ctx, &wire.Outgoing{Method: wire.MethodListen, Params: params, Related: l})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && isAnswer(err) && !l.stood():
			c.srv.log.Debug("server tells of no changes", "error", err)
			l.err = err
			return
		case err != nil:
			c.missed(err)
		}
		if time.Since(began) > listenAgainMax {
			pause = listenAgain
		}
		select {
		case <-ctx.Done():
			return
		case <-c.link.Done():
			return
		case <-time.After(pause + rand.N(pause/4)):
		}
		pause = min(2*pause, listenAgainMax)
	}
}

// acknowledged notes that a subscription stands. On pipes nothing tells which:
// it is the newest. One that stood before was broken off meanwhile, and what it
// missed is unknown.
func (c *conn) acknowledged(related any) {
	l, ok := related.(*listening)
	c.mu.Lock()
	if !ok {
		l = c.listening
	}
	if l == nil {
		c.mu.Unlock()
		return
	}
	again := l.stood()
	if !again {
		close(l.stands)
	}
	c.mu.Unlock()
	if c.reached() || again {
		c.announce(l.uris)
	}
}

func (c *conn) listenParams(uris []string) (params []byte, any bool) {
	filter := []byte{'{'}
	add := func(name string, value []byte) {
		if any {
			filter = append(filter, ',')
		}
		any = true
		filter = append(append(append(filter, wire.Quote(name)...), ':'), value...)
	}
	for _, list := range []string{"tools", "prompts", "resources"} {
		if c.offers(list) {
			add(list+"ListChanged", []byte("true"))
		}
	}
	if len(uris) > 0 {
		list := []byte{'['}
		for i, uri := range uris {
			if i > 0 {
				list = append(list, ',')
			}
			list = append(list, wire.Quote(uri)...)
		}
		add("resourceSubscriptions", append(list, ']'))
	}
	body := append(append([]byte(`{"notifications":`), append(filter, '}')...), '}')
	params, err := wire.ChangeMeta(body, c.introduction(nil)...)
	return params, any && err == nil
}
