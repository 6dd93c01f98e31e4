package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// maxNoise is how much a server may print that is no message, in a row.
	maxNoise = 64 << 10
	// maxAnswering bounds the requests of the other side that we work on.
	maxAnswering = 256
	// writeTimeout ends a peer that does not read what we write.
	writeTimeout = 30 * time.Second
)

// A peer is one end of a stream of lines that carries messages both ways: a
// child's pipes, or our own standard input and output.
type peer struct {
	lines *lineReader
	out   io.Writer
	turn  chan struct{} // holds a token while nobody writes
	// deadline of writes, between one and two writeTimeouts ahead; whoever has
	// the turn may change it.
	deadline time.Time

	// onRequest looks at a request, in the order they came, and returns what
	// answers it in a goroutine of its own. Once ctx has ended nobody waits.
	onRequest      func(m Message) func(ctx context.Context) ([]byte, error)
	onNotification func(m Message)
	onMalformed    func(line []byte, err *MalformedError) // neither an answer nor blank
	skipTooLong    bool                                   // go on after a line over the limit

	mu        sync.Mutex
	last      uint64
	pending   map[uint64]chan Message
	answering map[ID]context.CancelCauseFunc
	busy      sync.WaitGroup
	refusals  chan struct{}

	ctx  context.Context
	stop context.CancelCauseFunc
}

func newPeer(in io.Reader, out io.Writer, limit int) *peer {
	p := &peer{
		lines:     newLineReader(in, limit),
		out:       out,
		turn:      make(chan struct{}, 1),
		pending:   map[uint64]chan Message{},
		answering: map[ID]context.CancelCauseFunc{},
		refusals:  make(chan struct{}, 64),
	}
	p.turn <- struct{}{}
	p.ctx, p.stop = context.WithCancelCause(context.Background())
	return p
}

// err is why the peer can carry nothing more.
func (p *peer) err() error { return context.Cause(p.ctx) }

// read dispatches messages until the stream ends, and returns why it did.
func (p *peer) read() error {
	noise := 0
	for {
		line, err := p.lines.next()
		if errors.Is(err, errTooLong) && p.skipTooLong {
			p.onMalformed(nil, &MalformedError{Fault: Errorf(CodeInvalidRequest, "%v", err)})
			err = p.lines.skipLine()
			line = nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if p.dispatchLine(line) {
			noise = 0
			continue
		}
		if noise += len(line); noise > maxNoise && !p.skipTooLong {
			return fmt.Errorf("printed more than %d bytes on its standard output that are no messages; the last line began %q", maxNoise, clip(string(line)))
		}
	}
}

// dispatchLine handles a line and tells whether it was of the protocol.
func (p *peer) dispatchLine(line []byte) bool {
	m, err := Parse(line)
	if err == nil {
		p.dispatch(m)
		return true
	}
	if batch, e := Elements(line); e == nil && len(batch) > 0 && len(batch) <= maxBatch {
		// 2025-03-26 allowed batches; each message in one stands for itself.
		for _, b := range batch {
			p.dispatchLine(b)
		}
		return true
	}
	var bad *MalformedError
	errors.As(err, &bad)
	if bad.Answer && bad.ID != "" && p.settle(bad.ID, Message{Kind: Response, ID: bad.ID, Fault: Errorf(CodeInternal, "sent a malformed answer: %s", bad.Fault.Message)}) {
		return true
	}
	p.onMalformed(line, bad)
	return false
}

// maxBatch bounds a batch of the one version that had them.
const maxBatch = 100

func (p *peer) dispatch(m Message) {
	switch m.Kind {
	case Response:
		p.settle(m.ID, m)
	case Notification:
		if m.Method == MethodCancelled {
			p.cancelled(m.Params)
			return
		}
		p.onNotification(m)
	case Request:
		p.begin(m)
	}
}

// begin answers a request in a goroutine of its own.
func (p *peer) begin(m Message) {
	ctx, cancel := context.WithCancelCause(p.ctx)
	p.mu.Lock()
	_, twice := p.answering[m.ID]
	full := len(p.answering) >= maxAnswering
	if !twice && !full {
		p.answering[m.ID] = cancel
		p.busy.Add(1)
	}
	p.mu.Unlock()
	switch {
	case twice:
		cancel(nil)
		p.refuse(m.ID, Errorf(CodeInvalidRequest, "a request with the id %s is still being answered", clip(string(m.ID))))
		return
	case full:
		cancel(nil)
		p.refuse(m.ID, Errorf(CodeUpstreamBusy, "%d requests are being answered already: wait for one of them", maxAnswering))
		return
	}
	work := func(context.Context) ([]byte, error) { return []byte("{}"), nil }
	if m.Method != MethodPing {
		work = p.onRequest(m)
	}
	go func() {
		defer p.busy.Done()
		defer cancel(nil)
		result, err := work(ctx)
		// Free before it is answered: the next request may use the id again.
		p.mu.Lock()
		delete(p.answering, m.ID)
		p.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			// Taken back, or the other side is gone.
		case err != nil:
			p.answer(m.ID, nil, AsError(err))
		default:
			p.answer(m.ID, result, nil)
		}
	}()
}

