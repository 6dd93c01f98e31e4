package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/gateway"
	"toolcrib/internal/guard"
	"toolcrib/internal/script"
	"toolcrib/internal/upstream"
)

// defaultMaxResult is how many characters of a result an agent gets in one piece.
const defaultMaxResult = 40_000

// show fills in what decides what agents see.
func (a *App) show(o *gateway.Options, c config.Config) {
	d := c.Disclosure
	outlines := call.NewOutlines()
	results := call.NewResults(&call.ResultsOptions{Hint: func(uri string, pages int) string {
		return fmt.Sprintf(`The rest, %d pages in all, is the resource %s?page=2; call_tool {"tool":"%s?page=2"} reads it too.`, pages, uri, uri)
	}})
	a.guard.attach(func(eye *guard.Eye) *gateway.Sight { return a.sight(eye, outlines, d) })
	own := a.guard.see(call.Caller{})
	o.Browser, o.See = own.Browser, a.guard.see
	o.Call = call.Chain(o.Call, a.guard.gate.Around)
	o.Surface, o.AutoTokens, o.CallerHeader = surface(d.Surface), d.AutoTokens, d.CallerHeader
	o.Outlines, o.Results = outlines, results
	if u := a.known.experience.usage; u != nil {
		o.Usage = u
	}
	check := checks(a.known.Snapshot)
	o.Around = append(slices.Clone(check), around(a.guard.see, results, d)...)
	o.Inner = check
	a.do = call.Chain(o.Call, check...)
	a.scripts = script.New(&script.Options{CacheDir: scriptCache(a.o.StateDir), Log: a.o.Log})
	o.Scripts, o.CleanScripts = a.scripts, c.Execute.ReadOnly
	o.ScriptLimits = func(who call.Caller) script.Limits { return scriptLimits(c.Execute.LimitsOf(who.Subject)) }
	a.stored = StoredScripts(c)
	for _, s := range a.stored {
		o.Stored = append(o.Stored, gateway.StoredScript{Name: s.Name, Description: s.Description, Schema: s.Schema, Request: s.Request})
	}
}

// checks are what a call of a known tool passes before anything else, whoever makes
// it: an agent, a script, or a person at the command line. Outermost first.
func checks(snapshot func() *catalog.Snapshot) []call.Middleware {
	return []call.Middleware{call.Arguments(func(server, tool string) []byte {
		if t := snapshot().Find(server, tool); t != nil {
			return t.InputSchema()
		}
		return nil
	})}
}

// scriptLimits translates what the file says of scripts.
func scriptLimits(l config.ScriptLimits) script.Limits {
	return script.Limits{
		Wall: l.Time, Ticks: l.Work, Memory: l.Memory << 20, Calls: l.Calls, InFlight: l.AtOnce, Print: l.Printed << 10,
	}
}

// scriptCache is where the compiled script engine is kept. Tests have one for all.
var scriptCache = func(state string) string {
	if state == "" {
		return ""
	}
	return filepath.Join(state, "engine")
}

// around is what surrounds a call that an agent makes by one of our own tools, once
// its arguments are known to fit; outermost first. What is long is cut before the
// reference is put in front of it.
func around(see func(call.Caller) *gateway.Sight, results *call.Results, d config.Disclosure) []call.Middleware {
	var list []call.Middleware
	if d.FirstCall != config.FirstCallOff {
		level := disclose.Brief
		if d.FirstCall == config.FirstCallFull {
			level = disclose.Full
		}
		list = append(list, disclose.NewFirstCallFor(func(who call.Caller) string { return see(who).Browser.Reference(level) }).Around)
	}
	most := d.MaxResult
	if most == 0 {
		most = defaultMaxResult
	}
	return append(list, shorten(results, most))
}

// shorten hands the beginning of a long result on, and keeps the whole.
func shorten(results *call.Results, most int) call.Middleware {
	return func(next call.Func) call.Func {
		return func(ctx context.Context, r *call.Request) ([]byte, error) {
			result, err := next(ctx, r)
			if err != nil {
				return nil, err
			}
			return results.Shape(result, r.Caller.Subject, most), nil
		}
	}
}

func surface(s config.Surface) gateway.Surface {
	switch s {
	case config.Lean:
		return gateway.Lean
	case config.Passthrough:
		return gateway.Passthrough
	case config.Auto:
		return gateway.Auto
	}
	return gateway.Standard
}

// states are all configured servers, also those that are disabled, in the order
// of the configuration.
func (a *App) states() []disclose.ServerState {
	now := map[string]upstream.Status{}
	for _, s := range a.pool.Status() {
		now[s.Name] = s
	}
	names := a.known.configured()
	out := make([]disclose.ServerState, 0, len(names))
	for _, name := range names {
		state := disclose.ServerState{Name: name, State: disclose.Disabled}
		if a.known.untrusted(name) {
			state.State, state.Reason = disclose.NeedsApproval, waits(name)
		}
		if s, ok := now[name]; ok {
			state.State, state.Reason, state.Since = stateWord(s.State), a.o.secrets.Text(s.Reason), s.Since
		}
		out = append(out, state)
	}
	return out
}

func stateWord(s upstream.State) disclose.State {
	switch s {
	case upstream.Ready:
		return disclose.Ready
	case upstream.Starting:
		return disclose.Starting
	case upstream.Failed, upstream.NeedsLogin:
		return disclose.Failed
	}
	return disclose.Idle
}
