package wire

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// An agentExchange is one POST that is being answered. Its handler runs in the
// goroutine of the request; once there is something to say before the answer, a
// second goroutine follows the stream and is the only one that writes.
type agentExchange struct {
	s       *HTTPServer
	w       http.ResponseWriter
	r       *http.Request
	accept  accepts
	session *httpSession // nil in the modern era
	cancel  context.CancelCauseFunc
	settled func() bool // legacy: that the connection closes is of no interest any more
	in      Incoming    // modern: the request

	mu       sync.Mutex
	stream   *outStream // nil while the answer can still be one document
	finished bool
	followed chan struct{} // closed when the stream's first connection is over
	slow     Alarm         // goes off when the answer takes long
	grace    *time.Timer   // runs while a resumable stream has no reader
}

var (
	errAgentGone   = errors.New("the agent is gone")
	errCannotWrite = errors.New("the agent accepts no event stream on this request")
)

// watch turns the answer into a stream when it takes long, so that whatever is
// in between sees signs of life.
func (x *agentExchange) watch() {
	if x.accept.stream {
		x.s.slow.Set(&x.slow, x)
	}
}

// Ring is called when the answer has taken long.
func (x *agentExchange) Ring() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.begin()
}

// begin makes the answer a stream. The caller holds mu.
func (x *agentExchange) begin() *outStream {
	if x.stream != nil || x.finished || !x.accept.stream {
		return x.stream
	}
	x.s.slow.Stop(&x.slow)
	st := newOutStream("", false)
	if x.session != nil {
		st = x.session.newStream()
	}
	st.orphan = x.orphaned
	x.stream = st
	x.followed = make(chan struct{})
	rd := st.attach(false)
	go func() {
		defer close(x.followed)
		if err := x.s.follow(x.w, x.r, st, rd, 1, st.primed); err != nil {
			x.s.o.Log.Debug("stream to an agent broke off", "error", err)
		}
	}()
	return st
}

// send puts a message on the stream, which it begins if need be.
func (x *agentExchange) send(e outEvent) error {
	x.mu.Lock()
	st := x.begin()
	over := x.finished
	x.mu.Unlock()
	switch {
	case over:
		return errStreamOver
	case st == nil:
		return errCannotWrite
	}
	return st.append(e)
}

// Notify sends a notification that belongs to the request. To an agent that
// cannot take it before the answer it is not sent at all.
func (x *agentExchange) Notify(method string, params []byte) error {
	return x.send(outEvent{head: AppendRequest(nil, "", method, params)})
}

// Request asks a legacy agent.
func (x *agentExchange) Request(ctx context.Context, method string, params []byte) ([]byte, error) {
	if x.session == nil {
		return nil, ErrNoRequests
	}
	return x.session.ask(ctx, x, method, params)
}

// disconnected is told when the agent closed the connection of the request.
// If there is a stream, whoever follows it finds out itself.
func (x *agentExchange) disconnected() {
	x.mu.Lock()
	streaming := x.stream != nil
	x.mu.Unlock()
	if !streaming {
		x.cancel(errAgentGone)
	}
}

// orphaned is told when nobody reads the stream any more. Only an agent that
// knows an event's id can come back for the rest.
func (x *agentExchange) orphaned(started bool) {
	if x.session == nil || !started {
		x.cancel(errAgentGone)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.finished {
		return
	}
	if x.grace != nil {
		x.grace.Stop()
	}
	x.grace = time.AfterFunc(x.s.o.ResumeGrace, func() {
		if !x.stream.attached() {
			x.cancel(errAgentGone)
		}
	})
}

// finish sends the answers: as a document if there was nothing before them,
// which then is document, else as the last events of the stream.
func (x *agentExchange) finish(document func(), answers ...*answer) {
	x.s.slow.Stop(&x.slow)
	x.mu.Lock()
	if !x.accept.json {
		x.begin()
	}
	st := x.stream
	x.finished = true
	if x.grace != nil {
		x.grace.Stop()
	}
	x.mu.Unlock()
	if st == nil {
		document()
		return
	}
	events := make([]outEvent, len(answers))
	for i, a := range answers {
		events[i] = a.event()
	}
	st.end(events...)
	<-x.followed
	if x.session != nil {
		x.session.retire(st)
	} else if st.dropped > 0 {
		x.s.o.Log.Warn("messages dropped: an agent read too slowly", "count", st.dropped)
	}
}

// call runs the handler; whatever happens in it, the process goes on.
func (s *HTTPServer) call(ctx context.Context, in *Incoming) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error("panic while answering", "method", in.Method, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, Errorf(CodeInternal, "internal error while answering %s", in.Method)
		}
	}()
	return s.h.Serve(ctx, in)
}
