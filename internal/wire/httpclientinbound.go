package wire

import (
	"context"
	"sync"
	"time"
)

// inbound answers what a legacy server asks over HTTP.
type inbound struct {
	receiver  Receiver
	mu        sync.Mutex
	answering map[ID]context.CancelCauseFunc
}

// begin answers a request of the server in a goroutine of its own. reply sends
// the answer.
func (in *inbound) begin(parent context.Context, c *crew, related any, m Message, reply func(message []byte)) {
	ctx, cancel := context.WithCancelCause(parent)
	if !in.admit(m.ID, cancel) {
		cancel(nil) // no answer: a server that floods us would make us flood it
		return
	}
	started := c.start(func() {
		defer in.end(m.ID)
		if m.Method == MethodPing {
			reply(AppendResult(nil, m.ID, []byte("{}")))
			return
		}
		result, err := in.receiver.Request(ctx, related, m.Method, m.Params)
		switch {
		case ctx.Err() != nil: // nobody waits for it
		case err != nil:
			reply(AppendFault(nil, m.ID, AsError(err)))
		default:
			reply(AppendResult(nil, m.ID, result))
		}
	})
	if !started {
		in.end(m.ID)
	}
}

// admit takes a request up, unless it is there already or there are too many.
func (in *inbound) admit(id ID, cancel context.CancelCauseFunc) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.answering == nil {
		in.answering = map[ID]context.CancelCauseFunc{}
	}
	if _, twice := in.answering[id]; twice || len(in.answering) >= maxAnswering {
		return false
	}
	in.answering[id] = cancel
	return true
}

func (in *inbound) end(id ID) {
	in.mu.Lock()
	cancel := in.answering[id]
	delete(in.answering, id)
	in.mu.Unlock()
	cancel(nil)
}

// cancelled ends a request that the server took back.
func (in *inbound) cancelled(params []byte) {
	id, err := lookup(params, "requestId")
	if err != nil || id == nil {
		return
	}
	in.mu.Lock()
	cancel := in.answering[ID(id)]
	in.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

// dispatch takes what a server says on its own account.
func (l *HTTPLink) dispatch(related any, m Message) {
	switch {
	case m.Kind == Notification && m.Method == MethodCancelled:
		l.inbound.cancelled(m.Params)
	case m.Kind == Notification:
		l.inbound.receiver.Notification(related, m.Method, m.Params)
	case m.Kind == Request && l.era == Legacy:
		l.inbound.begin(l.alive, &l.crew, related, m, func(message []byte) {
			if err := l.post(l.alive, "", message); err != nil {
				l.log.Debug("an answer to the server was lost", "method", m.Method, "error", err)
			}
		})
	case m.Kind == Response && l.waiting.settle(m):
	default:
		l.log.Debug("the server sent what it may not send", "method", m.Method)
	}
}

// waiting are the requests whose response may come on another stream: some
// legacy servers send it on whichever is open.
type waiting struct {
	mu sync.Mutex
	by map[ID]*exchange
}

func (w *waiting) add(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.by == nil {
		w.by = map[ID]*exchange{}
	}
	w.by[x.id] = x
}

func (w *waiting) remove(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.by, x.id)
}

// settle gives a response to the request that waits for it.
func (w *waiting) settle(m Message) bool {
	w.mu.Lock()
	x := w.by[m.ID]
	w.mu.Unlock()
	if x == nil {
		return false
	}
	x.late.Store(&m)
	x.release()
	return true
}

// cancelTimeout is how long the news that nobody waits may take.
const cancelTimeout = 5 * time.Second

// cancelled tells a legacy server that nobody waits for an answer any more.
func (l *HTTPLink) cancelled(id ID, cause error) {
	if l.alive.Err() != nil {
		return
	}
	l.crew.start(func() {
		ctx, cancel := context.WithTimeout(l.alive, cancelTimeout)
		defer cancel()
		params := append(append([]byte(`{"requestId":`), id...), `,"reason":`...)
		params = append(append(params, Quote(cause.Error())...), '}')
		l.post(ctx, MethodCancelled, AppendRequest(nil, "", MethodCancelled, params))
	})
}

// A crew is the goroutines of a link: none starts once they are waited for.
type crew struct {
	mu     sync.Mutex
	closed bool
	group  sync.WaitGroup
}

func (c *crew) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.group.Go(f)
	}
	return !c.closed
}

func (c *crew) wait() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.group.Wait()
}
