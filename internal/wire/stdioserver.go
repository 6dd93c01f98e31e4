package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// StdioOptions of ServeStdio.
type StdioOptions struct {
	Log *slog.Logger // nil discards
	// Grace is how long requests may go on after the agent closed its end: a
	// shell pipe closes at once and still wants its answers. 0 is 10 s.
	Grace time.Duration
}

// maxAgentMessage is how long one message of an agent may be.
const maxAgentMessage = 8 << 20

// ServeStdio serves the one agent at the other end of in and out, in whichever
// era it speaks, until it closes in or ctx ends.
func ServeStdio(ctx context.Context, in io.Reader, out io.Writer, h Handler, o StdioOptions) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Grace == 0 {
		o.Grace = 10 * time.Second
	}
	s := &stdioServer{peer: newPeer(in, out, maxAgentMessage), h: h, o: o}
	s.skipTooLong = true
	s.onRequest = s.request
	s.onNotification = s.notification
	s.onMalformed = func(_ []byte, bad *MalformedError) {
		o.Log.Warn("agent sent a malformed message", "error", bad.Fault.Message)
		if !bad.Unawaited {
			s.refuse(bad.ID, bad.Fault)
		}
	}
	defer s.close()
	ended := make(chan error, 1)
	go func() { ended <- s.read() }() // may stay in Read until the process ends
	select {
	case <-ctx.Done():
		s.stop(context.Cause(ctx))
		return nil
	case <-s.ctx.Done(): // the agent does not read any more
		return fmt.Errorf("agent %w", s.err())
	case err := <-ended:
		s.drain(ctx)
		s.stop(errClosed)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return fmt.Errorf("read from the agent: %w", err)
	}
}

type stdioServer struct {
	*peer
	h Handler
	o StdioOptions

	// An agent may speak both eras on its one stream. Each has a session, which
	// does not change any more once the handler has seen it.
	guard  sync.Mutex
	modern *Session // opened by the first modern request
	legacy *legacySession
	over   bool
}

// A legacySession is what initialize opens. Requests that follow it at once wait
// until it has been answered.
type legacySession struct {
	*Session
	answered chan struct{}
	failed   bool // set before answered is closed
}

// sessions are those that are open.
func (s *stdioServer) sessions() []*Session {
	var open []*Session
	if s.modern != nil {
		open = append(open, s.modern)
	}
	if s.legacy != nil {
		open = append(open, s.legacy.Session)
	}
	return open
}

func (s *stdioServer) close() {
	s.guard.Lock()
	s.over = true
	open := s.sessions()
	s.guard.Unlock()
	for _, session := range open {
		session.Close(s.h)
	}
}

// drain lets the requests finish that the agent can still read the answers of.
func (s *stdioServer) drain(ctx context.Context) {
	done := make(chan struct{})
	go func() { s.busy.Wait(); close(done) }()
	s.guard.Lock()
	for _, session := range s.sessions() {
		session.cancel() // ends what has no end of its own, such as subscriptions
	}
	s.guard.Unlock()
	select {
	case <-done:
	case <-ctx.Done():
	case <-s.ctx.Done():
	case <-time.After(s.o.Grace):
	}
}

// Notify reaches the agent: on stdio there is one way for everything.
func (s *stdioServer) Notify(method string, params []byte) error {
	return s.send(s.ctx, "", method, params)
}

// Request asks a legacy agent.
func (s *stdioServer) Request(ctx context.Context, method string, params []byte) ([]byte, error) {
	return s.call(ctx, method, params)
}

func (s *stdioServer) notification(m Message) {
	s.guard.Lock()
	open := s.sessions()
	s.guard.Unlock()
	if len(open) == 0 {
		return // of an agent that has not said who it is
	}
	session := open[len(open)-1] // the legacy one, if there are two: the modern era has no notifications of agents
	s.h.Notified(session.Context(), session, m.Method, m.Params)
}

