package mcptest

import (
	"encoding/json"
	"sync"
)

// session is a legacy client after initialize, or a connection before it.
type session struct {
	send func(line []byte) error // a message that belongs to no request

	mu         sync.Mutex
	ready      bool // initialize was answered
	version    string
	caps       map[string]json.RawMessage
	level      string
	subscribed map[string]bool
}

func newSession(send func(line []byte) error) *session {
	return &session{send: send, subscribed: map[string]bool{}}
}

// initialize starts the legacy era on the session.
func (s *session) initialize(version string, caps map[string]json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready, s.version, s.caps = true, version, caps
}

func (s *session) initialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready
}

func (s *session) capabilities() map[string]json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

func (s *session) logLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

func (s *session) setLogLevel(level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

func (s *session) subscribe(uri string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribed[uri] = on
}

func (s *session) wants(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subscribed[uri]
}
