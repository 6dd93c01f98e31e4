package app

import (
	"context"
	"net/url"
	"strconv"
	"sync/atomic"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/trace"
	"toolcrib/internal/wire"
)

// watch is what takes note of everything that is done. It does nothing where
// Options ask for nothing, or no variable says where traces go.
type watch struct {
	*trace.Trace
	peers  atomic.Pointer[map[string]trace.Peer]
	tokens definitions
}

// openWatch starts to take note. Apply and join tell it the rest.
func openWatch(ctx context.Context, c config.Config, o Options) (*watch, error) {
	w := &watch{}
	w.apply(c)
	if !o.Telemetry {
		return w, nil
	}
	var err error
	w.Trace, err = trace.Open(ctx, trace.Options{
		Log: o.Log, Version: o.Version, Metrics: o.Metrics, Activity: o.Metrics && c.HTTP.Page != config.PageOff,
		Arguments: c.Tracing.Arguments, Results: c.Tracing.Results, Redact: o.secrets.Text,
		Peer:   func(server string) trace.Peer { return (*w.peers.Load())[server] },
		Tokens: disclose.Tokens, Definitions: w.tokens.keptOut,
	})
	return w, err
}

// apply takes a configuration.
func (w *watch) apply(c config.Config) {
	peers := map[string]trace.Peer{}
	for _, server := range c.Servers {
		if u, err := url.Parse(server.URL); err == nil && u.Host != "" {
			peers[server.Name] = trace.Peer{Address: u.Hostname(), Port: portOf(u)}
		}
	}
	w.peers.Store(&peers)
}

func portOf(u *url.URL) int {
	if n, err := strconv.Atoi(u.Port()); err == nil {
		return n
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// join has metrics read from the parts of a.
func (w *watch) join(a *App, d config.Disclosure) error {
	if w.Trace == nil {
		return nil
	}
	w.tokens.begin(a.known, d)
	return w.Watch(trace.Sources{
		Servers:   a.traced,
		Processes: a.pool.Processes,
		Discovery: func() (hits, misses uint64) {
			s := a.known.Stats()
			return s.Hits, s.Misses
		},
	})
}

// traced are all servers that run or would.
func (a *App) traced() []trace.Server {
	known := a.known.Snapshot()
	var out []trace.Server
	for _, s := range a.pool.Status() {
		one := trace.Server{Name: s.Name, State: string(s.State)}
		if at := known.Server(s.Name); at != nil {
			one.Tools = at.Len()
		}
		out = append(out, one)
	}
	return out
}

// traced is what a trace says of a lesson.
func (k *knowledge) traced(got *lesson) trace.Lesson {
	if k.o.trace == nil {
		return trace.Lesson{}
	}
	stats := k.Stats()
	l := trace.Lesson{Cached: got.cached, Failure: got.failure, Hits: stats.Hits, Misses: stats.Misses}
	for _, t := range got.listing.Tools {
		l.Rung = string(t.Provenance)
		name, _ := wire.Text(wire.Find(t.Raw, "name"))
		l.Tools = append(l.Tools, name)
	}
	if got.failure == nil {
		l.Rung = string(catalog.Protocol)
	}
	return l
}

// loading is load, and takes note of files that cannot be used. Apply does of
// those that can.
func (a *App) loading(load func() (config.Config, error)) func() (config.Config, error) {
	return func() (config.Config, error) {
		c, err := load()
		if err != nil {
			a.note(err) // whoever hears of it can look at it
			a.watch.Reload(0, 1)(err)
		}
		return c, err
	}
}

// close sends what is left.
func (w *watch) close(ctx context.Context) error {
	w.tokens.work.Wait()
	return w.Trace.Close(ctx)
}
