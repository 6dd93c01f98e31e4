package wire

import "context"

// A Link carries messages to one server and back: a child's pipes, a
// Streamable HTTP endpoint, a legacy SSE pair.
type Link interface {
	// Call sends a request and waits for its answer: the raw result, an *Error
	// that the server sent, or a *TransportError. When ctx ends first the server
	// is told, and the error is ctx's cause inside a *TransportError.
	Call(ctx context.Context, out *Outgoing) ([]byte, error)
	// Notify sends a notification.
	Notify(ctx context.Context, method string, params []byte) error
	// Done is closed when the link can carry nothing more; Err then says why.
	Done() <-chan struct{}
	Err() error
	// Close ends the link, and a child with it.
	Close() error
}

// Outgoing is one request to a server.
type Outgoing struct {
	Method string
	Params []byte // raw object, or nil
	// Name is what the Mcp-Name header must say (modern HTTP only).
	Name string
	// Headers are the Mcp-Param-* headers (modern HTTP only), as name, value pairs.
	Headers [][2]string
	// Related comes back with every message that arrives on this request's own
	// stream, so that the receiver knows what it belongs to. On a stdio link
	// nothing tells, and the receiver gets nil.
	Related any
}

// A Receiver takes what a server sends on its own account. Its methods are
// called from the link's reading goroutine, in order, and must not block;
// Request is called in a goroutine of its own.
type Receiver interface {
	// Notification takes a notification. related is Outgoing.Related of the
	// request on whose stream it came, or nil.
	Notification(related any, method string, params []byte)
	// Request answers a request of a legacy server. ctx ends when the server
	// cancels it or the link is gone.
	Request(ctx context.Context, related any, method string, params []byte) ([]byte, error)
	// Noise is told of what a stdio server printed that is no message.
	Noise(line []byte)
}

// Hello is what a server said of itself when the link was opened.
type Hello struct {
	Era          Era
	Version      string
	Versions     []string // all it said to speak (modern)
	Capabilities []byte   // raw object, may be nil
	ServerInfo   []byte   // raw object, may be nil
	Instructions string
	Raw          []byte // the whole result of initialize or server/discover
}

// Speaks tells whether the server said that it speaks some legacy version too.
func (h *Hello) Speaks(e Era) bool {
	if h.Era == e {
		return true
	}
	for _, v := range h.Versions {
		if (v >= VersionModern) == (e == Modern) {
			return true
		}
	}
	return false
}

// Identity is who we say we are to servers.
type Identity struct {
	ClientInfo   []byte // raw {"name","version",...}
	Capabilities []byte // raw client capabilities declared in initialize, or by default in modern requests
}
