package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/guard"
	"toolcrib/internal/script"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// A Local is what a person can do without an agent: call tools and run scripts, by
// the chain and within the limits that hold for agents. Servers are started when
// something of theirs is called.
type Local struct {
	*Counter
	pool    *upstream.Pool
	do      call.Func
	scripts *script.Engine
	audit   *guard.Audit
}

// Open makes what is known callable. Close ends what was started.
func (i *Inspection) Open(known *Counter) (*Local, error) {
	pool, err := upstream.NewPool(&upstream.Options{Log: i.o.ServerLog, Version: i.o.Version, Guard: i.o.Guard, MaxStarts: i.c.Discovery.Parallel, OAuth: i.o.oauth})
	if err != nil {
		return nil, err
	}
	audit, err := openAudit(i.c, i.o)
	if err != nil {
		return nil, errors.Join(err, pool.Close(context.Background()))
	}
	snapshot := func() *catalog.Snapshot { return known.Snapshot }
	// Whoever types a command is the one who would be asked.
	gate := i.gateOf(snapshot, audit, true)
	l := &Local{
		Counter: known, pool: pool, audit: audit,
		do:      call.Chain(chain(pool, i.o), append([]call.Middleware{gate.Around}, checks(snapshot)...)...),
		scripts: script.New(&script.Options{CacheDir: scriptCache(i.o.StateDir), Log: i.o.Log}),
	}
	if err := pool.Apply(specs(i.c)); err != nil {
		return nil, errors.Join(fmt.Errorf("apply the configuration: %w", err), l.Close(context.Background()))
	}
	return l, nil
}

// Close ends scripts and servers. When ctx has ended already they get little time
// for it.
func (l *Local) Close(ctx context.Context) error {
	err := l.scripts.Close()
	closePool(ctx, l.pool)
	return errors.Join(err, l.audit.Close())
}

// Call calls a tool and returns its result as the server sent it. Where there is
// none the error is a *CallError, or says why ctx ended.
func (l *Local) Call(ctx context.Context, t *catalog.Tool, arguments json.RawMessage) (json.RawMessage, error) {
	if !t.Callable() {
		return nil, &CallError{Kind: NotListed, Tool: t.ID(), Message: fmt.Sprintf("%s cannot be called: %s", t.ID(), disclose.NotCallable(t))}
	}
	result, err := l.do(ctx, &call.Request{
		Server: t.Server().Name(), Method: wire.MethodToolsCall, Name: t.Name(), Params: toolParams(t.Name(), arguments),
		Caller: call.Caller{Era: wire.Modern}, // one that can be asked nothing
	})
	if err != nil {
		return nil, callError(ctx, t, err)
	}
	if kind, _ := wire.Text(wire.Find(result, "resultType")); kind == "input_required" {
		return nil, &CallError{Kind: AsksBack, Tool: t.ID(), Sent: true, Message: fmt.Sprintf("server %s wants to ask the user something in the course of %s, which only an agent can pass on", t.Server().LuaName(), t.ID())}
	}
	return result, nil
}

// Run runs a script over all tools. Its error is a *script.Error, with a result that
// says what was done until then.
func (l *Local) Run(ctx context.Context, r *script.Request) (*script.Result, error) {
	return l.scripts.Run(ctx, r, l.Host())
}

// Plan reads from a script which tools it may call. It is not run.
func (l *Local) Plan(ctx context.Context, r *script.Request) (*script.Plan, error) {
	return l.scripts.DryRun(ctx, r, l.Host())
}
