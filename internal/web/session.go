package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net"
	"net/http"
	"sync"
	"time"
)

// Sessions of browsers. A session is what somebody showed who logged in, under a random
// name that the browser keeps as a cookie: each request is checked by its token as if it
// had been sent, so that a session ends when its token does.
type sessions struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]*session // by the hash of their names
}

type session struct {
	token string // "" where nobody has to show one, or has not yet
	key   bool   // they showed the key, or a code
	used  time.Time
}

const (
	sessionIdle = 12 * time.Hour // unused for so long, a session is over
	maxSessions = 256            // the one that was unused longest makes room
)

func newSessions() *sessions { return &sessions{all: map[[sha256.Size]byte]*session{}} }

// begin makes a session and returns its name.
func (s *sessions) begin(one session) string {
	secret := make([]byte, 32)
	rand.Read(secret)
	name := base64.RawURLEncoding.EncodeToString(secret)
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tidy(now)
	one.used = now
	s.all[sha256.Sum256([]byte(name))] = &one
	return name
}

// tidy makes room for one more. s.mu is held.
func (s *sessions) tidy(now time.Time) {
	var oldest [sha256.Size]byte
	var since time.Time
	for key, one := range s.all {
		if now.Sub(one.used) > sessionIdle {
			delete(s.all, key)
			continue
		}
		if since.IsZero() || one.used.Before(since) {
			oldest, since = key, one.used
		}
	}
	if len(s.all) >= maxSessions {
		delete(s.all, oldest)
	}
}

// of is the session of a name, if there is one. Names are looked up by their hashes, so
// that how long it takes tells nothing of them.
func (s *sessions) of(name string) (session, bool) {
	if name == "" {
		return session{}, false
	}
	key, now := sha256.Sum256([]byte(name)), time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[key]
	if one == nil || now.Sub(one.used) > sessionIdle {
		delete(s.all, key)
		return session{}, false
	}
	one.used = now
	return *one, true
}

func (s *sessions) end(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, sha256.Sum256([]byte(name)))
}

// cookieName tells gateways of one machine apart: browsers send a cookie to all ports
// of a host.
func cookieName(r *http.Request) string {
	name := "toolcrib_session"
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if _, port, err := net.SplitHostPort(at.String()); err == nil {
			name += "_" + port
		}
	}
	return name
}

// sessionOf is the name of a request's session, "" if it has none.
func sessionOf(r *http.Request) string {
	c, err := r.Cookie(cookieName(r))
	if err != nil {
		return ""
	}
	return c.Value
}

// setCookie has the browser keep a session, or forget it if name is "".
func (h *Handler) setCookie(w http.ResponseWriter, r *http.Request, name string) {
	c := &http.Cookie{
		Name: cookieName(r), Value: name, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: h.o.Secure, MaxAge: int(sessionIdle.Seconds()),
	}
	if name == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}
