package wire

import (
	"crypto/rand"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limits of what a session keeps of streams that have ended.
const (
	maxEndedStreams = 64
	maxEndedBytes   = 16 << 20
)

// An httpSession is a legacy session over HTTP: its calls, its streams and what
// it was asked.
type httpSession struct {
	*Session
	s   *HTTPServer
	own *outStream // what the agent's GET reads

	active     active // requests, as long as their streams may be resumed
	mu         sync.Mutex
	over       bool
	busy       int // requests and open streams
	used       time.Time
	idle       *time.Timer
	calls      map[*legacyCall]struct{}
	asked      map[uint64]chan Message
	lastAsk    uint64
	streams    map[string]*outStream // of POSTs, running and ended
	lastStream uint64
	ended      []*outStream // those that wait to be forgotten, oldest first
	endedBytes int
}

// ownStream is the name of a session's own stream; those of POSTs count from 1.
const ownStream = "0"

var errSessionOver = errors.New("the session is over")

// surelyIdle is how long a session has not been used when it may end for another one: few
// agents say when they leave.
const surelyIdle = time.Minute

// open makes a session and lets agents use it. It returns nil when there are
// too many that are in use.
func (s *HTTPServer) open(sess *Session) *httpSession {
	hs := &httpSession{
		Session: sess, s: s, used: time.Now(), busy: 1,
		calls: map[*legacyCall]struct{}{}, asked: map[uint64]chan Message{}, streams: map[string]*outStream{},
	}
	hs.own = newOutStream(ownStream, hs.primes())
	hs.own.lost = hs.lostAsk
	sess.Back = sessionBack{hs}
	left, entered := s.admit(hs)
	if left != nil {
		s.o.Log.Info("session ended for a new one: it was idle longest", "client", clip(string(left.ClientInfo)), "sessions", s.o.MaxSessions)
		s.end(left)
	}
	if !entered {
		return nil
	}
	return hs
}

// admit takes a session in, if need be in place of one that has left then.
func (s *HTTPServer) admit(hs *httpSession) (left *httpSession, entered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return nil, false
	}
	if len(s.sessions) >= s.o.MaxSessions {
		if left = s.idlest(); left == nil {
			return nil, false
		}
		delete(s.sessions, left.ID)
	}
	s.sessions[hs.ID] = hs
	hs.idle = time.AfterFunc(s.o.SessionIdle, hs.checkIdle)
	return left, true
}

// idlest is the session that was not used for longest, nil if all are. s.mu is held.
func (s *HTTPServer) idlest() (found *httpSession) {
	before := time.Now().Add(-surelyIdle)
	for _, hs := range s.sessions {
		hs.mu.Lock()
		if hs.busy == 0 && hs.used.Before(before) {
			found, before = hs, hs.used
		}
		hs.mu.Unlock()
	}
	return found
}

func newSessionID() string { return rand.Text() }

// primes tells whether the agent expects to be told its place at the start of
// a stream.
func (hs *httpSession) primes() bool { return hs.Version >= Version202511 }

// enter finds the session that a request names and marks it as in use. When
// there is none the request is answered.
func (s *HTTPServer) enter(w http.ResponseWriter, r *http.Request, subject string, id ID) *httpSession {
	name, many := oneHeader(r.Header, headerSession)
	if many {
		s.refuse(w, http.StatusBadRequest, id, Errorf(CodeInvalidRequest, "the header Mcp-Session-Id came more than once: send it once"))
		return nil
	}
	if name == "" {
		s.refuse(w, http.StatusBadRequest, id, Errorf(CodeInvalidRequest, "the header Mcp-Session-Id is missing: send initialize first and repeat the id it answers with"))
		return nil
	}
	hs := s.find(name, subject)
	if hs == nil {
		noSession(w)
		return nil
	}
	return hs
}

func (s *HTTPServer) find(name, subject string) *httpSession {
	s.mu.Lock()
	hs := s.sessions[name]
	s.mu.Unlock()
	if hs == nil || hs.Subject != subject {
		return nil
	}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if hs.over {
		return nil
	}
	hs.busy++
	return hs
}

func (hs *httpSession) leave() {
	hs.mu.Lock()
	hs.busy--
	hs.used = time.Now()
	hs.mu.Unlock()
}

// checkIdle ends a session that nobody uses, or looks again later.
func (hs *httpSession) checkIdle() {
	hs.mu.Lock()
	left := hs.s.o.SessionIdle
	if hs.busy == 0 {
		left -= time.Since(hs.used)
	}
	if left > 0 && !hs.over {
		hs.idle.Reset(left)
	}
	hs.mu.Unlock()
	if left <= 0 {
		hs.s.o.Log.Debug("session ended: idle", "client", clip(string(hs.ClientInfo)))
		hs.s.end(hs)
	}
}

// end ends a session: nothing finds it any more and its calls are cancelled.
func (s *HTTPServer) end(hs *httpSession) {
	s.mu.Lock()
	delete(s.sessions, hs.ID)
	s.mu.Unlock()
	hs.mu.Lock()
	first := !hs.over
	hs.over = true
	hs.idle.Stop()
	clear(hs.streams)
	hs.ended, hs.endedBytes = nil, 0
	hs.mu.Unlock()
	if !first {
		return
	}
	hs.active.end(errSessionOver)
	hs.own.end()
	defer s.recovered("closing a session")
	hs.Session.Close(s.h)
}

// newStream makes the stream of a POST, which can be resumed.
func (hs *httpSession) newStream() *outStream {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	hs.lastStream++
	st := newOutStream(strconv.FormatUint(hs.lastStream, 10), hs.primes())
	st.lost = hs.lostAsk
	if !hs.over {
		hs.streams[st.name] = st
	}
	return st
}

func (hs *httpSession) stream(name string) *outStream {
	if name == ownStream {
		return hs.own
	}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	return hs.streams[name]
}

// retire keeps a stream that has ended for agents whose connection broke. What
// was written in full is kept only if it is small: the agent has most likely got it.
func (hs *httpSession) retire(st *outStream) {
	st.mu.Lock()
	delivered, size, dropped := st.delivered(), st.size, st.dropped
	st.mu.Unlock()
	if dropped > 0 {
		hs.s.o.Log.Warn("messages dropped: an agent read too slowly", "count", dropped)
	}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if hs.over {
		return
	}
	if size > maxEndedBytes || (delivered && size > maxKeptBytes) {
		delete(hs.streams, st.name)
		return
	}
	hs.ended = append(hs.ended, st)
	hs.endedBytes += size
	for len(hs.ended) > maxEndedStreams || hs.endedBytes > maxEndedBytes {
		hs.forget(hs.ended[0])
	}
	time.AfterFunc(hs.s.o.ResumeGrace, func() {
		hs.mu.Lock()
		defer hs.mu.Unlock()
		hs.forget(st)
	})
}

// forget drops a stream that has ended. The caller holds mu.
func (hs *httpSession) forget(st *outStream) {
	for i, kept := range hs.ended {
		if kept == st {
			hs.ended = append(hs.ended[:i:i], hs.ended[i+1:]...)
			hs.endedBytes -= st.size
			delete(hs.streams, st.name)
			return
		}
	}
}
