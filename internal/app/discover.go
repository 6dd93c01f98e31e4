package app

import (
	"context"
	"fmt"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/probe"
	"toolcrib/internal/store"
	"toolcrib/internal/upstream"
)

// DiscoverOptions say how one server is looked at. The zero value works.
type DiscoverOptions struct {
	Timeout time.Duration // for each way of asking it; 0 is 10 s
	Raw     bool          // launch it a second time even if it answered, for what it prints
}

// A Discovery is what was found out about one server.
type Discovery struct {
	Server   *catalog.Server // with its tools
	Rung     string          // of the ladder that the tools are from, "none" if there are none
	Failure  *Failure        // why it did not answer the protocol
	Notes    []probe.Note    // what the other ways brought, in the order of trying
	Problems []catalog.Problem

	Launched       bool // a second time, disposable
	Stdout, Stderr []byte
}

// Discover looks at one server that needs to be in no configuration. Nothing is
// saved, and nothing of the server is left when it returns.
func Discover(ctx context.Context, s config.Server, o Options, d DiscoverOptions) (*Discovery, error) {
	o.fill()
	o.authorizations.key = newAuthorizations("").key // nothing is kept that a mark would be compared with
	o.redact(config.Config{Servers: []config.Server{s}})
	if d.Timeout <= 0 {
		d.Timeout = probe.DefaultTimeout
	}
	pool, err := upstream.NewPool(&upstream.Options{Log: o.ServerLog, Version: o.Version, Guard: o.Guard, OAuth: o.oauth})
	if err != nil {
		return nil, err
	}
	defer closePool(ctx, pool)
	s.StartTimeout = d.Timeout + time.Second // ask ends before, and says so
	// Most servers are slow rather than silent, so the question for the era gets
	// the larger part.
	s.ProbeTimeout = min(d.Timeout*6/10, upstream.DefaultProbeTimeout)
	c := config.Config{Servers: []config.Server{s}}
	if err := pool.Apply(specs(c)); err != nil {
		return nil, err
	}
	k := newKnowledge(pool, chain(pool, o), store.Open("", nil), c, o)
	k.patience = d.Timeout
	listing, failure := k.ask(ctx, s.Name, false)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	found := &Discovery{Rung: probe.Protocol.String()}
	if failure != nil || d.Raw {
		pool.Rest(s.Name)
		ladder := k.ladder(s.Name)
		ladder.Timeout = d.Timeout
		ladder.First = probe.NoRung
		result, err := probe.Run(ctx, ladder)
		if err != nil {
			return nil, fmt.Errorf("discover %s: %w", s.Name, err)
		}
		result = o.diagnosed(result)
		found.Stdout, found.Stderr, found.Launched = result.Stdout, result.Stderr, ladder.Launch != nil
		if failure != nil {
			listing = catalog.Listing{Server: s.Name, Taken: time.Now(), Tools: result.Tools}
			found.Rung, found.Notes = result.Rung.String(), result.Notes
			found.Failure = lesson{failure: failure, diagnosis: result.Diagnosis}.explain()
			listing.Failure = &catalog.Failure{Reason: found.Failure.Reason, Since: time.Now()}
		}
	}
	snapshot := catalog.Build([]catalog.Listing{listing}, catalog.Rules{}, time.Now())
	found.Server, found.Problems = snapshot.Server(s.Name), snapshot.Problems()
	return found, nil
}
