package mcptest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// httpSession is a legacy session over HTTP.
type httpSession struct {
	id       string
	session  *session
	requests int

	mu      sync.Mutex
	events  chan []byte // to the GET stream
	waiting map[string]chan message
	running map[string]context.CancelFunc
	sent    int
	ended   chan struct{}
}

// push sends a message to the GET stream. What nobody reads is dropped when the
// queue is full, so that a test cannot hang a server.
func (s *httpSession) push(line []byte) error {
	select {
	case s.events <- line:
		return nil
	default:
		return fmt.Errorf("nobody reads the stream of session %s", s.id)
	}
}

func (s *httpSession) ask(ctx context.Context, send func([]byte) error, method string, params any) (json.RawMessage, error) {
	reply := make(chan message, 1)
	s.mu.Lock()
	s.sent++
	id := fmt.Sprintf("server-%d", s.sent)
	key := string(encode(id))
	s.waiting[key] = reply
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.waiting, key)
		s.mu.Unlock()
	}()
	if err := send(requestLine(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.ended:
		return nil, fmt.Errorf("session %s has ended", s.id)
	case m := <-reply:
		if m.err != nil {
			return nil, fmt.Errorf("the client answered %s", m.err)
		}
		return m.result, nil
	}
}

func (h *HTTPServer) initialize(w http.ResponseWriter, m message) {
	s := &httpSession{
		id: rand.Text(), events: make(chan []byte, 1000), ended: make(chan struct{}),
		waiting: map[string]chan message{}, running: map[string]context.CancelFunc{},
	}
	if h.options.NoSession {
		s.id = ""
	}
	s.session = newSession(s.push)
	q, fault := h.rules.admit(s.session, m)
	if fault != nil {
		writeError(w, http.StatusBadRequest, m.id, fault)
		return
	}
	if s.id != "" {
		w.Header().Set("Mcp-Session-Id", s.id)
	}
	h.mu.Lock()
	h.sessions[s.id] = s
	h.mu.Unlock()
	h.answer(h.ctx, w, q, s)
	h.service.opened(s.session)
}

// find is the session of a request; where there is none the request is answered.
func (h *HTTPServer) find(w http.ResponseWriter, r *http.Request, id json.RawMessage) *httpSession {
	key := r.Header.Get("Mcp-Session-Id")
	h.mu.Lock()
	s := h.sessions[key]
	lost := false
	if s != nil && r.Method == http.MethodPost {
		s.requests++
		lost = h.options.SessionLife > 0 && s.requests > h.options.SessionLife
	}
	h.mu.Unlock()
	if lost {
		h.drop(s)
		s = nil
	}
	switch {
	case s != nil:
		return s
	case key == "":
		fault := h.rules.tooEarly("")
		writeError(w, http.StatusBadRequest, id, fault)
	default:
		writeError(w, http.StatusNotFound, id, rpcErrorf(-32001, "session not found"))
	}
	return nil
}

func (h *HTTPServer) drop(s *httpSession) {
	h.mu.Lock()
	known := h.sessions[s.id] == s
	delete(h.sessions, s.id)
	h.mu.Unlock()
	if known {
		close(s.ended)
		h.service.closed(s.session)
	}
}

// DropSessions makes the server forget all legacy sessions.
func (h *HTTPServer) DropSessions() {
	h.mu.Lock()
	var all []*httpSession
	for _, s := range h.sessions {
		all = append(all, s)
	}
	h.mu.Unlock()
	for _, s := range all {
		h.drop(s)
	}
}

// Sessions says how many legacy sessions there are.
func (h *HTTPServer) Sessions() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sessions)
}

func (h *HTTPServer) postLegacy(w http.ResponseWriter, r *http.Request, m message) {
	errorID := m.id
	if !m.isRequest() {
		errorID = json.RawMessage("null")
	}
	s := h.find(w, r, errorID)
	if s == nil {
		return
	}
	if got := r.Header.Get("MCP-Protocol-Version"); got != s.session.version && (got != "" || s.session.version >= "2025-06-18") {
		h.service.fault("%s with MCP-Protocol-Version %q in a session of %s", m.method, got, s.session.version)
	}
	switch {
	case m.isRequest():
		h.requestLegacy(w, s, m)
		return
	case m.method == "notifications/cancelled":
		h.cancelLegacy(s, m)
	case m.method == "":
		s.mu.Lock()
		reply := s.waiting[string(m.id)]
		delete(s.waiting, string(m.id))
		s.mu.Unlock()
		if reply == nil {
			h.service.fault("response to %s, which was not asked", m.id)
		} else {
			reply <- m
		}
	}
	w.WriteHeader(http.StatusAccepted)
}

func (h *HTTPServer) requestLegacy(w http.ResponseWriter, s *httpSession, m message) {
	q, fault := h.rules.admit(s.session, m)
	if fault != nil {
		writeError(w, http.StatusOK, m.id, fault)
		return
	}
	// A legacy client that goes away has not cancelled: only the notification does.
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	key := string(m.id)
	s.mu.Lock()
	s.running[key] = cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.running, key)
		s.mu.Unlock()
	}()
	h.answer(ctx, w, q, s)
}

func (h *HTTPServer) cancelLegacy(s *httpSession, m message) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(m.params, &p); err != nil {
		h.service.fault("cancelled: %v", err)
		return
	}
	s.mu.Lock()
	cancel := s.running[string(p.RequestID)]
	s.mu.Unlock()
	if cancel != nil {
		h.service.cancelled()
		cancel()
	}
}

// get is the stream for what belongs to no request.
func (h *HTTPServer) get(w http.ResponseWriter, r *http.Request) {
	if h.options.NoStream {
		http.Error(w, "no stream here", http.StatusMethodNotAllowed)
		return
	}
	s := h.find(w, r, json.RawMessage("null"))
	if s == nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush(w)
	for {
		select {
		case line := <-s.events:
			if writeEvent(w, line, h.options.Answers == AsJunk) != nil {
				return
			}
		case <-s.ended:
			return
		case <-r.Context().Done():
			return
		case <-h.ctx.Done():
			return
		}
	}
}

func (h *HTTPServer) delete(w http.ResponseWriter, r *http.Request) {
	if s := h.find(w, r, json.RawMessage("null")); s != nil {
		h.drop(s)
		w.WriteHeader(http.StatusNoContent)
	}
}