// refuse answers without holding up the reader: one that waits for its own
// writer can deadlock with the other side. Refusals that the other side does
// not read are dropped.
func (p *peer) refuse(id ID, fault *Error) {
	select {
	case p.refusals <- struct{}{}:
		go func() {
			p.answer(id, nil, fault)
			<-p.refusals
		}()
	default:
	}
}

var errCancelled = errors.New("cancelled by the other side")

func (p *peer) cancelled(params []byte) {
	var o Object
	if params == nil || o.parse(params) != nil {
		return
	}
	p.mu.Lock()
	cancel := p.answering[ID(o.Get("requestId"))]
	p.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

// settle gives an answer to whoever waits for it.
func (p *peer) settle(id ID, m Message) bool {
	n, err := id.number()
	if err != nil {
		return false
	}
	p.mu.Lock()
	ch, ok := p.pending[n]
	delete(p.pending, n)
	p.mu.Unlock()
	if ok {
		ch <- m
	}
	return ok
}

// call sends a request and waits for its answer.
func (p *peer) call(ctx context.Context, method string, params []byte) ([]byte, error) {
	ch := make(chan Message, 1)
	p.mu.Lock()
	p.last++
	n := p.last
	p.pending[n] = ch
	p.mu.Unlock()
	id := numberID(n)
	if err := p.send(ctx, id, method, params); err != nil {
		p.forget(n)
		return nil, err
	}
	select {
	case m := <-ch:
		if m.Fault != nil {
			return nil, m.Fault
		}
		return m.Result, nil
	case <-ctx.Done():
		p.forget(n)
		if method != MethodInitialize {
			p.tellCancelled(id, context.Cause(ctx))
		}
		return nil, &TransportError{Sent: true, Err: context.Cause(ctx)}
	case <-p.ctx.Done():
		p.forget(n)
		select {
		case m := <-ch: // the answer was the last thing it said
			if m.Fault == nil {
				return m.Result, nil
			}
			return nil, m.Fault
		default:
		}
		return nil, &TransportError{Sent: true, Err: p.err()}
	}
}

func (p *peer) forget(n uint64) {
	p.mu.Lock()
	delete(p.pending, n)
	p.mu.Unlock()
}

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
	if fault != nil {
		p.write(p.ctx, AppendFault(nil, id, fault), nil, nil)
		return
	}
	head := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":`...)
	p.write(p.ctx, head, result, []byte("}"))
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
	return p.write(ctx, head, params, []byte("}"))
}

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
	p.pushDeadline()
	var n int
	var err error
	if len(body) < 32<<10 {
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
