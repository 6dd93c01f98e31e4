package app

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/guard"
	"toolcrib/internal/upstream"
	"toolcrib/internal/web"
)

// Servers are all that somebody may see, in the order of the configuration.
func (l *looking) Servers(who web.Caller) []web.Server { return l.servers(l.eye(who)) }

func (l *looking) servers(eye *guard.Eye) []web.Server {
	status, known := l.statuses(), l.known.Snapshot()
	out := []web.Server{}
	for _, entry := range l.config().Servers {
		if eye.Denied(entry.Name) == "" {
			out = append(out, l.server(eye, entry, status[entry.Name], known.Server(entry.Name)))
		}
	}
	return out
}

func (l *looking) statuses() map[string]upstream.Status {
	out := map[string]upstream.Status{}
	for _, s := range l.pool.Status() {
		out[s.Name] = s
	}
	return out
}

// server is one in a list. known is nil if it was never listed.
func (l *looking) server(eye *guard.Eye, entry config.Server, now upstream.Status, known *catalog.Server) web.Server {
	counts := l.ring().Server(entry.Name)
	s := web.Server{
		Name: entry.Name, Lua: catalog.Identifier(entry.Name), Transport: string(entry.Type), State: string(now.State), Since: now.Since.UTC(),
		Reason: l.o.secrets.Text(now.Reason), Restarts: now.Restarts, Calls: counts.Calls, Errors: counts.Errors,
	}
	switch {
	case entry.Disabled:
		s.State, s.Next = web.ServerDisabled, "remove disabled from its entry to use it"
	case entry.Untrusted:
		s.State, s.Next = web.ServerNeedsApproval, TrustCommand(entry.Name)
	}
	if now.Since.IsZero() {
		s.Since = time.Time{}
	}
	if known == nil {
		return s
	}
	s.Lua, s.Title = known.LuaName(), disclose.Line(known.Title())
	if seen := eye.Snapshot().Server(entry.Name); seen != nil {
		s.Tools = seen.Len()
	}
	if at := known.Listing(); listedItself(at) {
		s.Listed, s.Stale = at.Taken.UTC(), time.Since(at.Taken) > l.holds(entry, at)
	}
	if f := known.Failure(); f != nil && s.Reason == "" && s.State == web.ServerIdle {
		s.State, s.Reason, s.Since = web.ServerFailed, l.o.secrets.Text(f.Reason), f.Since.UTC()
	}
	return s
}

func (l *looking) holds(s config.Server, at catalog.Listing) time.Duration {
	return holds(l.config(), s, at)
}

// entry is a configured server that somebody may see.
func (l *looking) entry(eye *guard.Eye, name string) (config.Server, *web.Problem) {
	var names []string
	for _, s := range l.config().Servers {
		if eye.Denied(s.Name) != "" {
			continue
		}
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return config.Server{}, &web.Problem{
		Status: http.StatusNotFound, Code: web.CodeNotFound, Where: "name", Message: fmt.Sprintf("there is no server %q", guard.Visible(name, 80)),
		Nearest: disclose.NearestNames(name, names), Next: "GET " + web.Root + "/servers lists all",
	}
}

// Server is all there is to know of one.
func (l *looking) Server(who web.Caller, name string) (*web.ServerDetail, *web.Problem) {
	eye := l.eye(who)
	entry, p := l.entry(eye, name)
	if p != nil {
		return nil, p
	}
	now, known := l.statuses()[name], l.known.Snapshot().Server(name)
	d := &web.ServerDetail{
		Server: l.server(eye, entry, now, known), Retry: now.Retry.UTC(), Limits: limitsOf(entry), Aliases: entry.Aliases,
		Findings: l.findings(eye, name), Held: l.held(eye, name),
	}
	if now.Retry.IsZero() {
		d.Retry = time.Time{}
	}
	if known != nil {
		at := known.Listing()
		d.Version, d.Description = disclose.Line(known.Version()), disclose.Clean(known.Description())
		d.Instructions, d.Protocol, d.Holds = disclose.Clean(known.Instructions()), at.Version, l.holds(entry, at).Seconds()
		if !d.Listed.IsZero() {
			d.Refresh = at.Taken.Add(l.holds(entry, at)).UTC()
		}
		if known.Len() > 0 {
			d.Provenance = string(known.Tool(0).Provenance())
		}
	}
	if whole(eye) {
		d.Stderr, d.Config, d.Source = l.o.secrets.Text(now.Stderr), entry.YAML(), l.place(entry)
	}
	return d, nil
}

// place is where a server stands.
func (l *looking) place(s config.Server) string {
	file := s.Source
	if file == "" {
		file = l.config().File
	}
	if file == "" || s.At.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, s.At.Line)
}

func limitsOf(entry config.Server) web.Limits {
	entry.Disabled, entry.Untrusted = false, false // those have limits too
	list := specs(config.Config{Servers: []config.Server{entry}})
	if len(list) == 0 || list[0].Check() != nil {
		return web.Limits{}
	}
	s := list[0]
	return web.Limits{
		MaxInFlight: s.MaxInFlight, CallTimeout: s.CallTimeout.Seconds(), QueueTimeout: s.QueueTimeout.Seconds(),
		StartTimeout: s.StartTimeout.Seconds(), IdleTimeout: max(0, s.IdleTimeout.Seconds()),
	}
}

// refreshTime is how long somebody waits for a server to be listed.
const refreshTime = 2 * time.Minute

// Refresh lists a server anew.
func (l *looking) Refresh(ctx context.Context, who web.Caller, name string) (*web.Refreshed, *web.Problem) {
	eye := l.eye(who)
	entry, p := l.entry(eye, name)
	if p != nil {
		return nil, p
	}
	if !slices.Contains(l.pool.Names(), name) {
		return nil, &web.Problem{Status: http.StatusConflict, Code: web.CodeBadRequest, Where: "name", Message: "this server is not started", Next: l.server(eye, entry, upstream.Status{}, nil).Next}
	}
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	began := time.Now()
	l.known.Refresh(ctx, name)
	if ctx.Err() != nil {
		return nil, &web.Problem{Status: http.StatusGatewayTimeout, Code: web.CodeTimeout, Message: "the server was not listed in time", Next: "look at it again later: it goes on being listed"}
	}
	return &web.Refreshed{
		Server: l.server(eye, entry, l.statuses()[name], l.known.Snapshot().Server(name)), TookMS: millis(time.Since(began)),
	}, nil
}
