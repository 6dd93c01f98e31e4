package catalog

import (
	"encoding/json"
	"time"
)

// A Tool is one tool in a snapshot. It never changes; the bytes and slices it
// returns are shared with everybody and are not to be changed.
type Tool struct {
	*entry
	id     ToolID
	server *Server
}

// An entry is a tool on the shelf of its server.
type entry struct {
	*definition
	lua      string
	category string
	tags     []string
}

// A State is whether a tool can be reached at present.
type State struct {
	Available bool
	Reason    string    // why not
	Since     time.Time // since when not
}

// ID is our name for the tool.
func (t *Tool) ID() ToolID { return t.id }

// Server is whose tool it is.
func (t *Tool) Server() *Server { return t.server }

// Name is what its server calls it, and wants it called by.
func (t *Tool) Name() string { return t.name }

// LuaName is the second half of its id.
func (t *Tool) LuaName() string { return t.lua }

// Title is its name for people, "" if it has none.
func (t *Tool) Title() string { return t.title }

// Description is the server's own text, as it was sent.
func (t *Tool) Description() string { return t.description }

// Raw is the definition as it was sent.
func (t *Tool) Raw() json.RawMessage { return t.raw }

// InputSchema is the schema of its arguments, nil if it has none.
func (t *Tool) InputSchema() json.RawMessage { return t.input }

// OutputSchema is the schema of its structured results, nil if it has none.
func (t *Tool) OutputSchema() json.RawMessage { return t.output }

// Meta is its _meta, nil if it has none.
func (t *Tool) Meta() json.RawMessage { return t.meta }

// Annotations are its server's hints on what it does.
func (t *Tool) Annotations() Annotations { return t.annotations }

// Provenance is how we learned of it.
func (t *Tool) Provenance() Provenance { return t.provenance }

// Confidence is how sure it is that there is such a tool: 1 for the protocol.
func (t *Tool) Confidence() float64 { return t.confidence }

// Fingerprint is a hash of what the tool is and how it is used: its name, title,
// description, schemas and annotations.
func (t *Tool) Fingerprint() string { return t.fingerprint }

// Category is the one category it is in.
func (t *Tool) Category() string { return t.category }

// Tags are at most eight, the surest first.
func (t *Tool) Tags() []string { return t.tags }

// Callable tells whether the tool may be called: only what a server listed
// itself is known to be there.
func (t *Tool) Callable() bool { return t.provenance == Protocol }

// State tells whether the tool's server could be reached when it was last tried.
func (t *Tool) State() State {
	if f := t.server.listing.Failure; f != nil {
		return State{Reason: f.Reason, Since: f.Since}
	}
	return State{Available: true}
}
