package wire

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// HTTPOptions of an HTTPServer. Zero values mean what is written beside them.
type HTTPOptions struct {
	Log *slog.Logger // nil discards

	MaxBody      int64         // 8 MiB; longer requests are refused with 413
	MaxSessions  int           // 4096 legacy sessions; for more, the one that is idle longest ends
	SessionIdle  time.Duration // 30 min without a request or an open stream end a session
	ReadTimeout  time.Duration // 30 s for a request's body to arrive
	WriteTimeout time.Duration // 30 s for one write; a reader that stalls longer is cut off
	KeepAlive    time.Duration // 15 s between the comments on a silent stream
	ResumeGrace  time.Duration // 30 s in which a broken legacy stream can be resumed

	// AllowedHosts and AllowedOrigins are accepted besides the loopback names.
	// A host without a port stands for all its ports.
	AllowedHosts   []string
	AllowedOrigins []string

	// Authenticate says who asks. Nil lets everybody in. An *AuthError says how
	// the request is refused; any other error is a 401.
	Authenticate func(*http.Request) (Principal, error)

	// ParamHeaders returns which arguments of a tool the Mcp-Param-* headers
	// must repeat (modern era). Nil checks none.
	ParamHeaders func(ctx context.Context, tool string) []ParamHeader
}

func (o HTTPOptions) withDefaults() HTTPOptions {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxBody <= 0 {
		o.MaxBody = maxAgentMessage
	}
	if o.MaxSessions <= 0 {
		o.MaxSessions = 4096
	}
	for _, d := range []struct {
		value *time.Duration
		zero  time.Duration
	}{
		{&o.SessionIdle, 30 * time.Minute},
		{&o.ReadTimeout, 30 * time.Second},
		{&o.WriteTimeout, 30 * time.Second},
		{&o.KeepAlive, 15 * time.Second},
		{&o.ResumeGrace, 30 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.zero
		}
	}
	return o
}

// An HTTPServer is the endpoint to which agents send Streamable HTTP, each
// request in the era it is written in.
//
//	POST ─► checks ─► era ─┬─ modern: stands alone ─┬─► Handler ─► JSON, or a stream
//	                       └─ legacy: its session ──┘             of events that ends
//	GET, DELETE ─► legacy session: its own stream, its end        in the answer
//
// An answer is one JSON document, and becomes an event stream only when
// something has to be said before it.
type HTTPServer struct {
	h Handler
	o HTTPOptions

	active   active          // modern requests; those of a session are the session's
	slow     *Alarms         // of requests whose answers take long
	closing  context.Context // ends when nothing may go on
	close    context.CancelFunc
	draining context.Context // ends when nothing new may begin
	drain    context.CancelCauseFunc

	mu       sync.Mutex
	sessions map[string]*httpSession
}

// ErrDraining is the cause with which a subscription's context ends when the
// server stops: the agent is still there to read the result.
var ErrDraining = errors.New("the server is stopping")

// NewHTTPServer serves h. It is the http.Handler of one path, such as /mcp.
func NewHTTPServer(h Handler, o HTTPOptions) *HTTPServer {
	s := &HTTPServer{h: h, o: o.withDefaults(), sessions: map[string]*httpSession{}}
	s.slow = NewAlarms(s.o.KeepAlive)
	s.closing, s.close = context.WithCancel(context.Background())
	s.draining, s.drain = context.WithCancelCause(s.closing)
	return s
}

// Drain refuses new requests and lets the running ones finish: subscriptions
// end with a result, the sessions' own streams close. It does not wait;
// http.Server.Shutdown does.
func (s *HTTPServer) Drain() { s.drain(ErrDraining) }

// Close cancels every request and ends every session and stream.
func (s *HTTPServer) Close() {
	s.close()
	s.active.end(ErrDraining)
	s.mu.Lock()
	all := make([]*httpSession, 0, len(s.sessions))
	for _, hs := range s.sessions {
		all = append(all, hs)
	}
	s.mu.Unlock()
	for _, hs := range all {
		s.end(hs)
	}
}

