package app

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/guard"
	"toolcrib/internal/web"
)

// Trust is everything that waits for a person to look at it.
func (l *looking) Trust(who web.Caller) web.Trust {
	eye, c := l.eye(who), l.config()
	out := web.Trust{Held: l.held(eye), Findings: l.findings(eye, ""), Untrusted: []web.Untrusted{}, Pins: string(c.Trust.Pins), Policy: string(c.Trust.Findings)}
	if out.Pins == "" {
		out.Pins = string(config.PinsOn)
	}
	if out.Policy == "" {
		out.Policy = string(config.FindingsFlag)
	}
	if p := c.Project; p.Held && whole(eye) {
		out.Settings = &web.ProjectSettings{File: p.File, Parts: p.Parts, Config: p.Text, Command: "toolcrib trust --settings"}
	}
	for _, s := range c.Servers {
		if s.Untrusted && !s.Disabled && eye.Denied(s.Name) == "" && whole(eye) {
			out.Untrusted = append(out.Untrusted, web.Untrusted{Server: s.Name, Source: l.place(s), Config: s.YAML(), Command: TrustCommand(s.Name)})
		}
	}
	return out
}

// held are the definitions of servers, of all if none is named, that wait for approval.
// The policy decides who sees them: that they wait is what the list is about.
func (l *looking) held(eye *guard.Eye, servers ...string) []web.Held {
	out := []web.Held{}
	known := l.known.Snapshot()
	for _, server := range l.guard.keeper.Unsettled() {
		if eye.Denied(server) != "" || len(servers) > 0 && !slices.Contains(servers, server) {
			continue
		}
		for _, w := range l.guard.keeper.Waiting(server, l.pool.Identity(server)) {
			t := known.Find(server, w.Tool)
			if t != nil && !eye.Permits(t) || t == nil && !whole(eye) {
				continue
			}
			out = append(out, heldOf(w, t))
		}
	}
	return out
}

func heldOf(w Waiting, t *catalog.Tool) web.Held {
	h := web.Held{
		ID: catalog.Identifier(w.Server) + "." + catalog.Identifier(w.Tool), Server: w.Server, Tool: w.Tool, New: w.Before == nil, Serves: w.Serves, Rejected: w.Rejected,
		Since: w.Since, Before: w.Before, Now: w.Now, Diff: []web.DiffLine{}, Fingerprint: catalog.Fingerprint(w.Now), Command: TrustCommand(w.Server),
	}
	if t != nil {
		h.ID = string(t.ID())
	}
	for _, line := range DefinitionDiff(w.Before, w.Now) {
		one := web.DiffLine{Op: "same", Text: line}
		if text, ok := strings.CutPrefix(line, "- "); ok {
			one = web.DiffLine{Op: "remove", Text: text}
		} else if text, ok := strings.CutPrefix(line, "+ "); ok {
			one = web.DiffLine{Op: "add", Text: text}
		}
		h.Diff = append(h.Diff, one)
	}
	return h
}

// findings are what is suspicious in definitions, of one server or of all.
func (l *looking) findings(eye *guard.Eye, server string) []web.Finding {
	out := []web.Finding{}
	for _, t := range l.known.Snapshot().Tools() {
		if name := t.Server().Name(); server != "" && server != name || eye.Denied(name) != "" || !eye.Permits(t) {
			continue
		}
		out = append(out, l.findingsOf(t)...)
	}
	return out
}

func (l *looking) findingsOf(t *catalog.Tool) []web.Finding {
	out := []web.Finding{}
	if !l.guard.findings() {
		return out
	}
	accepted := l.guard.keeper.Of(t.Server().Name(), t.Name()).Accepted
	for _, f := range l.guard.gate.Findings(t) {
		out = append(out, web.Finding{
			Tool: string(t.ID()), Server: t.Server().Name(), Kind: string(f.Kind), Where: f.Where, What: f.What, Excerpt: f.Excerpt, Accepted: accepted,
		})
	}
	return out
}

// Approve makes a definition count that somebody has read.
func (l *looking) Approve(who web.Caller, tool, fingerprint string) (*web.Approved, *web.Problem) {
	return l.decide(who, tool, fingerprint, l.guard.keeper.Approve, web.PinApproved)
}

// Reject leaves the one of before in place.
func (l *looking) Reject(who web.Caller, tool, fingerprint string) (*web.Approved, *web.Problem) {
	return l.decide(who, tool, fingerprint, l.guard.keeper.Reject, web.PinHeld)
}

func (l *looking) decide(who web.Caller, tool, fingerprint string, by func(server, identity string, read []guard.Waiting) int, pin string) (*web.Approved, *web.Problem) {
	eye := l.eye(who)
	if !whole(eye) {
		return nil, &web.Problem{
			Status: http.StatusForbidden, Code: web.CodeRefused, Message: "the policy tells callers apart, and a definition counts for all of them",
			Next: "whoever runs the gateway can decide, with toolcrib trust",
		}
	}
	changed := &web.Problem{Status: http.StatusConflict, Code: web.CodeChanged, Where: "fingerprint", Message: "the definition is not the one that was read", Next: "read it again"}
	for _, h := range l.held(eye) {
		if h.ID != tool {
			continue
		}
		if h.Fingerprint != fingerprint {
			return nil, changed
		}
		if by(h.Server, l.pool.Identity(h.Server), []guard.Waiting{{Server: h.Server, Tool: h.Tool, Now: h.Now}}) == 0 {
			return nil, changed
		}
		l.o.Log.Info("a changed definition was decided about", "tool", h.ID, "pin", pin, "by", guard.Subject(who.Subject))
		l.known.Changed(h.Server)
		if pin == web.PinHeld && !h.Serves {
			pin = web.PinWaits
		}
		return &web.Approved{ID: h.ID, Pin: pin}, nil
	}
	return nil, &web.Problem{Status: http.StatusNotFound, Code: web.CodeNotFound, Where: "id", Message: fmt.Sprintf("no definition of %q waits for approval", guard.Visible(tool, 80)), Next: "GET " + web.Root + "/trust lists those that do"}
}
