package trace

import (
	"time"

	"toolcrib/internal/wire"
)

// A Kind is what sort of thing was done.
type Kind string

// The kinds.
const (
	CallKind      Kind = "call"      // a tool, a prompt or a resource of a server
	SearchKind    Kind = "search"    //
	ScriptKind    Kind = "script"    // its calls have it as their parent
	LookKind      Kind = "look"      // at lists and details, by one of the gateway's own tools
	ListKind      Kind = "list"      // of all tools, by an agent
	DiscoveryKind Kind = "discovery" // a server was listed, or that was tried
	ReloadKind    Kind = "reload"    // of the configuration
)

// An Entry is something that was done, as it is remembered for a while. It never
// changes. It has no arguments and no results, unless the options ask for those, and
// what is in its texts has been redacted.
type Entry struct {
	Seq    uint64 // its place in the order of endings
	ID     uint64 // its name
	Parent uint64 // the ID of the script that it was done in, 0 if in none

	Kind     Kind
	Start    time.Time
	Took     time.Duration
	Before   time.Duration // of that, until it was a call: checks, and asking the user
	Queued   time.Duration // of that, waiting for a turn
	Starting time.Duration // of that, waiting for the server to be there

	Subject string // authenticated name, "" if none
	Client  string // what the agent's program says it is
	Method  string // of the protocol
	Server  string
	Name    string // of the tool, prompt or resource
	Outcome string // ok, or one of a closed set
	Error   string
	In, Out int // bytes
	KeptOut int // tokens
	Spent   int // tokens
	Calls   int // made in the course of it

	Found int     // tools that a search or a discovery found
	More  *Detail // of what is not a call; may be nil

	Arguments, Result string // "" unless they are asked for
}

// A Detail is what searches and discoveries have besides.
type Detail struct {
	Query   string
	Verdict string
	Top     []string // ids
	Rung    string   // how tools were learned
	Cached  bool
}

// failed tells whether something did not end well.
func (e *Entry) failed() bool { return e.Outcome != string(succeeded) }

// lasting are the requests to servers that are worth an entry of their own; the others
// are part of something else.
var lasting = map[string]bool{wire.MethodToolsCall: true, wire.MethodPromptsGet: true, wire.MethodResourcesRead: true, wire.MethodComplete: true}
