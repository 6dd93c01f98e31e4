package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// A Relationship is why two tools are related.
type Relationship int

const (
	Explicit     Relationship = iota // its server says so
	SameCategory                     // they are of one category
	SharedTags                       // they have tags in common
)

// A Relation is a tool that is related to another.
type Relation struct {
	Tool *Tool
	Kind Relationship
	Tags []string // those that both have, the rarest first
}

// String is the relationship in words.
func (r Relation) String() string {
	switch r.Kind {
	case Explicit:
		return "explicit"
	case SameCategory:
		return "same category"
	}
	return "shared tags: " + strings.Join(r.Tags, ", ")
}

const (
	// DefaultRelated and MaxRelated are how many related tools are returned
	// when nobody says, and at most.
	DefaultRelated = 5
	MaxRelated     = 50

	// maxExamined is how many tools are looked at to find them.
	maxExamined = 2000
)

// Related returns the tools that are related to one: first those its server
// names, then those of its category, then those that share tags; among them
// those of its own server first, and then those that share rarer tags.
func (s *Snapshot) Related(t *Tool, most int) []Relation {
	if most <= 0 {
		most = DefaultRelated
	}
	most = min(most, MaxRelated)
	out := s.explicit(t, most)
	if len(out) == most {
		return out
	}
	f := finder{snapshot: s, of: t, seen: map[*Tool]bool{t: true}, weight: s.rarity(t)}
	for _, r := range out {
		f.seen[r.Tool] = true
	}
	f.lookAround()
	slices.SortFunc(f.found, compareRated)
	for _, r := range f.found[:min(len(f.found), most-len(out))] {
		r.Tags = f.shared(r.Tool)
		out = append(out, r.Relation)
	}
	return out
}

// explicit are the tools that t's server names as related to it.
func (s *Snapshot) explicit(t *Tool, most int) []Relation {
	var out []Relation
	for _, name := range t.statedRelated {
		other := s.meant(t, name)
		again := func(r Relation) bool { return r.Tool == other }
		if other == nil || other == t || len(out) == most || slices.ContainsFunc(out, again) {
			continue
		}
		out = append(out, Relation{Tool: other, Kind: Explicit})
	}
	return out
}

// meant is the tool that t's server means by a name: one of its own, or one that
// cannot be mistaken for another.
func (s *Snapshot) meant(t *Tool, name string) *Tool {
	if own := t.server.find(name); own != nil {
		return own
	}
	if full := s.Resolve(name); full != nil {
		return full
	}
	if named := s.Named(name); len(named) == 1 {
		return named[0]
	}
	return nil
}

// rarity weighs the tags of a tool that relate it to others: one that many have
// tells little. What annotations say relates nothing.
func (s *Snapshot) rarity(t *Tool) map[string]float64 {
	weight := make(map[string]float64, len(t.tags))
	for _, tag := range t.tags {
		switch tag {
		case "read-only", "destructive", "idempotent", "open-world":
			continue
		}
		count := 0
		for _, server := range s.servers {
			count += len(server.shelf.tag[tag])
		}
		weight[tag] = 1 / float64(max(count, 1))
	}
	return weight
}

// A rated relation can be compared with others.
type rated struct {
	Relation
	own    bool // of the same server
	weight float64
}

func compareRated(a, b rated) int {
	if a.Kind != b.Kind {
		return cmp.Compare(a.Kind, b.Kind)
	}
	if a.own != b.own {
		if a.own {
			return -1
		}
		return 1
	}
	if a.weight != b.weight {
		return cmp.Compare(b.weight, a.weight)
	}
	return cmp.Compare(a.Tool.id, b.Tool.id)
}

// A finder looks for what is related to one tool.
type finder struct {
	snapshot *Snapshot
	of       *Tool
	seen     map[*Tool]bool
	weight   map[string]float64
	found    []rated
	examined int
}

// lookAround examines tools in the order in which they are likely to be
// related, until it has seen enough.
func (f *finder) lookAround() {
	tags := make([]string, 0, len(f.weight))
	for tag := range f.weight {
		tags = append(tags, tag)
	}
	f.sortTags(tags)
	own := f.of.server
	for _, tag := range tags {
		f.examine(own, own.shelf.tag[tag])
	}
	f.examine(own, f.category(own))
	for _, tag := range tags {
		for _, server := range f.snapshot.servers {
			f.examine(server, server.shelf.tag[tag])
		}
	}
	for _, server := range f.snapshot.servers {
		f.examine(server, f.category(server))
	}
}

// category are a server's tools of the same category. That two tools fit no
// category relates them to nothing.
func (f *finder) category(server *Server) []int32 {
	if f.of.category == General {
		return nil
	}
	return server.shelf.category[f.of.category]
}

func (f *finder) examine(server *Server, numbers []int32) {
	for _, i := range numbers {
		if f.examined == maxExamined {
			return
		}
		t := &server.tools[i]
		if f.seen[t] {
			continue
		}
		f.seen[t] = true
		f.examined++
		f.found = append(f.found, f.rate(t))
	}
}

func (f *finder) rate(t *Tool) rated {
	r := rated{Relation: Relation{Tool: t, Kind: SharedTags}, own: t.server == f.of.server}
	if t.category == f.of.category && t.category != General {
		r.Kind = SameCategory
	}
	for _, tag := range t.tags {
		r.weight += f.weight[tag]
	}
	return r
}

// shared are the tags that relate t.
func (f *finder) shared(t *Tool) []string {
	var tags []string
	for _, tag := range t.tags {
		if f.weight[tag] > 0 {
			tags = append(tags, tag)
		}
	}
	f.sortTags(tags)
	return tags
}

// sortTags puts the rarest first.
func (f *finder) sortTags(tags []string) {
	slices.SortFunc(tags, func(a, b string) int {
		if f.weight[a] != f.weight[b] {
			return cmp.Compare(f.weight[b], f.weight[a])
		}
		return cmp.Compare(a, b)
	})
}
