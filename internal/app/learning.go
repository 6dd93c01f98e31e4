package app

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/probe"
	"toolcrib/internal/store"
)

// list learns what a server offers, as discovery wants to be told.
func (k *knowledge) list(ctx context.Context, server string, background bool) (catalog.Listing, error) {
	got := k.learn(ctx, server, background)
	if got.failure != nil && got.listing.Failure == nil {
		return catalog.Listing{}, got.reason()
	}
	return k.o.learned(got), nil
}

// learn asks a server by the protocol, and if it does not answer that and never
// did, tries the ways that are left.
func (k *knowledge) learn(ctx context.Context, server string, background bool) (got lesson) {
	ctx, told := k.o.trace.Discovery(ctx, server)
	defer func() { told(k.traced(&got)) }()
	release, mine := k.store.TryLock(server)
	if !mine {
		// Another gateway is asking it just now; what it learns is ours too.
		if l, ok := k.awaitOther(ctx, server); ok {
			return lesson{listing: l, cached: true}
		}
	} else {
		defer release()
		if l, ok := k.justLearned(server); ok {
			return lesson{listing: l, cached: true}
		}
	}
	l, err := k.ask(ctx, server, background)
	if err == nil {
		k.save(l) // before the lock is let go, for whoever gets it next
		return lesson{listing: l}
	}
	return k.climb(ctx, server, err)
}

// ask has a server list itself.
func (k *knowledge) ask(ctx context.Context, server string, background bool) (catalog.Listing, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, k.patience, slowError{k.patience})
	defer cancel()
	started := !k.pool.Live(server)
	as := k.o.authorizations.of(k.entry(server))
	l, err := k.pool.List(ctx, server, k.do)
	if err != nil {
		return catalog.Listing{}, k.unlisted(server, err)
	}
	if l.Authorization = as; l.Private && as != k.o.authorizations.of(k.entry(server)) {
		return catalog.Listing{}, errors.New("somebody logged in or out meanwhile: it is listed again")
	}
	k.store.Remember(server, l.Identity, store.Facts{Era: l.Era, Rung: probe.Protocol.String()})
	if started && background {
		k.pool.Rest(server)
	}
	return l, nil
}

// justNow is how old a listing may be that another gateway saved while we were
// about to ask as well.
const justNow = 5 * time.Second

func (k *knowledge) justLearned(server string) (catalog.Listing, bool) {
	l, ok := k.load(server)
	if !ok || l.Failure != nil || time.Since(l.Taken) > justNow {
		return catalog.Listing{}, false
	}
	if s := k.Snapshot(); s != nil {
		if known := s.Server(server); known != nil && !l.Taken.After(known.Listing().Taken) {
			return catalog.Listing{}, false // that is what we know already
		}
	}
	return l, true
}

// otherPatience is how long another gateway may take over a listing that we
// wait for.
const otherPatience = 20 * time.Second

// awaitOther waits for a listing that another process is about to save. It
// gives up when that process does.
func (k *knowledge) awaitOther(ctx context.Context, server string) (catalog.Listing, bool) {
	began := time.Now()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for time.Since(began) < otherPatience {
		select {
		case <-ctx.Done():
			return catalog.Listing{}, false
		case <-tick.C:
		}
		if l, ok := k.load(server); ok && l.Taken.After(began) && l.Failure == nil {
			return l, true
		}
		if release, free := k.store.TryLock(server); free {
			release()
			return k.justLearned(server) // it may have been taken before we began to wait
		}
	}
	return catalog.Listing{}, false
}

// climb tries what is left for a server whose tools are not known. What it
// finds is shown with the failure, and cannot be called.
func (k *knowledge) climb(ctx context.Context, server string, failure error) lesson {
	none := lesson{failure: failure}
	if s := k.Snapshot(); s != nil {
		if known := s.Server(server); known != nil && known.Len() > 0 {
			return none
		}
	}
	k.mu.Lock()
	off := k.probes.NoProbe
	k.mu.Unlock()
	if off || ctx.Err() != nil {
		return none
	}
	result, err := probe.Run(ctx, k.ladder(server))
	if err != nil {
		k.o.Log.Debug("looking for tools in other ways failed", "server", server, "error", err)
	}
	result = k.o.diagnosed(result)
	none.diagnosis = result.Diagnosis
	if len(result.Tools) == 0 {
		return none
	}
	identity := k.pool.Identity(server)
	if result.Rung != probe.NoRung {
		k.store.Remember(server, identity, store.Facts{Rung: result.Rung.String()})
	}
	now := time.Now()
	return lesson{failure: failure, diagnosis: result.Diagnosis, listing: catalog.Listing{
		Server: server, Identity: identity, Taken: now, Tools: result.Tools,
		Failure: &catalog.Failure{Reason: none.explain().String(), Since: now},
	}}
}

// ladder is what there is to try with a server that does not answer the protocol.
func (k *knowledge) ladder(server string) probe.Options {
	k.mu.Lock()
	entry, settings := k.by[server], k.probes
	k.mu.Unlock()
	facts, _ := k.store.Recall(server, k.pool.Identity(server))
	var first probe.Rung
	_ = first.UnmarshalText([]byte(facts.Rung)) // an unknown one is none
	o := probe.Options{
		Server:   probe.Identity{Name: server, Command: entry.Command, Args: entry.Args, URL: entry.URL, Variables: slices.Sorted(maps.Keys(entry.Env))},
		Timeout:  min(k.patience, cmp.Or(settings.Timeout, probe.DefaultTimeout)),
		Approved: entry.Approved,
		Predict:  k.predictor(settings.Predict),
		Log:      k.o.Log,
		First:    first,
	}
	if entry.Command != "" {
		o.Launch = func(ctx context.Context, env map[string]string, stdin []byte) ([]byte, []byte, error) {
			return k.pool.LaunchOnce(ctx, server, env, stdin)
		}
	}
	return o
}

func (k *knowledge) predictor(p config.Predict) *probe.Predictor {
	if p.URL == "" {
		return nil
	}
	key := k.o.Getenv(p.KeyEnv)
	if p.KeyEnv != "" && key == "" {
		k.o.Log.Warn("prediction is off: the variable of discovery.predict.key_env is not set", "key_env", p.KeyEnv)
		return nil
	}
	made, err := probe.NewPredictor(probe.PredictorOptions{
		BaseURL: p.URL, Model: p.Model, Key: key, Cache: k.store.Predictions(),
	})
	if err != nil {
		k.o.Log.Warn("prediction is off", "error", err)
		return nil
	}
	return made
}
