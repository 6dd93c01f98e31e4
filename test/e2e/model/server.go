package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Server is both APIs on a loopback port. One agent has one: what it keeps is
// that agent's.
type Server struct {
	http http.Server
	addr string

	mu   sync.Mutex
	seen []Conversation
	odd  []string
}

// Start listens.
func Start() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("stand in for a model: %w", err)
	}
	s := &Server{addr: l.Addr().String()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", api(s, readMessages, writeMessages))
	mux.HandleFunc("POST /v1/responses", api(s, readResponses, writeResponses))
	mux.HandleFunc("/", s.other)
	s.http = http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// URL is where agents reach it, without a path.
func (s *Server) URL() string { return "http://" + s.addr }

// Close ends it.
func (s *Server) Close() error { return s.http.Close() }

// Seen are the conversations so far, one for each request, the longest last.
func (s *Server) Seen() []Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Conversation(nil), s.seen...)
}

// Odd are requests that were no conversation.
func (s *Server) Odd() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.odd...)
}

// maxBody is far more than an agent's whole context.
const maxBody = 16 << 20

// api serves one of the APIs: read understands a request, write answers it.
func api(s *Server, read func([]byte) (Conversation, error), write func(io.Writer, int, Move) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		var c Conversation
		if err == nil {
			c, err = read(body)
		}
		if err != nil {
			s.note(fmt.Sprintf("%s: %v", r.URL.Path, err))
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.seen = append(s.seen, c)
		n := len(s.seen)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		if err := write(w, n, Decide(c)); err != nil {
			s.note(fmt.Sprintf("%s: answer: %v", r.URL.Path, err))
		}
	}
}

// other is what an agent asks its provider besides: which models there are, how
// many tokens something has. An empty object is enough for all of it.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	s.note(r.Method + " " + r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"data":[],"models":[],"input_tokens":1}`)
}

func (s *Server) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.odd = append(s.odd, what)
}

// An event of a stream; its type is its name.
type event struct {
	name string
	data object
}

type object = map[string]any

// writeEvents stops at the first that cannot be written.
func writeEvents(w io.Writer, events ...event) error {
	for _, e := range events {
		e.data["type"] = e.name
		b, err := json.Marshal(e.data)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, b); err != nil {
			return err
		}
	}
	return nil
}
