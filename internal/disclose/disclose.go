// Package disclose is what is shown of the catalog, and how much of it: lists,
// searches, details, the summary that an agent is greeted with and the reference
// that comes with its first call.
//
//	catalog.Snapshot ──┐
//	index.Index ───────┼──► Browser ──► Answer ──► JSON: tools, metadata, next
//	states, outlines ──┘       │
//	                           └──► Summary, Reference: text within a budget
//
// An agent reads what is returned here, and pays for every word of it. So there
// are levels - names; a line with a signature; the schema - and each answer
// says how many there are of how many, and what to ask next. What a server wrote
// is attributed to it by the tool's id, bounded in length and cleaned of what
// cannot be seen.
//
// The package calls no server and knows no transport. FirstCall is a
// call.Middleware: it adds the reference to a result and changes nothing else
// of it.
package disclose

import (
	"context"
	"sync/atomic"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// Options of a Browser.
type Options struct {
	// Snapshot is what is known now.
	Snapshot func() *catalog.Snapshot
	// Index searches it.
	Index func() *index.Index
	// Servers are the configured servers, in their order, and how they stand; nil
	// if there is nothing to be told but what the snapshot knows.
	Servers func() []ServerState
	// Outline is the structure of a tool's real answers, by the tool's
	// fingerprint; nil if none are kept.
	Outline func(fingerprint string) (string, bool)
	// Whole is all that is known, also what Snapshot leaves out for whoever asks, and
	// Hidden why that is. They are nil if nothing is left out.
	Whole  func() *catalog.Snapshot
	Hidden func(*catalog.Tool) string
	// Notes are what a reader of a tool's details should know besides; nil for none.
	Notes func(*catalog.Tool) []string
	// Lists tells which of our own tools whoever asks is shown: answers advise to use no
	// other. nil is all of them.
	Lists func(tool string) bool
	// Essential are words; tools whose names have them are named in the
	// summary. nil is DefaultEssential.
	Essential []string

	// Together are tools that are called with another, by their ids, and Favour how
	// much experience speaks for one; nil if nothing is counted.
	Together func(id string, most int) []string
	Favour   func(*catalog.Tool) float32
	// Vector is what a query means to somebody's own model; nil if there is none.
	Vector func(ctx context.Context, query string) []float32
}

// A ServerState is how a configured server stands.
type ServerState struct {
	Name   string
	State  State
	Reason string    // why it failed, or waits
	Since  time.Time // when it failed
}

// State of a server in one word.
type State string

// The states.
const (
	Ready         State = "ready"
	Idle          State = "idle"
	Starting      State = "starting"
	Failed        State = "failed"
	Disabled      State = "disabled"
	NeedsApproval State = "needs approval"
)

// A Browser answers questions about the catalog. It is safe for any number of
// callers.
type Browser struct {
	o     Options
	texts atomic.Pointer[texts]
}

// New makes a Browser.
func New(o *Options) *Browser {
	b := &Browser{o: *o}
	if b.o.Essential == nil {
		b.o.Essential = DefaultEssential
	}
	if b.o.Servers == nil {
		b.o.Servers = func() []ServerState { return nil }
	}
	if b.o.Notes == nil {
		b.o.Notes = func(*catalog.Tool) []string { return nil }
	}
	if b.o.Together == nil {
		b.o.Together = func(string, int) []string { return nil }
	}
	if b.o.Outline == nil {
		b.o.Outline = func(string) (string, bool) { return "", false }
	}
	return b
}

// DefaultEssential are the names that people ask for first.
var DefaultEssential = []string{"search", "github", "slack", "confluence", "jira", "calendar", "email"}
