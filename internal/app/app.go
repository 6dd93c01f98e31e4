// Package app joins the parts into a gateway that runs. It is the only place
// that knows all of them.
//
//	config.Config ──specs──► upstream.Pool ◄── call.Func ◄── gateway.Gateway ◄── wire ◄── agents
//	                                            chain.go                         stdio.go, http.go
//
// Open builds, ServeStdio and ServeHTTP let agents in, Apply takes a new
// configuration while they are served, Close ends it all. Two contexts end a
// gateway: the one given to a Serve method ends it gracefully, so that running
// calls finish first; the one given to Open ends it at once.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/gateway"
	"toolcrib/internal/guard"
	"toolcrib/internal/script"
	"toolcrib/internal/trace"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// drainTime is how long running calls may take to finish when the gateway is
// told to stop. Ending the servers comes after it, and both fit into 10 s.
const drainTime = 7 * time.Second

// lastWords is how long a call that was cut off may take to say so.
const lastWords = 250 * time.Millisecond

// Options of an App. The zero value works.
type Options struct {
	Log      *slog.Logger        // nil discards
	Version  string              // told to agents and servers
	StateDir string              // where the token and listings are kept; needed for HTTP with a token
	Getenv   func(string) string // nil: os.Getenv
	Guard    []string            // command that calls Guard; none if empty
	Logins   config.LoginStore   // where logins are kept if the configuration does not say; "": StoreFile

	ServerLog *slog.Logger // of starts and ends of servers; nil: Log

	// Telemetry has traces and metrics go where the OTEL_* variables say, if they
	// do; Metrics keeps them besides for /metrics, which ServeHTTP answers then.
	Telemetry, Metrics bool

	trace  *trace.Trace  // of the gateway that these are the options of
	keeper *guard.Keeper // of definitions

	secrets *guard.Redactor // takes them out of what is logged and told

	authorizations *authorizations // as whom servers are asked
}

func (o *Options) fill() {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.ServerLog == nil {
		o.ServerLog = o.Log
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.authorizations == nil {
		o.authorizations = newAuthorizations(o.StateDir)
	}
}

// An App is a gateway and the servers behind it.
type App struct {
	o       Options
	life    context.Context // ends everything at once
	http    config.HTTP
	pool    *upstream.Pool
	known   *knowledge
	gateway *gateway.Gateway
	scripts *script.Engine
	watch   *watch
	guard   *guarding
	agents  wire.Handler                  // the gateway, watched
	do      call.Func                     // a call of a tool, as agents make it
	stored  []StoredScript                // that are run by name
	applied atomic.Pointer[config.Config] // what is in use
	problem atomic.Pointer[failed]        // of the configuration that came last; nil if it is in use
	tidied  chan struct{}                 // closed when old approvals were looked at
	advised map[string]bool               // what was said of the configuration before, and need not be again
}

// Open builds a gateway. No server is started before it is needed. When ctx
// ends, everything is cut short.
func Open(ctx context.Context, c config.Config, o Options) (*App, error) {
	o.fill()
	o.Logins = cmp.Or(c.Logins.Store, o.Logins)
	o.redact(c)
	w, err := openWatch(ctx, c, o)
	if err != nil {
		return nil, err
	}
	o.trace = w.Trace
	pool, err := upstream.NewPool(&upstream.Options{Log: o.ServerLog, Version: o.Version, Guard: o.Guard, MaxStarts: c.Discovery.Parallel, OAuth: o.oauth})
	if err != nil {
		return nil, errors.Join(err, w.close(ctx))
	}
	a := &App{o: o, life: ctx, http: c.HTTP, pool: pool, watch: w}
	if err := a.Apply(c); err != nil {
		return nil, errors.Join(err, a.Close(ctx))
	}
	if a.guard, err = openGuarding(c, &o); err != nil {
		return nil, errors.Join(err, a.Close(ctx))
	}
	a.o = o
	do := call.Chain(chain(pool, o), w.Around)
	a.known = openKnowledge(pool, do, c, o)
	show := gateway.Options{Servers: pool, Catalog: a.known, Call: do, Log: o.Log, Version: o.Version}
	a.guard.open(a.known.Snapshot, pool.Identity, c, w.Refused)
	a.show(&show, c)
	a.gateway, err = gateway.New(show)
	if err != nil {
		return nil, errors.Join(err, a.Close(ctx))
	}
	a.agents = w.Handler(a.gateway)
	if err := w.join(a, c.Disclosure); err != nil {
		return nil, errors.Join(err, a.Close(ctx))
	}
	a.known.search.prepare()
	a.known.Watch(func(*catalog.Snapshot) {
		a.known.search.prepare()
		a.gateway.Learned()
	})
	// After Apply: that there are servers at all is no news to agents.
	pool.Watch(a.heard)
	a.guard.watch(a.known.Changed, func() { a.known.recheck(ctx) })
	a.tidy(ctx)
	return a, nil
}

// heard takes what servers say on their own. It does not block.
func (a *App) heard(e upstream.Event) {
	switch e.Method {
	case wire.MethodToolsChanged, wire.MethodPromptsChanged, wire.MethodResourcesChanged:
		a.known.Changed(e.Server)
	}
	a.gateway.Event(e.Server, e.Method, e.Params, e.Session)
}

// Apply makes the servers those of c. Servers that did not change keep their
// connections and their calls; what c says of the listener needs a restart.
func (a *App) Apply(c config.Config) (err error) {
	if a.known != nil { // agents are served
		told := a.watch.Reload(len(c.Servers), len(c.Warnings))
		defer func() { a.note(err); told(err) }()
	}
	a.o.secrets.Add(secretsOf(c)...)
	for _, w := range c.Warnings {
		a.o.Log.Warn("configuration", "problem", w.Error())
	}
	a.advise(c)
	if err := a.pool.Apply(specs(c)); err != nil {
		return fmt.Errorf("apply the configuration: %w", err)
	}
	a.watch.apply(c)
	a.applied.Store(&c)
	if a.guard != nil && a.guard.apply(c) {
		defer a.gateway.Changed()
	}
	if a.known != nil {
		a.known.apply(a.life, c)
	}
	return nil
}

// advise says what could be safer in c, unless it was said of the last one.
func (a *App) advise(c config.Config) {
	said := map[string]bool{}
	for _, w := range c.Advice {
		if said[w.Text] = true; !a.advised[w.Text] {
			a.o.Log.Warn("configuration", "advice", w.Error())
		}
	}
	a.advised = said
}

// Close ends the gateway and all servers. When ctx or the context of Open ends
// first, the servers are killed.
func (a *App) Close(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.life, cancel)()
	if a.guard != nil {
		defer a.guard.close()
	}
	if a.gateway != nil {
		a.gateway.Close()
	}
	if a.known != nil {
		a.known.close()
	}
	a.awaitTidy()
	err := a.pool.Close(ctx)
	if a.scripts != nil {
		err = errors.Join(err, a.scripts.Close())
	}
	if sent := a.watch.close(ctx); sent != nil {
		a.o.Log.Debug("not all that was traced was sent", "error", sent) // nobody is the worse for it
	}
	return err
}

// Guard is the process of Options.Guard: it ends what servers leave behind if
// the gateway is killed. in is its standard input.
func Guard(in io.Reader) { upstream.Guard(in) }
