// Package upstream runs and reaches the MCP servers behind the gateway.
//
//	Pool ── server (one a Spec) ── conn (one an era, or one an agent) ── wire.Link
//	          │                      │
//	          start, backoff,        flights: who asked what, so that what the server
//	          idle stop, drain       sends on its own finds its way back
//
// A server starts when it is first needed and stops when it is not. A child is
// a process group that ends with us, however we end. A connection is shared by
// all agents of an era unless the Spec says otherwise; a server that speaks both
// eras is spoken to in the era of the agent, so that nothing has to be
// translated that need not be.
//
// What agents watch belongs to the server and not to a connection: it outlives
// those, and brings the server back. Whenever a server comes back its lists are
// announced as changed, since nobody was there to hear of it.
//
// What was sent to a server once is not sent again, unless the request is known
// to do no harm twice. The package knows how to reach servers, not what they
// offer: listings are somebody else's.
package upstream

import (
	"log/slog"
	"time"

	"toolcrib/internal/wire"
)

// Options of a Pool. The zero value works.
type Options struct {
	Log       *slog.Logger // nil discards
	Version   string       // of the gateway, told to servers
	MaxStarts int          // servers starting at once; 0 is 4
	// Guard is the command of a process that calls Guard: it ends what our
	// children leave behind if we are killed. None if empty.
	Guard []string
	// OAuth gets tokens for a server that is reached at url, unless its entry has a
	// header for that. Nil gets none.
	OAuth func(server, url string) wire.OAuthHandler
	// HealthEvery is how long a connection may be quiet before it is asked for
	// a sign of life, and HealthWait how long that may take. 0 is 15 and 20 s.
	HealthEvery, HealthWait time.Duration
}

// State is what a server is doing.
type State string

const (
	Idle     State = "idle"     // not running; starts when it is needed
	Starting State = "starting" // not yet connected
	Ready    State = "ready"    // connected
	Failed   State = "failed"   // see Status.Reason and Status.Retry

	// NeedsLogin is a server that wants a person to log in; Status.Reason says how.
	NeedsLogin State = "needs_login"
)

// Status of one server.
type Status struct {
	Name     string
	State    State
	Reason   string    // of Failed and NeedsLogin
	Since    time.Time // of State
	Retry    time.Time // Failed: not tried again before
	Restarts int       // starts after the first
	Stderr   string    // the end of what it wrote
}

// An Event is a notification of a server that belongs to no request.
type Event struct {
	Server  string
	Method  string
	Params  []byte
	Session *wire.Session // of a connection that one agent has for itself, else nil
}
