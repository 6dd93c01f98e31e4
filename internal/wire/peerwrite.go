package wire

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"
)

// What a peer writes: whole lines, one writer at a time, and none that waits for
// ever.

func (p *peer) tellCancelled(id ID, cause error) {
	ctx, cancel := context.WithTimeout(p.ctx, time.Second)
	defer cancel()
	params := append([]byte(`{"requestId":`), id...)
	params = append(params, `,"reason":`...)
	params = append(params, Quote(cause.Error())...)
	p.send(ctx, "", MethodCancelled, append(params, '}'))
}

// answer sends a response; there is nobody to tell when that fails.
func (p *peer) answer(id ID, result []byte, fault *Error) {
	member, body := `,"result":`, result
	switch {
	case fault != nil:
		member, body = `,"error":`, fault.JSON()
	case len(result) == 0:
		body = []byte("{}")
	}
	if id == "" {
		id = "null"
	}
	head := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), member...)
	p.write(p.ctx, head, body, []byte("}"))
}

func (p *peer) send(ctx context.Context, id ID, method string, params []byte) error {
	if params == nil {
		return p.write(ctx, AppendRequest(nil, id, method, nil), nil, nil)
	}
	head := make([]byte, 0, 96+len(method))
	head = append(head, `{"jsonrpc":"2.0",`...)
	if id != "" {
		head = append(head, `"id":`...)
		head = append(head, id...)
		head = append(head, ',')
	}
	head = append(head, `"method":`...)
	head = appendName(head, method)
	head = append(head, `,"params":`...)
	if len(params) < largeBody {
		return p.write(ctx, head, params, []byte("}"))
	}
	return p.sendLarge(ctx, id, method, head, params)
}

// sendLarge writes in a goroutine of its own: a large message goes out as fast
// as the other side reads, and whoever waits for its answer may give up before.
func (p *peer) sendLarge(ctx context.Context, id ID, method string, head, params []byte) error {
	sent := make(chan error)
	go func() {
		err := p.write(ctx, head, params, []byte("}"))
		select {
		case sent <- err:
		case <-ctx.Done():
			if err == nil && id != "" && method != MethodInitialize {
				p.tellCancelled(id, context.Cause(ctx))
			}
		}
	}()
	select {
	case err := <-sent:
		return err
	case <-ctx.Done():
		return &TransportError{Sent: true, Err: context.Cause(ctx)}
	}
}

// writeTimeout ends a peer that does not read what we write.
const writeTimeout = 30 * time.Second

// largeBody is what is written as it is, and not copied into a buffer first.
const largeBody = 32 << 10

var lineBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// write sends head+body+tail as one line. A body that holds line ends (legal
// between JSON tokens) loses them: they are the framing here.
func (p *peer) write(ctx context.Context, head, body, tail []byte) error {
	if bytes.IndexByte(body, '\n') >= 0 || bytes.IndexByte(body, '\r') >= 0 {
		body = withoutLineEnds(body)
	}
	select {
	case <-p.turn:
	case <-ctx.Done():
		return &TransportError{Err: context.Cause(ctx)}
	case <-p.ctx.Done():
		return &TransportError{Err: p.err()}
	}
	defer func() { p.turn <- struct{}{} }()
	if p.ctx.Err() != nil { // the turn and the end may have come together
		return &TransportError{Err: p.err()}
	}
	p.pushDeadline()
	var n int
	var err error
	if len(body) < largeBody {
		buf := lineBuffers.Get().(*[]byte)
		b := append(append(append(append((*buf)[:0], head...), body...), tail...), '\n')
		n, err = p.out.Write(b)
		*buf = b
		lineBuffers.Put(buf)
	} else {
		for _, part := range [][]byte{head, body, append(tail[:len(tail):len(tail)], '\n')} {
			var w int
			w, err = p.out.Write(part)
			n += w
			if err != nil {
				break
			}
		}
	}
	if err != nil {
		err = fmt.Errorf("could not be written to: %w", err)
		if p.explain != nil {
			err = p.explain(err)
		}
		p.stop(err) // half a line may be out: nothing can follow it
		return &TransportError{Sent: n > 0, Err: err}
	}
	return nil
}

// pushDeadline gives the next write its time. A deadline is moved only now and
// then: that costs more than a small write.
func (p *peer) pushDeadline() {
	d, ok := p.out.(interface{ SetWriteDeadline(time.Time) error })
	if !ok {
		return
	}
	if now := time.Now(); p.deadline.Sub(now) < writeTimeout {
		p.deadline = now.Add(2 * writeTimeout)
		d.SetWriteDeadline(p.deadline) // a file that cannot be waited for has none
	}
}

func withoutLineEnds(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return out
}
