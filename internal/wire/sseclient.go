package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// An SSELink is a Link over the HTTP+SSE transport of 2024-11-05: everything
// the server says comes on one stream, everything it is told is posted to an
// address that the stream names first.
type SSELink struct {
	http *HTTPLink // posts, to endpoint

	mu      sync.Mutex
	pending map[uint64]chan Message
}

// DialSSE opens the stream and waits for the address to post to.
func DialSSE(ctx context.Context, o HTTPClientOptions) (*SSELink, error) {
	h, err := NewHTTPLink(o, Legacy)
	if err != nil {
		return nil, err
	}
	l := &SSELink{http: h, pending: map[uint64]chan Message{}}
	// The stream outlives ctx, which only limits how long opening it may take.
	opening, opened := context.WithCancelCause(h.life)
	unhook := context.AfterFunc(ctx, func() { opened(context.Cause(ctx)) })
	fail := func(err error) (*SSELink, error) {
		unhook()
		opened(err)
		h.Close()
		return nil, err
	}
	var t trail
	resp, err := h.openStream(opening, &t, "")
	if err != nil {
		return fail(&TransportError{Sent: t.sent, Err: err})
	}
	r := newSSEReader(resp.Body, h.o.MaxMessage)
	e, err := r.next()
	if err == nil && e.name != "endpoint" {
		err = errors.New("the stream does not begin with the address to post to")
	}
	if err == nil {
		err = l.postTo(string(e.data))
	}
	if err == nil && !unhook() {
		err = context.Cause(ctx)
	}
	if err != nil {
		resp.Body.Close()
		return fail(&TransportError{Sent: true, Err: err})
	}
	h.crew.start(func() {
		defer opened(nil)
		defer r.release()
		defer resp.Body.Close()
		l.read(r)
	})
	return l, nil
}

// postTo takes the address that the server names. Another host's would get
// what is meant for this one.
func (l *SSELink) postTo(address string) error {
	base := l.http.blank.URL
	to, err := base.Parse(address)
	if err != nil || to.Scheme != base.Scheme || to.Host != base.Host {
		return fmt.Errorf("the server wants messages posted to %q, which is not its own origin", clip(address))
	}
	l.http.blank.URL = to
	return nil
}

func (l *SSELink) read(r *sseReader) {
	for {
		e, err := r.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the server ended the stream")
			}
			l.http.stop(fmt.Errorf("the stream broke: %w", err))
			return
		}
		if e.name == "" {
			l.message(e.data)
		}
	}
}

func (l *SSELink) message(b []byte) {
	m, err := Parse(b)
	if err != nil {
		if batch, e := Elements(b); e == nil && len(batch) <= maxBatch {
			for _, b := range batch {
				if b[0] != '[' {
					l.message(b)
				}
			}
			return
		}
		var bad *MalformedError
		if !errors.As(err, &bad) || !bad.Answer {
			l.http.log.Debug("a message on the stream was dropped", "error", err)
			return
		}
		m = Message{Kind: Response, ID: bad.ID, Fault: Errorf(CodeInternal, "sent a malformed answer: %s", bad.Fault.Message)}
	}
	if m.Kind != Response {
		l.http.dispatch(nil, m)
		return
	}
	n, err := m.ID.number()
	if err != nil {
		return
	}
	l.mu.Lock()
	answer, ok := l.pending[n]
	delete(l.pending, n)
	l.mu.Unlock()
	if ok {
		answer <- m
	}
}

// Call posts a request and waits for its answer on the stream.
func (l *SSELink) Call(ctx context.Context, out *Outgoing) ([]byte, error) {
	if l.http.alive.Err() != nil {
		return nil, &TransportError{Err: l.Err()}
	}
	n := l.http.last.Add(1)
	answer := make(chan Message, 1)
	l.mu.Lock()
	l.pending[n] = answer
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.pending, n)
		l.mu.Unlock()
	}()
	id := numberID(n)
	err := l.http.post(ctx, "", AppendRequest(nil, id, out.Method, out.Params))
	if err == nil {
		select {
		case m := <-answer:
			return m.outcome()
		case <-ctx.Done():
			err = &TransportError{Sent: true, Err: context.Cause(ctx)}
		case <-l.Done():
			err = &TransportError{Sent: true, Err: l.Err()}
		}
	}
	select {
	case m := <-answer: // it came before the post failed, or with the end
		return m.outcome()
	default:
	}
	var t *TransportError
	if ctx.Err() != nil && errors.As(err, &t) && t.Sent && out.Method != MethodInitialize {
		l.http.cancelled(id, context.Cause(ctx))
	}
	return nil, err
}

// Notify posts a notification.
func (l *SSELink) Notify(ctx context.Context, method string, params []byte) error {
	if l.http.alive.Err() != nil {
		return &TransportError{Err: l.Err()}
	}
	return l.http.post(ctx, "", AppendRequest(nil, "", method, params))
}

// Done is closed when the stream broke: the session goes with it.
func (l *SSELink) Done() <-chan struct{} { return l.http.Done() }

// Err says why.
func (l *SSELink) Err() error { return l.http.Err() }

// Close ends the stream, and with it the session.
func (l *SSELink) Close() error { return l.http.Close() }

func (l *SSELink) agreed(version string) { l.http.agreed(version) }

func connectSSE(ctx context.Context, o HTTPClientOptions) (Link, *Hello, error) {
	l, err := DialSSE(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	h, err := Handshake(ctx, l, o.Identity)
	if err != nil {
		l.Close()
		return nil, nil, fmt.Errorf("initialize: %w", err)
	}
	return l, h, nil
}
