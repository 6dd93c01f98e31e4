package script

import (
	"context"
	"encoding/json"
)

// A Host is all that a script can reach. Its methods are called from several
// goroutines. Names are what the script wrote: a host may accept more than
// identifiers, for servers["my.api"]. It has four methods because there are four
// questions a script can ask.
type Host interface {
	// Server tells whether there is a server of that name.
	Server(name string) bool
	// Tool finds a tool of a server, nil if it has none of that name.
	Tool(server, name string) *Tool
	// Nearest are the names most like one that is not there, best first: tools of
	// a server, or servers if server is "". They are none only if there are none.
	Nearest(server, name string) []string
	// Call calls a tool and returns the raw result of tools/call. It returns soon
	// after ctx ends. An error that has a method Code() string gives the code that
	// the script sees, any other is call_failed.
	Call(ctx context.Context, server, tool string, arguments []byte) ([]byte, error)
}

// A Host may also know why a server that is configured is not there.
type missing interface {
	Missing(server string) string // "" if there is nothing to say
}

// A Tool is what a script has to know of a tool to call it.
type Tool struct {
	Access      Access
	InputSchema json.RawMessage // may be nil
}

// Access is what is known of the side effects of a tool.
type Access int

// The kinds of access.
const (
	UnknownAccess Access = iota // its server does not say
	ReadOnly                    // its server says that it changes nothing
	Writing                     // its server says that it may change something
)

// String is the name of the access in plans.
func (a Access) String() string {
	switch a {
	case ReadOnly:
		return "read_only"
	case Writing:
		return "writing"
	default:
		return "unknown"
	}
}
