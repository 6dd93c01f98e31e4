package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
)

// httpStream is the answer to one POST: JSON, or a stream of events once
// something is sent before the answer.
type httpStream struct {
	w       http.ResponseWriter
	answers Answers
	session *httpSession // nil in the modern era

	mu       sync.Mutex
	started  bool
	finished bool
}

func (s *httpStream) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.startLocked()
}

func (s *httpStream) startLocked() {
	if s.started {
		return
	}
	s.started = true
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.w.Header().Set("Cache-Control", "no-cache")
	s.w.WriteHeader(http.StatusOK)
	flush(s.w)
}

func (s *httpStream) send(line []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finished {
		return errors.New("the answer was sent")
	}
	s.startLocked()
	return writeEvent(s.w, line, s.answers == AsJunk)
}

// writeEvent writes one message as an event, with junk around it if wanted.
func writeEvent(w http.ResponseWriter, line []byte, junk bool) error {
	event := "event: message\ndata: " + string(line) + "\n\n"
	if junk {
		// A space is legal between any two tokens, so the text may be split
		// after its first brace: lines of data are joined by newlines.
		event = ": a comment\n\nid: 7\n\nretry: 10\n\ndata\n\nevent: other\ndata: {\"not\":\"for you\"}\n\n" +
			"event:message\r\ndata:" + string(line[:1]) + "\r\ndata: " + string(line[1:]) + "\r\nunknown: field\r\n\r\n"
	}
	_, err := w.Write([]byte(event))
	flush(w)
	return err
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func (s *httpStream) notify(method string, params any) {
	line := notificationLine(method, params)
	if s.answers != AsJSON {
		_ = s.send(line)
	} else if s.session != nil {
		_ = s.session.push(line)
	}
}

func (s *httpStream) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if s.session == nil {
		return nil, errors.New("a modern client cannot be asked")
	}
	send := s.send
	if s.answers == AsJSON {
		send = s.session.push
	}
	return s.session.ask(ctx, send, method, params)
}

func (s *httpStream) finish(status int, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished = true
	switch {
	case s.started:
		_ = writeEvent(s.w, line, s.answers == AsJunk)
	case s.answers == AsHTML:
		s.w.Header().Set("Content-Type", "text/html")
		_, _ = s.w.Write([]byte("<html><body>" + strings.Repeat("Bad gateway ", 100) + "</body></html>"))
	case s.answers == AsEmpty:
		s.w.WriteHeader(http.StatusOK)
	default:
		writeJSON(s.w, status, line)
	}
}
