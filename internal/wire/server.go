package wire

import (
	"context"
	"net/http"
	"sync"
)

// A Handler answers what agents ask, on every transport and in both eras.
// Transports answer ping and cancellation themselves.
type Handler interface {
	// Serve answers one request with a raw result. An *Error in err goes out as
	// it is; any other becomes an internal error. ctx ends when the agent
	// cancels or is gone.
	//
	// MethodInitialize comes with the new session in in.Session, its Version
	// already negotiated; an error ends the session again.
	Serve(ctx context.Context, in *Incoming) (result []byte, err error)

	// Notified takes a notification of a session.
	Notified(ctx context.Context, s *Session, method string, params []byte)

	// Closed is told once when a session is over.
	Closed(s *Session)
}

// Incoming is one request of an agent.
type Incoming struct {
	Era     Era
	Version string
	Session *Session // nil for a modern request over HTTP: it has none
	ID      ID       // the agent's id of the request
	Method  string
	Params  []byte // raw object; nil if there were none
	Meta    Meta
	Back    Back
	Header  http.Header // nil on stdio
	Subject string      // who is authenticated; "" if nobody is
	Scopes  []string    // what the request's token allows, where tokens say that
}

// About is the tool, prompt, task or URI that a request names in its params, "" if
// it names none.
func (in *Incoming) About() string {
	member := namedMember(in.Method)
	if member == "" || in.Meta.named {
		return in.Meta.about
	}
	name, _ := Text(Find(in.Params, member))
	return name
}

// Back is the way back to an agent while its request is being answered.
type Back interface {
	// Notify sends a notification that belongs to the request.
	Notify(method string, params []byte) error
	// Request asks the agent something, and waits for its answer. Only legacy
	// agents can be asked: others answer ErrNoRequests.
	Request(ctx context.Context, method string, params []byte) ([]byte, error)
}

// ErrNoRequests says that an agent cannot be asked anything on this way back.
var ErrNoRequests = Errorf(CodeAgentRefused, "the agent speaks a protocol version in which servers do not send requests")

// Capabilities of an agent, as far as they decide what we send to it.
type Capabilities struct {
	Raw         []byte // the whole object, as sent; nil if none was
	Sampling    bool
	Elicitation bool
	Roots       bool
}

// ParseCapabilities reads a client's capabilities object.
func ParseCapabilities(raw []byte) Capabilities {
	c := Capabilities{Raw: raw}
	o, err := ParseObject(raw)
	if err != nil {
		return Capabilities{}
	}
	declared := func(name string) bool {
		v := o.Get(name)
		return v != nil && string(v) != "null"
	}
	c.Sampling, c.Elicitation, c.Roots = declared("sampling"), declared("elicitation"), declared("roots")
	return c
}

// A Session is what a legacy agent opened with initialize, or a stdio
// connection of either era. Its fields are set before the Handler sees it.
type Session struct {
	ID           string
	Era          Era
	Version      string
	ClientInfo   []byte // raw, may be nil
	Capabilities Capabilities
	Subject      string

	// Back reaches the agent outside any request: its GET stream or its
	// standard input.
	Back Back

	// State belongs to the Handler.
	State any

	ctx    context.Context
	cancel context.CancelFunc
	once   sync.Once
}

// NewSession opens a session whose Context lives until Close.
func NewSession(parent context.Context, id string) *Session {
	s := &Session{ID: id}
	s.ctx, s.cancel = context.WithCancel(parent)
	return s
}

// Context ends with the session.
func (s *Session) Context() context.Context { return s.ctx }

// Close ends the session and tells the handler, once.
func (s *Session) Close(h Handler) {
	s.once.Do(func() {
		s.cancel()
		h.Closed(s)
	})
}

// Askable tells whether an agent with these capabilities may be sent a request
// of a server.
func Askable(method string, c Capabilities) bool {
	switch method {
	case MethodElicit:
		return c.Elicitation
	case MethodSample:
		return c.Sampling
	case MethodRootsList:
		return c.Roots
	}
	return false
}
