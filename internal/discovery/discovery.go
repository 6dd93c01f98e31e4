// Package discovery keeps the knowledge of what all servers offer, and keeps it
// fresh.
//
//	saved listings ──┐                        ┌──► Snapshot(): one atomic pointer,
//	List(server) ────┼──► Manager ── Build ───┤     read without a lock
//	list_changed ────┘    one loop            └──► Save, Watch
//
// Whoever asks is answered from the snapshot at once. A listing that is too old
// goes on being served while a new one is fetched behind it; a server that
// cannot be listed keeps its last known tools, marked unavailable with the
// reason. Servers that were never listed are listed first, a few at a time; the
// stale ones follow when they are asked for, or slowly in the background:
// fifty servers that were listed yesterday are not fifty processes this morning.
//
// The package does not know how a server is reached: List is given to it.
package discovery

import (
	"context"
	"log/slog"
	"time"

	"toolcrib/internal/catalog"
)

// Defaults of Options' zero values.
const (
	DefaultTTL        = 5 * time.Minute
	DefaultParallel   = 4
	DefaultPatience   = 10 * time.Second
	DefaultListTime   = 60 * time.Second
	DefaultBackground = time.Hour
	DefaultHold       = 5 * time.Second
)

// Options of a Manager.
type Options struct {
	// List fetches everything a server offers now. It is called at most
	// Parallel times at once, once at a time for each server, and is given
	// ListTime. background says that nobody waits: a server that was started
	// only for this may be stopped after it.
	List func(ctx context.Context, server string, background bool) (catalog.Listing, error)
	// Build makes a snapshot of all listings, in the order of the servers.
	Build func([]catalog.Listing) *catalog.Snapshot
	// Save keeps a listing for the next start; may be nil.
	Save func(catalog.Listing)
	// Live tells whether a server is running anyway, so that listing it costs
	// little; nil means none is.
	Live func(server string) bool

	TTL        time.Duration // how long a listing holds if neither server nor configuration says
	Parallel   int           // listings at once
	Hold       time.Duration // after so long a listing no longer keeps others waiting
	Patience   time.Duration // how long Need waits
	ListTime   time.Duration // one listing
	Background time.Duration // between listings of a server that is not running and not asked for
	Log        *slog.Logger  // nil discards
}

// A Server is one that the Manager looks after.
type Server struct {
	Name     string
	Identity string        // of its configuration: a saved listing of another one is not its
	TTL      time.Duration // configured; 0 is Options.TTL

	// Authorization is as whom it is asked: a private listing of another one is not
	// its either.
	Authorization string
}

// owns tells whether a listing is what this server said, to whom it is asked as.
func (s *Server) owns(l *catalog.Listing) bool {
	return l.Server == s.Name && l.Identity == s.Identity && (!l.Private || l.Authorization == s.Authorization)
}

func (o *Options) fill() {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.TTL, DefaultTTL)
	def(&o.Patience, DefaultPatience)
	def(&o.ListTime, DefaultListTime)
	def(&o.Background, DefaultBackground)
	def(&o.Hold, DefaultHold)
	if o.Parallel == 0 {
		o.Parallel = DefaultParallel
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Live == nil {
		o.Live = func(string) bool { return false }
	}
	if o.Save == nil {
		o.Save = func(catalog.Listing) {}
	}
}
