package app

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
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
	seen   atomic.Pointer[surroundings]
	tokens definitions
}

// surroundings are what notes need of a configuration.
type surroundings struct {
	peers   map[string]trace.Peer
	secrets *strings.Replacer
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
		Log: o.Log, Version: o.Version, Metrics: o.Metrics,
		Arguments: c.Tracing.Arguments, Results: c.Tracing.Results, Redact: w.redact,
		Peer:   func(server string) trace.Peer { return w.seen.Load().peers[server] },
		Tokens: disclose.Tokens, Definitions: w.tokens.keptOut,
	})
	return w, err
}

// apply takes a configuration.
func (w *watch) apply(c config.Config) {
	s := &surroundings{peers: map[string]trace.Peer{}}
	var secrets []string
	for _, server := range c.Servers {
		if u, err := url.Parse(server.URL); err == nil && u.Host != "" {
			s.peers[server.Name] = trace.Peer{Address: u.Hostname(), Port: portOf(u)}
		}
		for _, values := range []map[string]string{server.Env, server.Headers} {
			for _, value := range values {
				if len(value) >= leastSecret && !slices.Contains(secrets, value) {
					secrets = append(secrets, value)
				}
			}
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(secrets))
	for _, secret := range secrets {
		pairs = append(pairs, secret, config.Masked)
	}
	s.secrets = strings.NewReplacer(pairs...)
	w.seen.Store(s)
}

// leastSecret is how long a value of env or headers must be to be taken for a
// secret: to mask every "1" or "true" would leave little to read.
const leastSecret = 6

func portOf(u *url.URL) int {
	if n, err := strconv.Atoi(u.Port()); err == nil {
		return n
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// redact is a text without secrets.
func (w *watch) redact(text string) string {
	return config.MaskText(w.seen.Load().secrets.Replace(text))
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
