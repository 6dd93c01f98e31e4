package wire

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limits of what one stream keeps for a reader that is slow or away.
const (
	maxKeptEvents = 256
	maxKeptBytes  = 1 << 20
)

// outEvent is one message on its way to an agent, in up to three pieces so
// that a large result is not copied.
type outEvent struct {
	head, body, tail []byte
	ask              uint64 // the request of ours that it carries, 0 if none
}

func (e *outEvent) size() int { return len(e.head) + len(e.body) + len(e.tail) }

// An outStream is a log of events, and a connection is a reader somewhere in
// it. The log of a stream that can be resumed keeps what was sent, within
// limits; the other kind forgets it at once. Appending never waits for a reader.
type outStream struct {
	name   string // "" if it cannot be resumed
	primed bool   // a first event without data tells the agent its place
	lost   func(ask uint64)
	orphan func(started bool) // told when the reader is gone before the end

	mu      sync.Mutex
	events  []outEvent // the events from first on
	first   uint64     // events are numbered from 1
	sent    uint64     // the last one written to a connection
	started bool       // some id is known to the agent
	size    int
	dropped int
	ended   bool
	reader  *streamReader
}

// A streamReader is a connection that follows a stream.
type streamReader struct {
	wake chan struct{} // something was appended
	gone chan struct{} // another connection took over
}

func newOutStream(name string, primed bool) *outStream {
	return &outStream{name: name, primed: primed, first: 1}
}

var errStreamOver = errors.New("the stream to the agent is over")

// append adds an event, pushing out old ones if there are too many.
func (st *outStream) append(e outEvent) error {
	st.mu.Lock()
	if st.ended {
		st.mu.Unlock()
		return errStreamOver
	}
	var lost []uint64
	for len(st.events) > 0 && (len(st.events) >= maxKeptEvents || st.size+e.size() > maxKeptBytes) {
		if old := st.pop(); old.ask != 0 {
			lost = append(lost, old.ask)
		}
	}
	st.push(e)
	st.mu.Unlock()
	for _, ask := range lost {
		st.lost(ask)
	}
	return nil
}

// end adds the last events, whatever their size, and closes the log.
func (st *outStream) end(last ...outEvent) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.ended {
		return
	}
	for _, e := range last {
		st.push(e)
	}
	st.ended = true
	st.wakeReader()
}

func (st *outStream) push(e outEvent) {
	st.events = append(st.events, e)
	st.size += e.size()
	st.wakeReader()
}

// pop forgets the oldest event and returns it if it was never sent.
func (st *outStream) pop() (unsent outEvent) {
	e := st.events[0]
	if st.first > st.sent {
		st.dropped++
		st.sent = st.first
		unsent = e
	}
	st.events[0] = outEvent{}
	st.events = st.events[1:]
	st.first++
	st.size -= e.size()
	return unsent
}

func (st *outStream) wakeReader() {
	if st.reader == nil {
		return
	}
	select {
	case st.reader.wake <- struct{}{}:
	default:
	}
}

// attach makes a connection the stream's reader. With takeOver one that is
// there already is sent away, else it stays and attach returns nil.
func (st *outStream) attach(takeOver bool) *streamReader {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.reader != nil {
		if !takeOver {
			return nil
		}
		close(st.reader.gone)
	}
	st.reader = &streamReader{wake: make(chan struct{}, 1), gone: make(chan struct{})}
	return st.reader
}

// detach ends a reader. If the stream goes on without one, orphan is told.
func (st *outStream) detach(rd *streamReader) {
	st.mu.Lock()
	left := st.reader == rd
	if left {
		st.reader = nil
	}
	tell := left && !st.delivered()
	started := st.started
	st.mu.Unlock()
	if tell && st.orphan != nil {
		st.orphan(started)
	}
}

func (st *outStream) attached() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.reader != nil
}

// delivered is true when the end was written. The caller holds mu.
func (st *outStream) delivered() bool {
	return st.ended && st.sent+1 >= st.first+uint64(len(st.events))
}

// seek returns the first event after the one the agent has seen.
func (st *outStream) seek(seen uint64) (next uint64, ok bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if seen >= st.first+uint64(len(st.events)) {
		return 0, false
	}
	return max(seen+1, st.first), true
}

// unsent is where a connection begins that knows of nothing.
func (st *outStream) unsent() uint64 {
	st.mu.Lock()
	defer st.mu.Unlock()
	return max(st.sent+1, st.first)
}

// take returns event n, or the next one that is left.
func (st *outStream) take(n uint64) (e outEvent, at uint64, ok, ended bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	n = max(n, st.first)
	if i := n - st.first; i < uint64(len(st.events)) {
		return st.events[i], n, true, false
	}
	return outEvent{}, n, false, st.ended
}

// wrote notes that event n went out.
func (st *outStream) wrote(n uint64) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.sent, st.started = max(st.sent, n), true
	if st.name == "" {
		for len(st.events) > 0 && st.first <= st.sent {
			st.pop()
		}
	}
}

func (st *outStream) eventID(n uint64) string {
	if st.name == "" {
		return ""
	}
	return st.name + "-" + strconv.FormatUint(n, 10)
}

// follow writes a stream's events from next on to a connection, until the
// stream's end, the connection's, or another end that the caller names.
func (s *HTTPServer) follow(w http.ResponseWriter, r *http.Request, st *outStream, rd *streamReader, next uint64, prime bool, until ...context.Context) error {
	defer st.detach(rd)
	h := w.Header()
	h["Content-Type"] = streamHeader
	h["Cache-Control"] = noCache
	h["X-Accel-Buffering"] = no
	out := pacedWriter{w: w, rc: *http.NewResponseController(w), timeout: s.o.WriteTimeout}
	out.begin()
	w.WriteHeader(http.StatusOK)
	if prime {
		if err := out.event(st.eventID(next-1), "1000", &outEvent{}); err != nil {
			return err
		}
		st.wrote(next - 1)
	}
	if err := out.rc.Flush(); err != nil {
		return err
	}
	stop, also := s.closing.Done(), (<-chan struct{})(nil)
	if len(until) > 0 {
		stop = until[0].Done()
	}
	if len(until) > 1 {
		also = until[1].Done()
	}
	silence := time.NewTimer(s.o.KeepAlive)
	defer silence.Stop()
	for {
		e, at, ok, ended := st.take(next)
		if ok {
			if err := out.event(st.eventID(at), "", &e); err != nil {
				return err
			}
			st.wrote(at)
			next = at + 1
			continue
		}
		if err := out.rc.Flush(); err != nil || ended {
			return err
		}
		silence.Reset(s.o.KeepAlive)
		select {
		case <-rd.wake:
		case <-silence.C:
			if err := out.comment("keep-alive"); err != nil {
				return err
			}
		case <-rd.gone:
			return nil
		case <-stop:
			return nil
		case <-also:
			return nil
		case <-r.Context().Done():
			return context.Cause(r.Context())
		}
	}
}
