package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
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
	s.session = NewSession(s.ctx, "stdio")
	s.session.Back = s
	s.onRequest = s.request
	s.onNotification = s.notification
	s.onMalformed = func(_ []byte, bad *MalformedError) {
		o.Log.Warn("agent sent a malformed message", "error", bad.Fault.Message)
		if !bad.Unawaited {
			s.refuse(bad.ID, bad.Fault)
		}
	}
	defer s.session.Close(h)
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
	h       Handler
	o       StdioOptions
	session *Session
}

// drain lets the requests finish that the agent can still read the answers of.
func (s *stdioServer) drain(ctx context.Context) {
	done := make(chan struct{})
	go func() { s.busy.Wait(); close(done) }()
	s.session.cancel() // ends what has no end of its own, such as subscriptions
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
	if s.session.Era != Legacy {
		return nil, ErrNoRequests
	}
	return s.call(ctx, method, params)
}

func (s *stdioServer) notification(m Message) {
	s.h.Notified(s.session.Context(), s.session, m.Method, m.Params)
}

// request decides the era at once, in the order of the lines, since an agent
// may send its next request before initialize is answered.
func (s *stdioServer) request(m Message) func(context.Context) ([]byte, error) {
	in, err := s.incoming(m)
	return func(ctx context.Context) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return s.serve(ctx, in)
	}
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

// incoming decides which era a request is of.
func (s *stdioServer) incoming(m Message) (*Incoming, error) {
	meta, err := readMeta(m.Params)
	if err != nil {
		return nil, Errorf(CodeInvalidParams, "%v", err)
	}
	in := &Incoming{ID: m.ID, Method: m.Method, Params: m.Params, Meta: meta, Session: s.session}
	in.Back = s
	switch {
	case meta.Version != "":
		if err := CheckModern(&meta); err != nil {
			return nil, err
		}
		if s.session.Era == 0 {
			s.session.Era, s.session.Version = Modern, meta.Version
		}
		in.Era, in.Version = Modern, meta.Version
		in.Back = modernBack{s}
	case m.Method == MethodInitialize:
		if s.session.Era == Legacy {
			return nil, Errorf(CodeInvalidRequest, "initialize was sent already")
		}
		if err := OpenLegacy(s.session, m.Params); err != nil {
			return nil, err
		}
		in.Era, in.Version = Legacy, s.session.Version
	case s.session.Era == Legacy:
		in.Era, in.Version = Legacy, s.session.Version
	default:
		return nil, Errorf(CodeInvalidParams, "params._meta lacks %q: every request needs it in protocol version %s; in older ones send initialize first", MetaVersion, VersionModern)
	}
	return in, nil
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
