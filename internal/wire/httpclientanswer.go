package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync/atomic"
	"time"
)

// An exchange is one request on its way to its answer.
type exchange struct {
	l       *HTTPLink
	out     *Outgoing
	id      ID
	caller  context.Context
	ctx     context.Context // may outlive the caller's, or end before it: see linger
	trail   trail
	alone   func() bool             // the caller's context no longer counts
	release func()                  // ends ctx
	late    atomic.Pointer[Message] // the response, if it came on another stream
	lingers bool                    // release is called later
}

func (x *exchange) run() ([]byte, error) {
	if x.l.era == Legacy {
		x.l.waiting.add(x)
		defer x.l.waiting.remove(x)
	}
	m, err := x.ask()
	if late := x.late.Load(); late != nil {
		m, err = *late, nil
	}
	if err != nil {
		return nil, x.failed(err)
	}
	return m.outcome()
}

// outcome is what a response says.
func (m Message) outcome() ([]byte, error) {
	if m.Fault != nil {
		return nil, m.Fault
	}
	return m.Result, nil
}

func (x *exchange) ask() (Message, error) {
	body := make([]byte, 0, len(x.out.Params)+len(x.out.Method)+64)
	body = AppendRequest(body, x.id, x.out.Method, x.out.Params)
	resp, err := x.l.send(x.ctx, &x.trail, func(ctx context.Context) *http.Request { return x.request(ctx, body) })
	if err != nil {
		return Message{}, err
	}
	if x.out.Method == MethodInitialize && x.l.era == Legacy {
		if s := resp.Header.Get(headerSession); s != "" && resp.StatusCode < 300 {
			x.l.session.Store(&[1]string{s})
		}
	}
	return x.answer(resp)
}

func (x *exchange) request(ctx context.Context, body []byte) *http.Request {
	req := x.l.request(ctx, http.MethodPost, body)
	if x.l.era != Modern {
		return req
	}
	req.Header[headerMethod] = methodHeader(x.out.Method)
	name := x.out.Name
	if member := namedMember(x.out.Method); name == "" && member != "" && x.out.Params != nil {
		name, _ = Text(Find(x.out.Params, member))
	}
	if name != "" {
		req.Header[headerName] = []string{encodeHeader(name)}
	}
	for _, h := range x.out.Headers {
		req.Header.Set(h[0], h[1])
	}
	return req
}

// failed is err as Call returns it. A legacy server is told when nobody waits
// any more; a modern one sees the stream close.
func (x *exchange) failed(err error) error {
	var transport *TransportError
	if errors.As(err, &transport) && !transport.Sent {
		return err // the server did not take it, whatever has happened since
	}
	if cause := x.givenUp(); cause != nil {
		if x.trail.sent && x.l.era == Legacy && x.out.Method != MethodInitialize {
			x.l.cancelled(x.id, cause)
		}
		return &TransportError{Sent: x.trail.sent, Err: cause}
	}
	var fault *Error
	if errors.As(err, &fault) || transport != nil {
		return err
	}
	return &TransportError{Sent: x.trail.sent, Err: err}
}

// givenUp says why nobody waits for the answer any more, nil if somebody does.
func (x *exchange) givenUp() error {
	if x.caller.Err() != nil {
		return context.Cause(x.caller)
	}
	return context.Cause(x.l.life)
}

// answer reads the response to the request out of an HTTP answer.
func (x *exchange) answer(resp *http.Response) (Message, error) {
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		defer discard(resp.Body)
		return Message{}, x.l.refusal(resp, x.id)
	}
	if resp.ContentLength == 0 {
		defer resp.Body.Close()
		return Message{}, fmt.Errorf("the server took the request (HTTP %d) and did not answer it", resp.StatusCode)
	}
	kind := resp.Header.Get("Content-Type")
	if kind != jsonType[0] {
		kind, _, _ = mime.ParseMediaType(kind)
	}
	switch kind {
	case "application/json", "":
		defer resp.Body.Close()
		body, err := readAll(resp.Body, resp.ContentLength, x.l.o.MaxMessage)
		if err != nil {
			return Message{}, fmt.Errorf("the answer broke off: %w", err)
		}
		m, ok, err := x.message(body)
		if err == nil && !ok {
			err = errors.New("the answer has another request's id")
		}
		return m, err
	case "text/event-stream":
		return x.stream(resp)
	}
	defer discard(resp.Body)
	return Message{}, fmt.Errorf("the answer is %q and not a message: check the path of the server's url", clip(kind))
}

// message takes one message off the request's own stream. ok says that it is
// the response; anything else is handed on.
func (x *exchange) message(b []byte) (m Message, ok bool, err error) {
	if m, err = Parse(b); err == nil {
		if m.Kind == Response && (m.ID == x.id || m.ID == "null") {
			return m, true, nil
		}
		x.l.dispatch(x.out.Related, m)
		return m, false, nil
	}
	if batch, e := Elements(b); e == nil && x.l.era == Legacy && len(batch) <= maxBatch {
		for _, b := range batch { // 2025-03-26 allowed them, though not in each other
			if b[0] == '[' {
				continue
			}
			if one, is, e := x.message(b); e == nil && is {
				m, ok = one, true
			}
		}
		return m, ok, nil
	}
	var bad *MalformedError
	ok = errors.As(err, &bad) && bad.Answer && bad.ID == x.id
	return m, ok, errors.New("the server sent a malformed message: " + err.Error())
}

// stream reads the request's own stream up to its response. A legacy server
// may end it before and go on when it is asked to.
func (x *exchange) stream(resp *http.Response) (Message, error) {
	at := &place{}
	for {
		m, ok, err := x.follow(resp.Body, at)
		if ok || x.ctx.Err() != nil {
			return m, err
		}
		if at.id == "" || x.l.era != Legacy || errors.Is(err, errTooLong) {
			return m, fmt.Errorf("the stream ended before the answer: %w", err)
		}
		if resp, err = x.resume(at); err != nil {
			return m, err
		}
	}
}

// A place is how far a stream was read.
type place struct {
	id       string
	retry    time.Duration
	failures int // in a row
}

// follow reads events until the response.
func (x *exchange) follow(body io.ReadCloser, at *place) (Message, bool, error) {
	r := newSSEReader(body, x.l.o.MaxMessage)
	for {
		e, err := r.next()
		if r.lastID != "" && r.lastID != at.id {
			at.id, at.failures = r.lastID, 0
		}
		if r.retry > 0 {
			at.retry = r.retry
		}
		if err != nil {
			r.release()
			body.Close()
			return Message{}, false, err
		}
		m, ok, err := x.message(e.data)
		if ok {
			x.linger(r, body)
			return m, true, err
		}
		if err != nil {
			x.l.log.Debug("a message on a request's stream was dropped", "error", err)
		}
	}
}

// lingerTimeout is how long a stream may stay open after its answer.
const lingerTimeout = time.Second

// linger waits, behind the caller's back, for the end that follows the answer:
// the connection can then be used again.
func (x *exchange) linger(r *sseReader, body io.ReadCloser) {
	x.alone()
	x.lingers = x.l.crew.start(func() {
		late := time.AfterFunc(lingerTimeout, x.release)
		for {
			if _, err := r.next(); err != nil {
				break
			}
		}
		late.Stop()
		r.release()
		body.Close()
		x.release()
	})
	if !x.lingers {
		body.Close()
	}
}
