package mcptest

import (
	"bufio"
	"crypto/rand"
	"io"
	"net/http"
	"sync"
)

// The transport of 2024-11-05: a GET opens a stream whose first event names the
// address for POSTs; every answer comes on the stream.

func (h *HTTPServer) serveSSEOnly(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/mcp" && r.Method == http.MethodGet:
		h.note("GET", r.Header)
		h.sseStream(w, r)
	case r.URL.Path == "/messages" && r.Method == http.MethodPost:
		h.ssePost(w, r)
	default:
		drain(r.Body)
		http.Error(w, "GET this address for an event stream", http.StatusMethodNotAllowed)
	}
}

func (h *HTTPServer) sseStream(w http.ResponseWriter, r *http.Request) {
	id := rand.Text()
	in, toServer := io.Pipe()
	s := &httpSession{id: id, ended: make(chan struct{}), events: make(chan []byte, 1), session: newSession(nil)}
	feed := &sseFeed{to: toServer}
	h.mu.Lock()
	h.sessions[id] = s
	h.feeds[id] = feed
	h.mu.Unlock()
	defer func() {
		h.drop(s)
		h.mu.Lock()
		delete(h.feeds, id)
		h.mu.Unlock()
		toServer.Close()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write([]byte("event: endpoint\ndata: /messages?session=" + id + "\n\n"))
	flush(w)

	go func() { // ends the conversation below when either side goes
		select {
		case <-r.Context().Done():
		case <-s.ended:
		case <-h.ctx.Done():
		}
		toServer.Close()
	}()
	conversation := &streams{
		in: bufio.NewReader(in), closeIn: func() { in.Close() },
		out: &lineWriter{w: &eventWriter{w: w}}, errOut: io.Discard,
	}
	_ = conversation.converse(h.ctx, h.service, h.rules, hooks{})
	conversation.out.detach() // whoever still answers must not touch w any more
}

func (h *HTTPServer) ssePost(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if m, err := parseMessage(body); err == nil && m.method != "" {
		h.note(m.method, r.Header)
	}
	h.mu.Lock()
	feed := h.feeds[r.URL.Query().Get("session")]
	h.mu.Unlock()
	if feed == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	feed.line(body)
}

// sseFeed takes the bodies of POSTs, one at a time.
type sseFeed struct {
	mu sync.Mutex
	to io.Writer
}

func (f *sseFeed) line(b []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, _ = f.to.Write(append(b, '\n'))
}

// eventWriter makes each line that is written an event.
type eventWriter struct{ w http.ResponseWriter }

func (e *eventWriter) Write(line []byte) (int, error) {
	if err := writeEvent(e.w, line[:len(line)-1], false); err != nil {
		return 0, err
	}
	return len(line), nil
}
