package app

import (
	"fmt"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/guard"
)

// A Waiting is a definition that waits for a person to approve it.
type Waiting = guard.Waiting

// A Finding is something suspicious in a definition.
type Finding = guard.Finding

// Waiting are the definitions of servers, all if no names are given, that wait for
// approval, in the order of the file.
func (i *Inspection) Waiting(names ...string) []Waiting {
	var out []Waiting
	for _, s := range i.chosen(names) {
		out = append(out, i.o.keeper.Waiting(s.Name, i.identity[s.Name])...)
	}
	return out
}

// Approve makes definitions that somebody has read count. Of those that changed
// again meanwhile nothing is approved. A gateway that runs sees it within seconds.
func (i *Inspection) Approve(read []Waiting) (approved int) {
	by := map[string][]Waiting{}
	for _, w := range read {
		by[w.Server] = append(by[w.Server], w)
	}
	for server, list := range by {
		approved += i.o.keeper.Approve(server, i.identity[server], list)
	}
	return approved
}

// A Suspect is a tool in whose definition something was found.
type Suspect struct {
	Tool     *catalog.Tool
	Findings []Finding
	Accepted bool // a person has read and approved the definition
}

// Suspects are the tools of servers, all if no names are given, in whose definitions
// something was found.
func (i *Inspection) Suspects(names ...string) []Suspect {
	gate := i.gate(false)
	s := i.Snapshot()
	var out []Suspect
	for _, chosen := range i.chosen(names) {
		server := s.Server(chosen.Name)
		if server == nil {
			continue
		}
		for _, t := range server.Tools() {
			if found := gate.Findings(t); len(found) > 0 {
				out = append(out, Suspect{t, found, i.o.keeper.Of(chosen.Name, t.Name()).Accepted})
			}
		}
	}
	return out
}

// Accept approves definitions in which something was found.
func (i *Inspection) Accept(read []Suspect) (accepted int) {
	by := map[string][]string{}
	for _, s := range read {
		name := s.Tool.Server().Name()
		by[name] = append(by[name], s.Tool.Name())
	}
	for server, tools := range by {
		accepted += i.o.keeper.Accept(server, i.identity[server], tools)
	}
	return accepted
}

// A Decision is what the policy says of a tool and a caller, and why.
type Decision = guard.Decision

// A Judgement is what the policy says of a tool and a caller, and of its calls.
type Judgement struct {
	Decision
	Profile string   // of the caller, "" if it has none
	Limits  []string // on its calls, each with where it stands
}

// Judge is the verdict on a tool for a caller, "" or local being whoever is not
// authenticated, with the scopes of its token.
func (i *Inspection) Judge(t *catalog.Tool, subject string, scopes []string) Judgement {
	if subject == guard.LocalUser {
		subject = ""
	}
	eye := i.gate(false).Eye(subject, scopes...)
	j := Judgement{Decision: eye.Decide(t), Profile: eye.Role()}
	for _, l := range eye.Limits(t) {
		j.Limits = append(j.Limits, fmt.Sprintf("at most %s (by %s)", l, l.Where))
	}
	return j
}

// gate decides about what is known now. present: whoever calls is the one who would be
// asked.
func (i *Inspection) gate(present bool) *guard.Gate {
	s := i.Snapshot()
	return i.gateOf(func() *catalog.Snapshot { return s }, nil, present)
}

func (i *Inspection) gateOf(snapshot func() *catalog.Snapshot, audit *guard.Audit, present bool) *guard.Gate {
	g := guard.NewGate(guard.GateOptions{Snapshot: snapshot, Keeper: i.o.keeper, Audit: audit, Present: present})
	g.SetPolicy(policyOf(i.c))
	return g
}

// findings tells whether definitions are looked at.
func (i *Inspection) findings() bool { return i.c.Trust.Findings != config.FindingsOff }

// Visible is a text of a server's as a person can read it: what cannot be seen is
// written as its number.
func Visible(text string, most int) string { return guard.Visible(text, most) }
