package wire

import (
	"context"
)

// sessionBack reaches a legacy agent outside any request.
type sessionBack struct{ hs *httpSession }

// Notify sends on the session's own stream. While nobody reads that, a stream
// of a request that happens to be open serves, and else the message waits.
func (b sessionBack) Notify(method string, params []byte) error {
	hs, e := b.hs, outEvent{head: AppendRequest(nil, "", method, params)}
	if !hs.own.attached() {
		if x := hs.openExchange(true); x != nil && x.send(e) == nil {
			return nil
		}
	}
	return hs.own.append(e)
}

// Request asks the agent, and waits for a stream if there is none.
func (b sessionBack) Request(ctx context.Context, method string, params []byte) ([]byte, error) {
	return b.hs.ask(ctx, nil, method, params)
}

// ask sends a request to the agent, on x's stream if it has one, and waits for
// the answer, which comes in a POST of its own.
func (hs *httpSession) ask(ctx context.Context, x *agentExchange, method string, params []byte) ([]byte, error) {
	answers := make(chan Message, 1)
	hs.mu.Lock()
	hs.lastAsk++
	n := hs.lastAsk
	hs.asked[n] = answers
	hs.mu.Unlock()
	defer hs.forgetAsk(n)
	e := outEvent{head: AppendRequest(nil, numberID(n), method, params), ask: n}
	if err := hs.sendAsk(x, e); err != nil {
		return nil, &TransportError{Err: err}
	}
	select {
	case m := <-answers:
		if m.Fault != nil {
			return nil, m.Fault
		}
		return m.Result, nil
	case <-hs.Context().Done():
		return nil, &TransportError{Sent: true, Err: errSessionOver}
	case <-ctx.Done():
		cause := context.Cause(ctx)
		note := append(append([]byte(`{"requestId":`), numberID(n)...), `,"reason":`...)
		note = append(append(note, Quote(cause.Error())...), '}')
		hs.sendAsk(x, outEvent{head: AppendRequest(nil, "", MethodCancelled, note)})
		return nil, &TransportError{Sent: true, Err: cause}
	}
}

// sendAsk finds a way for a request of ours: the stream of the request it
// belongs to, the session's own, that of any other request, or it waits.
func (hs *httpSession) sendAsk(x *agentExchange, e outEvent) error {
	if x != nil && x.send(e) == nil {
		return nil
	}
	if !hs.own.attached() {
		if other := hs.openExchange(false); other != nil && other != x && other.send(e) == nil {
			return nil
		}
	}
	return hs.own.append(e)
}

// openExchange returns a POST that can carry a message, one that streams
// already if any does.
func (hs *httpSession) openExchange(onlyStreaming bool) *agentExchange {
	hs.mu.Lock()
	all := make([]*agentExchange, 0, len(hs.calls))
	for c := range hs.calls {
		all = append(all, c.x)
	}
	hs.mu.Unlock()
	var silent *agentExchange
	for _, x := range all {
		x.mu.Lock()
		streaming, able := x.stream != nil && x.stream.attached(), x.accept.stream && !x.finished
		x.mu.Unlock()
		switch {
		case able && streaming:
			return x
		case able:
			silent = x
		}
	}
	if onlyStreaming {
		return nil
	}
	return silent
}

func (hs *httpSession) forgetAsk(n uint64) {
	hs.mu.Lock()
	delete(hs.asked, n)
	hs.mu.Unlock()
}

// settle gives an answer of the agent to whoever asked.
func (hs *httpSession) settle(m Message) {
	var waiting chan Message
	if n, err := m.ID.number(); err == nil {
		hs.mu.Lock()
		waiting = hs.asked[n]
		delete(hs.asked, n)
		hs.mu.Unlock()
	}
	if waiting == nil {
		hs.s.o.Log.Debug("agent answered what was not asked, or not any more", "id", clip(string(m.ID)))
		return
	}
	waiting <- m
}

// lostAsk ends the wait for a question that was pushed out of a full stream.
func (hs *httpSession) lostAsk(n uint64) {
	hs.settle(Message{Kind: Response, ID: numberID(n), Fault: Errorf(CodeAgentRefused, "the agent does not read what it is sent")})
}
