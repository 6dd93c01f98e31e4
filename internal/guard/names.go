package guard

import "toolcrib/internal/catalog"

// Names are whose tools are called what, in one snapshot.
type Names struct {
	by map[string]*catalog.Server // nil where several servers have the name
}

// NewNames reads the names of all tools.
func NewNames(s *catalog.Snapshot) *Names {
	n := &Names{by: make(map[string]*catalog.Server, s.Len())}
	for _, t := range s.Tools() {
		if at, taken := n.by[t.Name()]; taken && at != t.Server() {
			n.by[t.Name()] = nil // a name that many use is nobody's
		} else {
			n.by[t.Name()] = t.Server()
		}
	}
	return n
}

// Others tells the names that only a tool of one other server has.
func (n *Names) Others(of *catalog.Server) Others {
	return func(name string) bool {
		at, known := n.by[name]
		return known && at != nil && at != of
	}
}