// request decides the era at once, in the order of the lines, since an agent
// may send its next request before initialize is answered.
func (s *stdioServer) request(m Message) func(context.Context) ([]byte, error) {
	in, opened, err := s.incoming(m)
	switch {
	case err != nil:
		return func(context.Context) ([]byte, error) { return nil, err }
	case opened == nil:
		return func(ctx context.Context) ([]byte, error) { return s.serve(ctx, in) }
	case m.Method == MethodInitialize:
		return func(ctx context.Context) ([]byte, error) { return s.initialize(ctx, in, opened) }
	}
	return func(ctx context.Context) ([]byte, error) {
		select {
		case <-opened.answered:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if opened.failed {
			return nil, Errorf(CodeInvalidRequest, "initialize failed: send it again first")
		}
		return s.serve(ctx, in)
	}
}

// initialize opens a session, which is over again if that fails.
func (s *stdioServer) initialize(ctx context.Context, in *Incoming, opened *legacySession) ([]byte, error) {
	result, err := s.serve(ctx, in)
	if err != nil || ctx.Err() != nil {
		opened.failed = true
		s.guard.Lock()
		s.legacy = nil
		s.guard.Unlock()
		opened.Close(s.h)
	}
	close(opened.answered)
	return result, err
}

func (s *stdioServer) serve(ctx context.Context, in *Incoming) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error("panic while answering", "method", in.Method, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, Errorf(CodeInternal, "internal error while answering %s", in.Method)
		}
	}()
	return s.h.Serve(ctx, in)
}

// incoming decides which era a request is of. Of a legacy one it also returns
// the session.
func (s *stdioServer) incoming(m Message) (*Incoming, *legacySession, error) {
	meta, err := readMeta(m.Method, m.Params)
	if err != nil {
		return nil, nil, Errorf(CodeInvalidParams, "%v", err)
	}
	in := &Incoming{ID: m.ID, Method: m.Method, Params: m.Params, Meta: meta}
	s.guard.Lock()
	defer s.guard.Unlock()
	switch {
	case s.over:
		return nil, nil, errClosed
	case meta.Version != "":
		if err := CheckModern(&meta); err != nil {
			return nil, nil, err
		}
		if s.modern == nil {
			s.modern = NewSession(s.ctx, newSessionID())
			s.modern.Era, s.modern.Version, s.modern.Back = Modern, meta.Version, modernBack{s}
		}
		in.Era, in.Version, in.Session, in.Back = Modern, meta.Version, s.modern, modernBack{s}
		return in, nil, nil
	case m.Method == MethodInitialize:
		if s.legacy != nil {
			return nil, nil, Errorf(CodeInvalidRequest, "initialize was sent already")
		}
		session := NewSession(s.ctx, newSessionID())
		session.Back = s
		if err := OpenLegacy(session, m.Params); err != nil {
			session.cancel()
			return nil, nil, err
		}
		s.legacy = &legacySession{Session: session, answered: make(chan struct{})}
	case s.legacy == nil:
		return nil, nil, Errorf(CodeInvalidParams, "params._meta lacks %q: every request needs it in protocol version %s; in older ones send initialize first", MetaVersion, VersionModern)
	}
	in.Era, in.Version, in.Session, in.Back = Legacy, s.legacy.Version, s.legacy.Session, s
	return in, s.legacy, nil
}

// modernBack is a way back on which only notifications go.
type modernBack struct{ *stdioServer }

func (modernBack) Request(context.Context, string, []byte) ([]byte, error) {
	return nil, ErrNoRequests
}

// CheckModern refuses a modern request that does not say what it must.
func CheckModern(m *Meta) error {
	if !slices.Contains(Versions, m.Version) || m.Version < VersionModern {
		return UnsupportedVersion(m.Version)
	}
	if m.Capabilities.Raw == nil {
		return Errorf(CodeInvalidParams, "params._meta lacks %q, an object", MetaClientCapabilities)
	}
	return nil
}

// UnsupportedVersion is the answer to a version that we do not speak.
func UnsupportedVersion(requested string) *Error {
	data := []byte(`{"supported":[`)
	for i, v := range Versions {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, Quote(v)...)
	}
	data = append(append(append(data, `],"requested":`...), Quote(requested)...), '}')
	return Errorf(CodeUnsupportedVersion, "protocol version %s is not supported", clip(requested)).WithData(data)
}

// OpenLegacy fills a session with what initialize says.
func OpenLegacy(s *Session, params []byte) error {
	var o Object
	if params == nil {
		return Errorf(CodeInvalidParams, "initialize needs params with protocolVersion, capabilities and clientInfo")
	}
	if err := o.parse(params); err != nil {
		return Errorf(CodeInvalidParams, "params: %v", err)
	}
	requested := o.Text("protocolVersion")
	if requested == "" {
		return Errorf(CodeInvalidParams, "initialize needs a protocolVersion, a string")
	}
	s.Era, s.Version = Legacy, Negotiate(requested)
	s.ClientInfo = o.Get("clientInfo")
	if caps := o.Get("capabilities"); caps != nil {
		s.Capabilities = ParseCapabilities(caps)
	}
	return nil
}
