package catalog

import "slices"

// Without is s without the tools that hide says so of, without servers that gone says
// so of, and without prompts and resources of those that bare says so of; each may be
// nil. Ids stay what they are in s. What is left out is in no list, count, category or
// tag of it.
func (s *Snapshot) Without(hide func(*Tool) bool, gone, bare func(*Server) bool) *Snapshot {
	next := &Snapshot{built: s.built, rules: s.rules}
	same := true
	for _, server := range s.servers {
		if gone != nil && gone(server) {
			same = false
			continue
		}
		kept := server.without(hide)
		if bare != nil && bare(server) {
			kept = kept.bared()
		}
		same = same && kept == server
		next.servers = append(next.servers, kept)
	}
	if same {
		return s
	}
	next.index()
	next.version = next.hash()
	return next
}

func (s *Server) without(hide func(*Tool) bool) *Server {
	if hide == nil {
		return s
	}
	hidden := map[*entry]bool{}
	for i := range s.tools {
		if hide(&s.tools[i]) {
			hidden[s.tools[i].entry] = true
		}
	}
	if len(hidden) == 0 {
		return s
	}
	names := map[string]bool{} // hidden, and no other tool of that name is shown
	for e := range hidden {
		names[e.name] = true
	}
	next := &Server{lua: s.lua, listing: s.listing}
	next.shelf = &shelf{server: s.shelf.server, infoRaw: s.shelf.infoRaw, info: s.shelf.info}
	for _, e := range s.shelf.entries {
		if !hidden[e] {
			next.shelf.entries = append(next.shelf.entries, e)
		}
	}
	next.shelf.found = slices.DeleteFunc(slices.Clone(s.shelf.found), func(f Found) bool { return names[nameIn(f.Raw)] })
	next.listing.Tools = next.shelf.found
	next.shelf.look()
	next.shelf.version = next.shelf.hash()
	next.tools = make([]Tool, 0, len(next.shelf.entries))
	for i := range s.tools {
		if t := s.tools[i]; !hidden[t.entry] {
			t.server = next
			next.tools = append(next.tools, t)
		}
	}
	return next
}

// bared is s with its tools alone.
func (s *Server) bared() *Server {
	l := s.listing
	if len(l.Prompts)+len(l.Resources)+len(l.Templates) == 0 {
		return s
	}
	l.Prompts, l.Resources, l.Templates = nil, nil, nil
	next := &Server{lua: s.lua, listing: l, shelf: s.shelf, tools: slices.Clone(s.tools)}
	for i := range next.tools {
		next.tools[i].server = next
	}
	return next
}

// look makes the lookups of entries that are those of another shelf too: unlike index it
// changes nothing of them.
func (s *shelf) look() {
	s.original, s.category, s.tag = map[string]int32{}, map[string][]int32{}, map[string][]int32{}
	for i, e := range s.entries {
		if _, taken := s.original[e.name]; e.name != e.lua && !taken {
			s.original[e.name] = int32(i)
		}
		s.category[e.category] = append(s.category[e.category], int32(i))
		for _, tag := range e.tags {
			s.tag[tag] = append(s.tag[tag], int32(i))
		}
	}
}

// Fingerprint is that of a tool with this definition, "" if it is none.
func Fingerprint(raw []byte) string {
	d, err := new(reader).read(Found{Raw: raw, Provenance: Protocol})
	if err != nil {
		return ""
	}
	return d.fingerprint
}
