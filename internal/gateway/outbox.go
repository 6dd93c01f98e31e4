package gateway

import (
	"context"
	"sync"

	"toolcrib/internal/wire"
)

// An outbox sends notifications to an agent without ever holding up who has
// them: that is a server's reader, which other agents wait for as well. An
// agent that does not keep up loses the oldest ones.
type outbox struct {
	to wire.Back

	mu      sync.Mutex
	queue   []notice
	running chan struct{} // closed when the queue has been sent; nil if nothing is under way
}

type notice struct {
	method string
	params []byte
}

// maxQueue bounds what waits for one agent.
const maxQueue = 256

func newOutbox(to wire.Back) *outbox { return &outbox{to: to} }

// Notify queues a notification.
func (o *outbox) Notify(method string, params []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == maxQueue {
		o.queue = o.queue[:copy(o.queue, o.queue[1:])]
	}
	o.queue = append(o.queue, notice{method, params})
	o.start()
	return nil
}

// start sends what is queued, if there is a way. The caller holds mu.
func (o *outbox) start() {
	if o.running == nil && o.to != nil && len(o.queue) > 0 {
		o.running = make(chan struct{})
		go o.send()
	}
}

func (o *outbox) send() {
	for {
		o.mu.Lock()
		if len(o.queue) == 0 || o.to == nil {
			close(o.running)
			o.running = nil
			o.mu.Unlock()
			return
		}
		n := o.queue[0]
		o.queue = o.queue[1:]
		to := o.to
		o.mu.Unlock()
		to.Notify(n.method, n.params) // an agent that is gone needs no notice
	}
}

// flush waits until everything queued so far is on its way, so that an answer
// does not overtake what came before it.
func (o *outbox) flush(ctx context.Context) {
	o.mu.Lock()
	running := o.running
	o.mu.Unlock()
	if running == nil {
		return
	}
	select {
	case <-running:
	case <-ctx.Done():
	}
}

// Request asks the agent, after what was said before.
func (o *outbox) Request(ctx context.Context, method string, params []byte) ([]byte, error) {
	o.flush(ctx)
	to := o.back()
	if to == nil {
		return nil, wire.ErrNoRequests
	}
	return to.Request(ctx, method, params)
}

func (o *outbox) back() wire.Back {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to
}

// redirect sends what follows another way. With nil it waits for one.
func (o *outbox) redirect(to wire.Back) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = to
	o.start()
}
