package gateway

import (
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
)

// A Surface is the set of tools that agents see.
type Surface string

// The surfaces. The empty value is Passthrough.
const (
	Passthrough Surface = "passthrough" // every tool of every server
	Standard    Surface = "standard"    // our own tools, all of them
	Lean        Surface = "lean"        // the four of them that are enough
	Auto        Surface = "auto"        // Passthrough while that is small, else Standard
)

// DefaultAutoTokens is how many tokens the definitions of all servers may take
// for Auto to show them as they are.
const DefaultAutoTokens = 4000

// Lists tells whether one of our own tools is shown on a surface. On Auto it is
// where our own are shown at all.
func (s Surface) Lists(name string) bool {
	if s == Passthrough || s == "" {
		return false
	}
	for _, t := range ownTools() {
		if t.name == name {
			return t.lean || s != Lean
		}
	}
	return false
}

// surface is what agents see of a snapshot.
func (g *Gateway) surface(s *catalog.Snapshot) Surface {
	if g.o.Surface != Auto {
		return g.o.Surface
	}
	left := g.o.AutoTokens
	for _, t := range s.Tools() {
		if left -= disclose.Tokens(string(t.Raw())); left < 0 {
			return Standard
		}
	}
	return Passthrough
}

// only is the one server that is shown as it is, or several is true: then names
// say which server is meant.
func (g *Gateway) only(s *Sight) (server string, several bool) {
	names := g.o.Servers.Names()
	if len(names) != 1 || g.own(s) != nil {
		return "", true
	}
	return names[0], false
}

// own are our own tools if agents see those, nil on the passthrough surface.
func (g *Gateway) own(s *Sight) *toolSet {
	switch g.o.Surface {
	case Passthrough, "":
		return nil
	case Auto:
		return g.view(s).own
	case Lean:
		return g.lean
	}
	return g.standard
}
