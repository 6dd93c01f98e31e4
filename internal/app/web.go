package app

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/gateway"
	"toolcrib/internal/guard"
	"toolcrib/internal/trace"
	"toolcrib/internal/web"
	"toolcrib/internal/wire"
)

// A looking is what the page and the API show of a gateway: it is their web.Source.
// Everything in it goes by the eye of whoever asks.
type looking struct {
	*App
	serving context.Context // ends when the listener does
	began   time.Time

	mu     sync.Mutex
	counts map[*guard.Eye]counted
}

// page answers for the page and the API of a listener, and has rest answer for all else.
func (a *App) page(serving context.Context, mcp *wire.HTTPServer, in *entrance, rest http.Handler) *web.Handler {
	o := web.Options{
		Source: &looking{App: a, serving: serving, began: time.Now(), counts: map[*guard.Eye]counted{}},
		Log:    a.o.Log, Version: a.o.Version, Actions: a.http.Page == config.PageActions, Secure: in.tls != nil,
		Allowed: mcp.Allows, Else: rest,
	}
	if in.check != nil {
		o.Authenticate = func(r *http.Request) (web.Caller, error) {
			who, err := in.check(r)
			return web.Caller{Subject: who.Subject, Scopes: who.Scopes}, err
		}
	}
	if in.key != nil {
		o.Key = in.key.is
	}
	switch {
	case in.check != nil && in.resource == nil: // the token is ours to hand out
		o.Code = func(code string) (string, bool) { return tokenFor(a.o.StateDir, code) }
	case in.key != nil: // a code lets somebody decide, and says nothing of who they are
		o.Code = func(code string) (string, bool) { return "", takeCode(a.o.StateDir, code) }
	}
	return web.New(o)
}

func (l *looking) eye(who web.Caller) *guard.Eye { return l.guard.gate.Eye(who.Subject, who.Scopes...) }

func (l *looking) sight(who web.Caller) *gateway.Sight {
	return l.guard.see(call.Caller{Subject: who.Subject, Scopes: who.Scopes})
}

func (l *looking) ring() *trace.Ring { return l.watch.Ring() }

// config is what is in use.
func (l *looking) config() *config.Config { return l.applied.Load() }

// whole tells whether somebody may see what is about the gateway and not about tools:
// commands, files, what servers write. Where the policy tells callers apart, nobody does.
func whole(eye *guard.Eye) bool { return !eye.Personal() }

// Overview is all at a glance.
func (l *looking) Overview(who web.Caller) web.Overview {
	eye := l.eye(who)
	o := web.Overview{
		Version: l.o.Version, Started: l.began.UTC(), Health: l.standing(eye), Tools: l.toolCounts(eye),
		Totals: countsOf(l.ring().Totals()),
	}
	for _, s := range l.servers(eye) {
		o.Servers.Total++
		switch s.State {
		case web.ServerReady:
			o.Servers.Ready++
		case web.ServerIdle:
			o.Servers.Idle++
		case web.ServerStarting:
			o.Servers.Starting++
		case web.ServerFailed:
			o.Servers.Failed++
		case web.ServerNeedsLogin:
			o.Servers.NeedsLogin++
		case web.ServerDisabled:
			o.Servers.Disabled++
		case web.ServerNeedsApproval:
			o.Servers.NeedsApproval++
		}
	}
	for _, m := range l.ring().Minutes(time.Now()) {
		o.Minutes = append(o.Minutes, web.Minute{Start: m.Start, Counts: countsOf(m.Counts), MedianMS: millis(m.Median), SlowMS: millis(m.Slow)})
	}
	return o
}

func countsOf(c trace.Counts) web.Counts { return web.Counts(c) }

// millis is a time as the API says it.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// standing is the health of the gateway.
func (l *looking) standing(eye *guard.Eye) web.Health {
	h := l.health(l.serving)
	out := web.Health{Status: h.Status, Problems: []web.Reason{}}
	for _, p := range h.Problems {
		if p.Server != "" && eye.Denied(p.Server) != "" || p.Server == "" && !whole(eye) {
			continue
		}
		since, _ := time.Parse(time.RFC3339, p.Since) // none of the configuration's
		one := web.Reason{Server: p.Server, Since: since, Text: l.o.secrets.Text(p.Reason)}
		if p.Server == "" {
			one.Next = "toolcrib config validate says all that is wrong"
		}
		out.Problems = append(out.Problems, one)
	}
	if len(out.Problems) == 0 && out.Status == "degraded" {
		out.Status = "ready" // as far as whoever asks can tell
	}
	return out
}

// counted are the tools that an eye sees of one snapshot.
type counted struct {
	of       *catalog.Snapshot
	standing any
	web.ToolCounts
}

// maxCounted bounds for how many eyes counts are kept.
const maxCounted = 64

// toolCounts counts once for each snapshot.
func (l *looking) toolCounts(eye *guard.Eye) web.ToolCounts {
	of, standing := l.known.Snapshot(), l.guard.keeper.Version()
	l.mu.Lock()
	c, ok := l.counts[eye]
	l.mu.Unlock()
	if ok && c.of == of && c.standing == standing {
		return c.ToolCounts
	}
	seen := eye.Snapshot()
	c = counted{of: of, standing: standing, ToolCounts: web.ToolCounts{Total: seen.Len(), Categories: len(seen.Categories()), Tags: len(seen.Tags())}}
	for _, t := range seen.Tools() {
		if !t.State().Available {
			c.Unavailable++
		}
	}
	for _, t := range of.Tools() {
		if eye.Denied(t.Server().Name()) != "" || !eye.Permits(t) {
			continue
		}
		s := l.guard.keeper.Of(t.Server().Name(), t.Name())
		if s.Held || s.Waits {
			c.Held++
		}
		if l.guard.findings() && !s.Accepted && len(l.guard.gate.Findings(t)) > 0 {
			c.Findings++
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.counts, func(_ *guard.Eye, old counted) bool { return old.of != of }) // nobody else keeps what is over
	if len(l.counts) < maxCounted {
		l.counts[eye] = c
	}
	return c.ToolCounts
}
