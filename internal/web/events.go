package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	heartbeat  = 15 * time.Second // how often something is sent at the least
	writeTime  = 10 * time.Second // how long a reader may take over one event
	retryAfter = 2 * time.Second  // when a browser comes back
)

// events sends what happens, as it does, until the caller or the gateway goes. A reader
// that takes nothing any more is cut off.
func (h *Handler) events(r *request) {
	var after uint64
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		n, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			h.fail(r.w, badRequest("Last-Event-ID", "this is no id of an event", "send the last one that came, or none"))
			return
		}
		after = n
	}
	if !h.enter() {
		r.w.Header().Set("Retry-After", "5")
		h.fail(r.w, &Problem{Status: http.StatusTooManyRequests, Code: CodeTooMany, Message: fmt.Sprintf("%d others follow the events already, or the gateway ends", maxStreams), Next: "try again later, or ask " + Root + "/activity now and then"})
		return
	}
	defer h.leave()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.draining, cancel)()
	feed := h.o.Source.Events(r.who, after)
	defer feed.Close()
	r.w.Header().Set("Content-Type", "text/event-stream")
	r.w.Header().Set("X-Accel-Buffering", "no")
	s := &stream{w: r.w, control: http.NewResponseController(r.w)}
	s.send(fmt.Appendf(nil, "retry: %d\n\n", retryAfter.Milliseconds()))
	for s.err == nil {
		one, done := context.WithTimeout(ctx, heartbeat)
		e, ok := feed.Next(one)
		waited := one.Err() != nil
		done()
		switch {
		case ok:
			s.event(e)
		case ctx.Err() != nil || !waited: // the caller has gone, or the gateway has
			return
		default:
			if _, _, p := h.admit(r.Request); p != nil {
				return // logged out, or the token is over
			}
			s.send([]byte(": still here\n\n"))
		}
	}
}

// enter counts a stream in, if there is room for it.
func (h *Handler) enter() bool {
	if h.draining.Err() != nil {
		return false
	}
	select {
	case h.streams <- struct{}{}:
		h.open.Add(1)
		return true
	default:
		return false
	}
}

func (h *Handler) leave() {
	<-h.streams
	h.open.Done()
}

// A stream is server-sent events on their way. After an error nothing is sent.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	err     error
}

func (s *stream) event(e Event) {
	data, err := encode(e.Data) // one line
	if err != nil {
		s.err = err
		return
	}
	var b []byte
	if e.ID > 0 {
		b = fmt.Appendf(b, "id: %d\n", e.ID)
	}
	b = fmt.Appendf(b, "event: %s\ndata: %s\n", e.Kind, data) // data ends its line itself
	s.send(b)
}

func (s *stream) send(b []byte) {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has one
	if _, s.err = s.w.Write(b); s.err == nil {
		s.err = s.control.Flush()
	}
}
