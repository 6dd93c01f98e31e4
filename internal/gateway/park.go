package gateway

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// A park is a call of a modern agent at a legacy server that asked something in
// the middle of it. The agent gets the question as the result of its request;
// the call waits here until the agent comes back with the answer.
type park struct {
	handle string
	out    *outbox
	cancel context.CancelCauseFunc
	done   chan outcome   // one slot
	asked  chan *question // unbuffered: taken by whoever answers the agent

	mu       sync.Mutex
	open     map[string]*question // put to the agent, not answered yet
	n        int
	resumed  bool
	progress []byte // the token of the request that waits now, once it was resumed
}

type outcome struct {
	result []byte
	err    error
}

type question struct {
	method string
	params []byte
	answer chan []byte // one slot
}

// parkLife is how long a parked call waits for its agent.
const (
	parkLife = 5 * time.Minute
	maxParks = 1024
)

type parks struct {
	mu  sync.Mutex
	all map[string]*park
}

func newParks() *parks { return &parks{all: map[string]*park{}} }

func (p *parks) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.all {
		one.cancel(errors.New("the gateway is shutting down"))
	}
}

func (p *parks) put(one *park) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) >= maxParks {
		return false
	}
	p.all[one.handle] = one
	return true
}

// take removes a park, so that only one request can go on with it.
func (p *parks) take(handle string) *park {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.all[handle]
	delete(p.all, handle)
	return one
}

// relayModern does a call for a modern agent. It runs beside the request, which
// may have to be answered before the call has ended.
func (g *Gateway) relayModern(ctx context.Context, in *wire.Incoming, r *call.Request, out *outbox) ([]byte, error) {
	handle, err := g.unseal(r)
	if err != nil {
		return nil, err
	}
	if handle != "" {
		return g.resume(ctx, in, r, handle)
	}
	caps := r.Caller.Capabilities
	if !caps.Elicitation && !caps.Sampling && !caps.Roots {
		result, err := g.o.Call(ctx, r) // it cannot be asked anything
		return g.called(r, result, err)
	}
	p := &park{out: out, done: make(chan outcome, 1), asked: make(chan *question), open: map[string]*question{}}
	var callCtx context.Context
	callCtx, p.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	req := *r
	req.Back = parkBack{p}
	g.work.Go(func() {
		result, err := g.o.Call(callCtx, &req)
		result, err = g.called(&req, result, err)
		p.done <- outcome{result, err}
	})
	return g.await(ctx, r, p)
}

// called seals what a modern server asked, and turns the one legacy error that
// asks for input into a result.
func (g *Gateway) called(r *call.Request, result []byte, err error) ([]byte, error) {
	if err == nil {
		return g.seal(r, result), nil
	}
	var e *wire.Error
	if errors.As(err, &e) && e.Code == wire.CodeURLElicitation {
		if result := urlElicitation(e); result != nil {
			return result, nil
		}
	}
	return nil, err
}

// await answers the agent with the call's end or with its next question.
func (g *Gateway) await(ctx context.Context, r *call.Request, p *park) ([]byte, error) {
	select {
	case o := <-p.done:
		p.cancel(nil)
		p.out.flush(ctx)
		return o.result, o.err
	case <-ctx.Done():
		p.cancel(context.Cause(ctx))
		return nil, context.Cause(ctx)
	case q := <-p.asked:
		p.gather(q)
		return g.leave(r, p)
	}
}

// together is how long a question waits for others: what a server asks at once
// the agent should get at once.
const together = 20 * time.Millisecond

func (p *park) gather(q *question) {
	enough := time.After(together)
	for {
		p.mu.Lock()
		p.n++
		p.open["ask-"+strconv.Itoa(p.n)] = q
		p.mu.Unlock()
		select {
		case q = <-p.asked:
		case <-enough:
			return
		}
	}
}

