package gateway

import (
	"slices"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// A Sight is what callers of one kind see of the servers. Whatever an agent is shown
// or can name comes from its sight, so that nothing else can be reached by any way.
type Sight struct {
	// Snapshot is what they may know; what they may not is not in it.
	Snapshot func() *catalog.Snapshot
	// Browser answers from it; nil on the passthrough surface.
	Browser *disclose.Browser
	// Denied is why nothing of a server is for them, "" if it is. It may be nil.
	Denied func(server string) string
	// Bare is why nothing but tools of a server is for them, "" if its prompts and
	// resources are, too. It may be nil.
	Bare func(server string) string
	// Private tells that other callers may see something else.
	Private bool

	views views
}

// sight is how whoever sent a request sees.
func (g *Gateway) sight(in *wire.Incoming) *Sight {
	if g.o.See == nil {
		return g.all
	}
	if in.Session != nil {
		agentOf(in.Session).allowed(in.Scopes)
	}
	s := g.o.See(call.Caller{Subject: in.Subject, Scopes: in.Scopes, Session: in.Session, Era: in.Era})
	if _, known := g.sights.LoadOrStore(s, true); !known {
		g.forgetSights()
	}
	return s
}

// maxSights is how many sights are told of changes. There are as many as a policy has
// kinds of callers, and more only while policies change.
const maxSights = 256

// forgetSights lets go of those of policies that are over.
func (g *Gateway) forgetSights() {
	n := 0
	g.sights.Range(func(any, any) bool { n++; return n <= maxSights })
	if n > maxSights {
		g.sights.Clear() // who is still in use comes back with the next request
	}
}

// names are the servers that a sight has, in the order of the configuration.
func (g *Gateway) names(s *Sight) []string {
	names := g.o.Servers.Names()
	if s.Denied == nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return s.Denied(name) != "" })
}

// withholds tells that nothing of a server is for the agent of a session.
func (g *Gateway) withholds(s *wire.Session, server string) bool {
	if g.o.See == nil {
		return false
	}
	sight := g.o.See(agentOf(s).caller())
	return sight.Denied != nil && sight.Denied(server) != ""
}

// resources says why the resources of a server are not for them.
func (s *Sight) resources(server string) error {
	for _, withheld := range []func(string) string{s.Denied, s.Bare} {
		if withheld == nil {
			continue
		}
		if why := withheld(server); why != "" {
			return wire.Errorf(wire.CodeRefused, "server %s is withheld: %s", server, why)
		}
	}
	return nil
}

// Changed tells agents that what they may see is another matter from now on.
func (g *Gateway) Changed() {
	for method := range listed {
		g.audience.changed(method)
	}
}
