package guard

import (
	"fmt"
	"sync"
	"sync/atomic"

	"toolcrib/internal/catalog"
)

// An Eye is what callers of one profile may see.
type Eye struct {
	// Seen is whatever the maker of the gate hangs on it, by GateOptions.Attach.
	Seen any

	gate    *Gate
	profile *Profile
	current atomic.Pointer[look]
	mu      sync.Mutex // one looks anew at a time
}

// A look is what an eye sees of one snapshot. It never changes.
type look struct {
	of       *catalog.Snapshot
	standing any
	shown    *catalog.Snapshot
	hidden   map[catalog.ToolID]string
	asked    map[catalog.ToolID]Decision
	limits   sync.Map // []*bound by catalog.ToolID, of those that were called
}

// look is what is seen now. Decisions are made once for each snapshot; whoever asks
// later looks them up.
func (e *Eye) look() *look {
	of, standing := e.gate.o.Snapshot(), e.gate.o.Keeper.Version()
	if l := e.current.Load(); l != nil && l.of == of && l.standing == standing {
		return l
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if l := e.current.Load(); l != nil && l.of == of && l.standing == standing {
		return l
	}
	if e.open() {
		l := &look{of: of, standing: standing, shown: of} // nothing to decide, as with most
		e.current.Store(l)
		return l
	}
	l := &look{of: of, standing: standing, hidden: map[catalog.ToolID]string{}, asked: map[catalog.ToolID]Decision{}}
	for _, t := range of.Tools() {
		switch d := e.decide(t); d.Verdict {
		case Deny:
			l.hidden[t.ID()] = d.Why
		case Ask:
			l.asked[t.ID()] = d
		}
	}
	l.shown = of.Without(
		func(t *catalog.Tool) bool { return l.hidden[t.ID()] != "" },
		func(s *catalog.Server) bool { return e.Denied(s.Name()) != "" },
		func(s *catalog.Server) bool { return e.Bare(s.Name()) != "" },
	)
	e.current.Store(l)
	return l
}

// open tells that there is nothing to decide.
func (e *Eye) open() bool {
	return e.profile.Open() && !e.profile.of.Block && !e.gate.o.Keeper.anyWaits()
}

// decide is the verdict on a tool with all that counts: the policy, its pin, and what
// was found in it.
func (e *Eye) decide(t *catalog.Tool) Decision {
	if d := e.profile.Decide(t); d.Verdict == Deny {
		return d
	}
	stands := e.gate.o.Keeper.Of(t.Server().Name(), t.Name())
	if stands.Waits {
		what := "its definition changed"
		if stands.New {
			what = "its server did not have it before"
		}
		return Decision{Deny, fmt.Sprintf("needs approval: %s; the user can read and approve it with: toolcrib trust %s", what, t.Server().Name()), "trust.pins"}
	}
	if e.profile.of.Block && !stands.Accepted && len(e.gate.Findings(t)) > 0 {
		return Decision{Deny, fmt.Sprintf("needs approval: something suspicious is in its definition; the user can read and approve it with: toolcrib trust --findings %s", t.Server().Name()), "trust.findings"}
	}
	return e.profile.Decide(t)
}

// Snapshot is all that may be seen.
func (e *Eye) Snapshot() *catalog.Snapshot { return e.look().shown }

// Hidden is why a tool may not be seen, "" if it may.
func (e *Eye) Hidden(t *catalog.Tool) string {
	l := e.look()
	if l.of.Tool(t.ID()) == nil { // it is of another moment
		if d := e.decide(t); d.Verdict == Deny {
			return d.Why
		}
		return ""
	}
	return l.hidden[t.ID()]
}

// Denied is why nothing at all of a server may be seen, "" if something may.
func (e *Eye) Denied(server string) string {
	d := e.profile.DecideServer(server)
	if d.Verdict != Deny || d.By == e.profile.byDefault().By && e.profile.allowsSome(server) {
		return ""
	}
	return d.Why
}

// Bare is why nothing but tools of a server may be seen, "" if its prompts and
// resources may, too.
func (e *Eye) Bare(server string) string {
	if d := e.profile.DecideServer(server); d.Verdict == Deny {
		return d.Why
	}
	return ""
}

// Personal tells that others may see something else.
func (e *Eye) Personal() bool { return e.profile.of.personal() }

// limits are those on calls of a tool.
func (e *Eye) limits(server, tool string) []*bound {
	if len(e.profile.limits) == 0 {
		return nil
	}
	l := e.look()
	t := l.of.Find(server, tool)
	if t == nil {
		return e.profile.limitsOf(nil, server, tool)
	}
	if known, ok := l.limits.Load(t.ID()); ok {
		return known.([]*bound)
	}
	found := e.profile.limitsOf(t, server, tool)
	l.limits.Store(t.ID(), found)
	return found
}

// Limits are what is said of how often a tool may be called.
func (e *Eye) Limits(t *catalog.Tool) (out []*Limit) {
	for _, b := range e.profile.limitsOf(t, t.Server().Name(), t.Name()) {
		out = append(out, b.Limit)
	}
	return out
}

// Role is the name of the profile that callers have, "" if they have none.
func (e *Eye) Role() string { return e.profile.Role() }

// Permits tells whether the policy lets a tool be seen, whatever else keeps it back: it
// is for those who decide about the rest.
func (e *Eye) Permits(t *catalog.Tool) bool { return e.profile.Decide(t).Verdict != Deny }

// Decide explains the verdict on a tool.
func (e *Eye) Decide(t *catalog.Tool) Decision { return e.decide(t) }

// of is the verdict on a request that is about a tool of a server.
func (e *Eye) of(server, tool string) (Decision, catalog.ToolID) {
	l := e.look()
	t := l.of.Find(server, tool)
	if t == nil {
		return e.profile.Unknown(server, tool), catalog.ToolID(catalog.Identifier(server) + "." + catalog.Identifier(tool))
	}
	if why := l.hidden[t.ID()]; why != "" {
		return e.decide(t), t.ID()
	}
	if d, ok := l.asked[t.ID()]; ok {
		return d, t.ID()
	}
	return Decision{Verdict: Allow, By: "policy"}, t.ID()
}
