package catalog

import (
	"bytes"
	"slices"
)

// readDefinitions reads the tools of a listing, except those that before has
// read already. It returns what was found as well, in memory of its own: the
// bytes come from an answer of perhaps megabytes, which a single tool that stays
// as it is would keep from being freed for as long.
func readDefinitions(listed []Found, before *shelf, p *problems) (definitions []*definition, found []Found) {
	definitions = make([]*definition, 0, len(listed))
	found = make([]Found, len(listed))
	var r reader
	for i, f := range listed {
		d := before.read(f)
		if d != nil {
			f.Raw = d.raw
		} else {
			f.Raw = bytes.Clone(f.Raw)
		}
		found[i] = f
		if !knownProvenance(f.Provenance) {
			p.add(Malformed, "", "tool %d of server %s does not tell how it was learned of, and is left out; refresh the server", i+1, quote(p.server))
			continue
		}
		if d == nil {
			var err error
			if d, err = r.read(f); err != nil {
				p.add(Malformed, "", "tool %d of server %s cannot be read and is left out: %v; tell the server's author", i+1, quote(p.server), err)
				continue
			}
		}
		for _, note := range d.notes {
			p.add(Malformed, d.name, "of tool %s of server %s, %s and is passed over; tell the server's author", quote(d.name), quote(p.server), note)
		}
		definitions = append(definitions, d)
	}
	return definitions, found
}

// read returns the definition that was read from the same bytes before, nil
// if there is none.
func (s *shelf) read(f Found) *definition {
	if s == nil {
		return nil
	}
	i, ok := s.find(nameIn(f.Raw))
	if !ok || !s.entries[i].same(f) {
		return nil
	}
	return s.entries[i].definition
}

// settleDuplicates leaves one of tools that are the same, and of a tool that was
// learned of in several ways the surest. Different tools of one name all stay, but
// only the first keeps the name to itself.
func settleDuplicates(definitions []*definition, p *problems) ([]bearer, []*definition) {
	first := make(map[string]*definition, len(definitions))
	several := map[string][]*definition{}
	for _, d := range definitions {
		if one, ok := first[d.name]; !ok {
			first[d.name] = d
		} else if several[d.name] == nil {
			several[d.name] = []*definition{one, d}
		} else {
			several[d.name] = append(several[d.name], d)
		}
	}
	bearers := make([]bearer, 0, len(definitions))
	kept := make([]*definition, 0, len(definitions))
	for _, d := range definitions {
		if first[d.name] != d {
			continue // told with the first
		}
		all := several[d.name]
		if all == nil {
			bearers, kept = append(bearers, bearer{name: d.name, key: d.name}), append(kept, d)
			continue
		}
		all = distinct(all)
		reportDuplicates(d.name, all, p)
		for i, one := range all {
			b := bearer{name: one.name, key: one.name, again: i > 0}
			if b.again {
				b.key += "\x00" + string(one.digest[:])
			}
			bearers, kept = append(bearers, b), append(kept, one)
		}
	}
	return bearers, kept
}

// distinct are the definitions of the surest provenance among several of one
// name, each once.
func distinct(all []*definition) []*definition {
	surest := len(provenances)
	for _, d := range all {
		surest = min(surest, slices.Index(provenances, d.provenance))
	}
	var out []*definition
	seen := make(map[[32]byte]bool, len(all))
	for _, d := range all {
		if d.provenance == provenances[surest] && !seen[d.digest] {
			seen[d.digest] = true
			out = append(out, d)
		}
	}
	return out
}

func reportDuplicates(name string, kept []*definition, p *problems) {
	if len(kept) == 1 {
		p.add(DuplicateTool, name, "server %s lists tool %s several times; it is shown once; tell its author", quote(p.server), quote(name))
		return
	}
	p.add(DuplicateTool, name, "server %s lists %d different tools called %s; the first keeps the name, the others got a hash to it, "+
		"but the server cannot tell which of them is called; tell its author", quote(p.server), len(kept), quote(name))
}

// provenances, the surest first.
var provenances = []Provenance{Protocol, Parsed, ApprovedName, Predicted}

func knownProvenance(p Provenance) bool { return slices.Contains(provenances, p) }
