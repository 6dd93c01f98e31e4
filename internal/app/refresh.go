package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/discovery"
	"toolcrib/internal/upstream"
)

// RefreshOptions say how servers are listed anew. The zero value works.
type RefreshOptions struct {
	Timeout time.Duration // for one server to list itself; 0 is a minute

	// Began and Ended are told of each server. They may be called at the same
	// time for several; either may be nil.
	Began func(server string)
	Ended func(Outcome)
}

// An Outcome is how listing one server went.
type Outcome struct {
	Server  string
	Failure *Failure // nil if it was listed
	Took    time.Duration
	Tools   int // that are known now, those of an earlier listing included

	// Tools by their original names, compared with what was known before.
	Added, Removed, Changed []string
}

// closeTime is how long servers may take to end by themselves after they were
// asked, and hurryTime when somebody has lost patience.
const (
	closeTime = 3 * time.Second
	hurryTime = time.Second
)

// Refresh lists servers anew, all if no names are given, a few at a time, and
// stops what it started. The outcomes are in the order of the file. When ctx ends
// those that are not done have failed.
func (i *Inspection) Refresh(ctx context.Context, names []string, o RefreshOptions) ([]Outcome, error) {
	only := i.c
	only.Servers = i.chosen(names)
	pool, err := upstream.NewPool(&upstream.Options{Log: i.o.ServerLog, Version: i.o.Version, Guard: i.o.Guard, MaxStarts: i.c.Discovery.Parallel, OAuth: i.o.oauth})
	if err != nil {
		return nil, err
	}
	defer closePool(ctx, pool)
	if err := pool.Apply(specs(only)); err != nil {
		return nil, fmt.Errorf("apply the configuration: %w", err)
	}
	k := newKnowledge(pool, chain(pool, i.o), i.store, only, i.o)
	if o.Timeout > 0 {
		k.patience = o.Timeout
	}
	r := &round{k: k, o: o, lessons: map[string]timed{}, before: map[string]catalog.Listing{}}
	var saved []catalog.Listing
	for _, s := range only.Servers {
		if l, ok := i.listings[s.Name]; ok {
			r.before[s.Name] = l
			saved = append(saved, l)
		}
	}
	k.run(discovery.New(discovery.Options{
		List: r.list, Build: k.build, Save: k.save, ListTime: k.patience + ladderTime,
		TTL: i.c.Discovery.TTL, Parallel: i.c.Discovery.Parallel,
	}, k.servers(), saved))
	k.Refresh(ctx)
	k.close()
	outcomes := make([]Outcome, 0, len(only.Servers))
	for _, s := range only.Servers {
		if known := k.Snapshot().Server(s.Name); known != nil {
			i.listings[s.Name] = known.Listing()
		}
		outcomes = append(outcomes, r.outcome(ctx, s.Name))
	}
	return outcomes, nil
}

func closePool(ctx context.Context, pool *upstream.Pool) {
	patience := closeTime
	if ctx.Err() != nil {
		patience = hurryTime
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	pool.Close(ctx)
}

// A round is one Refresh. Each server is listed once in it, also where the
// manager would try again.
type round struct {
	k      *knowledge
	o      RefreshOptions
	before map[string]catalog.Listing

	mu      sync.Mutex
	lessons map[string]timed
}

type timed struct {
	lesson
	took time.Duration
}

func (r *round) list(ctx context.Context, server string, _ bool) (catalog.Listing, error) {
	r.mu.Lock()
	got, again := r.lessons[server]
	r.mu.Unlock()
	if !again {
		if r.o.Began != nil {
			r.o.Began(server)
		}
		began := time.Now()
		got.lesson = r.k.learn(ctx, server, true)
		if got.failure != nil && errors.Is(ctx.Err(), context.Canceled) {
			return catalog.Listing{}, got.failure // it says nothing of the server
		}
		got.took = time.Since(began)
		r.mu.Lock()
		r.lessons[server] = got
		r.mu.Unlock()
		if r.o.Ended != nil {
			r.o.Ended(r.outcome(ctx, server))
		}
	}
	if got.failure != nil && got.listing.Failure == nil {
		return catalog.Listing{}, got.reason()
	}
	return r.k.o.learned(got.lesson), nil
}

// outcome is what became of a server.
func (r *round) outcome(ctx context.Context, server string) Outcome {
	r.mu.Lock()
	got, done := r.lessons[server]
	r.mu.Unlock()
	before, known := r.before[server]
	out := Outcome{Server: server, Took: got.took, Tools: len(before.Tools)}
	switch {
	case !done:
		out.Failure = &Failure{Kind: Unfinished, Reason: "it was not listed: " + cause(ctx).Error(), Next: "try again"}
		return out
	case got.failure != nil:
		out.Failure = got.explain()
		if len(before.Tools) > 0 {
			return out // those stay
		}
	}
	out.Tools = len(got.listing.Tools)
	if known || got.failure != nil {
		out.Added, out.Removed, out.Changed = compare(before, got.listing)
	} else {
		out.Added, _, _ = compare(catalog.Listing{Server: server}, got.listing)
	}
	return out
}

func cause(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errors.New("there was no time for it")
}

// compare tells what tools are new, gone and different.
func compare(before, after catalog.Listing) (added, removed, changed []string) {
	old, now := fingerprints(before), fingerprints(after)
	for name, print := range now {
		switch was, ok := old[name]; {
		case !ok:
			added = append(added, name)
		case was != print:
			changed = append(changed, name)
		}
	}
	for name := range old {
		if _, ok := now[name]; !ok {
			removed = append(removed, name)
		}
	}
	for _, names := range [][]string{added, removed, changed} {
		slices.Sort(names)
	}
	return added, removed, changed
}

func fingerprints(l catalog.Listing) map[string]string {
	prints := map[string]string{}
	for _, t := range catalog.Build([]catalog.Listing{l}, catalog.Rules{}, time.Time{}).Tools() {
		prints[t.Name()] = t.Fingerprint()
	}
	return prints
}
