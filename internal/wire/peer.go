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
	// maxAnswering bounds the requests of the other side that we work on, and
	// maxHeld the memory they take together.
	maxAnswering = 256
	maxHeld      = 64 << 20
	// maxRefusing bounds the requests that are being refused.
	maxRefusing = 64
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
	explain        func(error) error                      // says more about a stream that broke; may be nil

	mu        sync.Mutex
	last      uint64
	pending   map[uint64]chan Message
	answers   sync.Pool // of such channels, empty
	answering map[ID]context.CancelCauseFunc
	working   int // requests that are being answered, or whose answers wait to be written
	held      int // bytes of these
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
		answers:   sync.Pool{New: func() any { return make(chan Message, 1) }},
		answering: map[ID]context.CancelCauseFunc{},
		refusals:  make(chan struct{}, maxRefusing),
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
			p.tooLong(err)
			err = p.lines.skipLine()
			line = nil
		}
		if err != nil {
			return err
		}
		if p.ctx.Err() != nil {
			return p.err() // nobody is there any more to take it
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if p.lines.cut && !p.skipTooLong && CheckJSON(line) != nil {
			return errHalfLine // half an answer is none
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

var errHalfLine = errors.New("ended in the middle of a message")

// dispatchLine handles a line and tells whether it was of the protocol.
func (p *peer) dispatchLine(line []byte) bool {
	batch := batchOf(line)
	if batch == nil {
		return p.dispatchText(line)
	}
	known := false
	for _, b := range batch {
		known = p.dispatchText(b) || known
	}
	return known
}

// maxBatch bounds a batch of the one version that had them.
const maxBatch = 100

// batchOf are the messages of a batch, nil if line is none. 2025-03-26 allowed
// them; each message in one stands for itself.
func batchOf(line []byte) [][]byte {
	if i := skipSpace(line, 0); i == len(line) || line[i] != '[' {
		return nil
	}
	batch, err := Elements(line)
	if err != nil || len(batch) > maxBatch {
		return nil
	}
	return batch
}

func (p *peer) dispatchText(text []byte) bool {
	m, err := Parse(text)
	if err == nil {
		p.dispatch(m, len(text))
		return true
	}
	var bad *MalformedError
	errors.As(err, &bad)
	return p.malformed(text, bad)
}

// malformed ends the call that a malformed message answers, if it does.
func (p *peer) malformed(text []byte, bad *MalformedError) bool {
	if bad.Answer && bad.ID != "" && p.settle(bad.ID, Message{Kind: Response, ID: bad.ID, Fault: Errorf(CodeInternal, "sent a malformed answer: %s", bad.Fault.Message)}) {
		return true
	}
	p.onMalformed(text, bad)
	return false
}

// tooLong handles a line that is over the limit. Its beginning may tell which
// request it is, or which one it answers.
func (p *peer) tooLong(why error) {
	var bad *MalformedError
	if _, err := Parse(p.lines.beginning()); !errors.As(err, &bad) {
		bad = new(MalformedError)
	}
	bad.Fault = Errorf(CodeInvalidRequest, "%v", why)
	p.malformed(nil, bad)
}

// dispatch handles a message that has size bytes in all.
func (p *peer) dispatch(m Message, size int) {
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
		p.begin(m, size)
	}
}

// begin answers a request in a goroutine of its own.
func (p *peer) begin(m Message, size int) {
	ctx, cancel := context.WithCancelCause(p.ctx)
	p.mu.Lock()
	_, twice := p.answering[m.ID]
	full := p.working >= maxAnswering || p.held+size > maxHeld
	if !twice && !full {
		p.answering[m.ID] = cancel
		p.working++
		p.held += size
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
		p.refuse(m.ID, Errorf(CodeUpstreamBusy, "too many requests are being answered already (%d at most, of %d bytes together): wait for one of them", maxAnswering, maxHeld))
		return
	}
	work := func(context.Context) ([]byte, error) { return []byte("{}"), nil }
	if m.Method != MethodPing {
		work = p.onRequest(m)
	}
	go func() {
		defer func() {
			cancel(nil)
			p.mu.Lock()
			p.working--
			p.held -= size
			p.mu.Unlock()
			p.busy.Done()
		}()
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

// refuse answers in a goroutine of its own: a reader that waits for its own
// writer can deadlock with the other side. One that sends on and on and never
// reads has to wait all the same, until the write deadline ends it.
func (p *peer) refuse(id ID, fault *Error) {
	select {
	case p.refusals <- struct{}{}:
	case <-p.ctx.Done():
		return
	}
	p.busy.Go(func() {
		p.answer(id, nil, fault)
		<-p.refusals
	})
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
	ch := p.answers.Get().(chan Message)
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
		p.answers.Put(ch) // nobody else knows it by now
		return m.outcome()
	case <-ctx.Done():
		p.forget(n)
		if method != MethodInitialize {
			go p.tellCancelled(id, context.Cause(ctx)) // which may take as long as the other side likes
		}
		return nil, &TransportError{Sent: true, Err: context.Cause(ctx)}
	case <-p.ctx.Done():
		p.forget(n)
		select {
		case m := <-ch: // the answer was the last thing it said
			return m.outcome()
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
