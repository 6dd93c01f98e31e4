// Package model stands in for the language model behind a real agent, so that
// the whole agent can be run where no model is.
//
//	Claude Code ──► POST /v1/messages  ─┐
//	                                    ├─► Conversation ──► Decide ──► Move
//	Codex       ──► POST /v1/responses ─┘
//
// Both APIs are read into a Conversation, and what Decide makes of it is written
// back as the stream of events that the agent waits for. Decide is a function of
// the conversation alone. It knows nothing of any server: what it does follows
// from the user's task, the tools that the agent offers, and the answers to the
// calls so far. Every conversation is kept for whoever wants to see what a model
// would have seen.
package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Tool is one that the agent offers.
type Tool struct {
	Space  string // Codex groups a server's tools; Claude Code writes the server into the name
	Name   string
	About  string
	Schema json.RawMessage
	Raw    json.RawMessage // all of it, as the model reads it
}

// Server is the name of the server that a tool belongs to, "" for the agent's own
// tools.
func (t Tool) Server() string {
	if t.Space != "" {
		name, _ := strings.CutPrefix(t.Space, agentPrefix)
		return name
	}
	rest, ok := strings.CutPrefix(t.Name, agentPrefix)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "__")
	return name
}

// OwnName is the name that its server gives it.
func (t Tool) OwnName() string { return ownName(t.Name) }

// agentPrefix begins the names that agents make of a server's and its tool's.
const agentPrefix = "mcp__"

func ownName(name string) string {
	if rest, ok := strings.CutPrefix(name, agentPrefix); ok {
		_, name, _ = strings.Cut(rest, "__")
	}
	return name
}

// A Step is a call that was asked for, and what the agent made of the answer.
type Step struct {
	Tool      string
	Arguments json.RawMessage
	Answer    string
}

// A Conversation is all that a request shows the model.
type Conversation struct {
	Task   string // what the user wants
	System string // what the model is told besides, by the agent and by the servers
	Tools  []Tool
	Steps  []Step
}

// A Move is what the model does next: it calls a tool, or it has said what there
// is to say.
type Move struct {
	Tool      *Tool
	Arguments json.RawMessage
	Say       string
}

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

// taskMark begins the line in which the user says what is wanted. An agent puts
// much around it.
const taskMark = "Task: "

func taskIn(text string) (string, bool) {
	for line := range strings.Lines(text) {
		if task, ok := strings.CutPrefix(strings.TrimSpace(line), taskMark); ok {
			return task, true
		}
	}
	return "", false
}

// texts is the text of content that is either a string or a list of blocks.
func texts(content json.RawMessage) (string, error) {
	if len(content) == 0 || content[0] == '"' {
		var s string
		if len(content) == 0 {
			return "", nil
		}
		err := json.Unmarshal(content, &s)
		return s, err
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(content, &blocks); err != nil {
		return "", err
	}
	var all []string
	for _, b := range blocks {
		if b.Text != "" {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n"), nil
}

// writeEvent is one server-sent event.
func writeEvent(w io.Writer, name string, data any) error {
	b, err := json.Marshal(data)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
	return err
}

// writeEvents stops at the first that cannot be written.
func writeEvents(w io.Writer, events ...event) error {
	var errs []error
	for _, e := range events {
		e.data["type"] = e.name
		if err := writeEvent(w, e.name, e.data); err != nil {
			errs = append(errs, err)
			break
		}
	}
	return errors.Join(errs...)
}

// An event of a stream; its type is its name.
type event struct {
	name string
	data object
}

type object = map[string]any