// leave parks the call and returns its open questions.
func (g *Gateway) leave(r *call.Request, p *park) ([]byte, error) {
	p.out.flush(g.ending)
	p.out.redirect(nil) // what comes now is for the agent's next request
	p.handle = newHandle()
	if !g.parks.put(p) {
		err := wire.Errorf(wire.CodeUpstreamBusy, "%d calls are waiting for an answer of their agents already", maxParks)
		p.cancel(err)
		return nil, err
	}
	handle := p.handle
	time.AfterFunc(parkLife, func() {
		if late := g.parks.take(handle); late != nil {
			late.cancel(errors.New("the agent did not come back with an answer in time"))
		}
	})
	sealed := g.o.Sealer.Seal([]byte("#"+handle), purpose(r), time.Now().Add(parkLife))
	out := []byte(`{"resultType":"input_required","inputRequests":{`)
	p.mu.Lock()
	defer p.mu.Unlock()
	first := true
	for id, q := range p.open {
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(append(out, wire.Quote(id)...), `:{"method":`...)
		out = append(out, wire.Quote(q.method)...)
		out = append(append(out, `,"params":`...), or(q.params, []byte("{}"))...) // there are agents that insist
		out = append(out, '}')
	}
	out = append(append(out, `},"requestState":`...), wire.Quote(sealed)...)
	return append(out, '}'), nil
}

// resume goes on with a parked call.
func (g *Gateway) resume(ctx context.Context, in *wire.Incoming, r *call.Request, handle string) ([]byte, error) {
	o, err := wire.ParseObject(r.Params)
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	answers, err := wire.ParseObject(or(o.Get("inputResponses"), []byte("{}")))
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "inputResponses: %v", err)
	}
	p := g.parks.take(handle)
	if p == nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "requestState: the call it belongs to has ended; make the call again without it")
	}
	p.mu.Lock()
	p.resumed, p.progress = true, in.Meta.ProgressToken
	p.mu.Unlock()
	p.out.redirect(in.Back)
	p.mu.Lock()
	for id, q := range p.open {
		if a := answers.Get(id); a != nil {
			q.answer <- a
			delete(p.open, id)
		}
	}
	missing := len(p.open) > 0
	p.mu.Unlock()
	if missing {
		return g.leave(r, p) // ask again for what was not answered
	}
	return g.await(ctx, r, p)
}

func newHandle() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// parkBack is the way back of a call that may be parked.
type parkBack struct{ p *park }

// Notify sends progress under the token of the request that waits now: the one
// that began the call was answered with a question.
func (b parkBack) Notify(method string, params []byte) error {
	b.p.mu.Lock()
	resumed, token := b.p.resumed, b.p.progress
	b.p.mu.Unlock()
	if method == wire.MethodProgress && resumed {
		if token == nil {
			return nil // this one wants none
		}
		if o, err := wire.ParseObject(params); err == nil {
			params = o.With(wire.Change{Name: "progressToken", Value: token})
		}
	}
	return b.p.out.Notify(method, params)
}

// Request waits until the agent can be given the question, and then for its answer.
func (b parkBack) Request(ctx context.Context, method string, params []byte) ([]byte, error) {
	q := &question{method: method, params: params, answer: make(chan []byte, 1)}
	select {
	case b.p.asked <- q:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case a := <-q.answer:
		return a, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// urlElicitation turns the error with which a 2025-11-25 server asks to visit
// URLs first into the modern result that says the same. nil if it cannot be read.
func urlElicitation(e *wire.Error) []byte {
	data, err := wire.ParseObject(e.Data)
	if err != nil {
		return nil
	}
	list, err := wire.Elements(data.Get("elicitations"))
	if err != nil || len(list) == 0 {
		return nil
	}
	out := []byte(`{"resultType":"input_required","inputRequests":{`)
	for i, params := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, wire.Quote("url-"+strconv.Itoa(i+1))...), `:{"method":"elicitation/create","params":`...)
		out = append(append(out, params...), '}')
	}
	return append(out, `}}`...)
}