// ServeHTTP answers one HTTP request.
func (s *HTTPServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.hostAllowed(r) {
		s.refuse(w, http.StatusForbidden, "", Errorf(CodeInvalidRequest, "the host %q is not served here: use a loopback name, or add it to the allowed hosts", clip(r.Host)))
		return
	}
	if !s.originAllowed(r) {
		s.refuse(w, http.StatusForbidden, "", Errorf(CodeInvalidRequest, "the origin %q may not call this server: add it to the allowed origins if it should", clip(r.Header.Get("Origin"))))
		return
	}
	who, err := s.authenticate(r)
	if err != nil {
		s.refuseUnknown(w, err)
		return
	}
	switch r.Method {
	case http.MethodPost:
		s.post(w, r, who)
	case http.MethodGet, http.MethodDelete:
		if version := r.Header.Get(headerVersion); version != "" && !isLegacyVersion(version) {
			s.notAllowed(w, r, "POST")
			return
		}
		if r.Method == http.MethodGet {
			s.getStream(w, r, who.Subject)
		} else {
			s.deleteSession(w, r, who.Subject)
		}
	default:
		s.notAllowed(w, r, "DELETE, GET, POST")
	}
}

func (s *HTTPServer) notAllowed(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	s.refuse(w, http.StatusMethodNotAllowed, "", Errorf(CodeInvalidRequest, "%s is not answered here, use one of: %s", clip(r.Method), allow))
}

func (s *HTTPServer) post(w http.ResponseWriter, r *http.Request, who Principal) {
	accept := readAccept(r.Header["Accept"])
	if !accept.json && !accept.stream {
		s.refuse(w, http.StatusNotAcceptable, "", Errorf(CodeInvalidRequest, "send Accept: application/json, text/event-stream"))
		return
	}
	body, status, err := s.readBody(w, r)
	if err != nil {
		if status == http.StatusRequestEntityTooLarge {
			w.Header().Set("Connection", "close") // the rest of it is not read
		}
		s.refuse(w, status, "", AsError(err))
		return
	}
	p := &posted{w: w, r: r, who: who, accept: accept}
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) > 0 && text[0] == '[' {
		s.postBatch(p, body)
		return
	}
	m, err := Parse(body)
	if err != nil {
		var bad *MalformedError
		errors.As(err, &bad)
		s.malformed(p, bad)
		return
	}
	s.postMessage(p, m)
}

// posted is a POST whose outside was found good.
type posted struct {
	w      http.ResponseWriter
	r      *http.Request
	who    Principal
	accept accepts
}

// postMessage decides the era: what the body says of itself, else the header,
// else the handshake that is being made or was.
func (s *HTTPServer) postMessage(p *posted, m Message) {
	meta, err := readMeta(m.Method, m.Params)
	if err != nil {
		s.refuse(p.w, http.StatusBadRequest, m.ID, Errorf(CodeInvalidParams, "%v", err))
		return
	}
	version, many := oneHeader(p.r.Header, headerVersion)
	switch {
	case many, version != "" && meta.Version != "" && version != meta.Version:
		s.refuse(p.w, http.StatusBadRequest, m.ID, Errorf(CodeHeaderMismatch, "the header MCP-Protocol-Version differs from the version in params._meta"))
		return
	case version == "":
		version = meta.Version
	}
	legacy := version == "" || isLegacyVersion(version) || (m.Method == MethodInitialize && meta.Version == "")
	if m.Kind == Request && s.draining.Err() != nil {
		s.refuseStopping(p.w, m.ID)
		return
	}
	switch {
	case legacy:
		s.postLegacy(p, m, meta)
	case version != VersionModern:
		s.refuse(p.w, http.StatusBadRequest, m.ID, UnsupportedVersion(version))
	default:
		s.postModern(p, m, meta)
	}
}

func isLegacyVersion(v string) bool {
	for _, known := range LegacyVersions {
		if v == known {
			return true
		}
	}
	return false
}

// oneHeader is the value of a header that must not occur twice: two readers
// could take different ones.
func oneHeader(h http.Header, canonical string) (value string, many bool) {
	switch values := h[canonical]; len(values) {
	case 0:
		return "", false
	case 1:
		return values[0], false
	default:
		return values[0], true
	}
}
