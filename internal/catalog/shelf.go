package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"sort"
	"strings"
)

// A shelf is what was worked out from the tools of one listing. It depends on
// the server's name, on what it says, and on the rules, and on no other server, so it
// is kept for as long as those stay the same.
type shelf struct {
	server   string
	infoRaw  []byte
	found    []Found
	info     serverInfo
	entries  []*entry // sorted by identifier
	original map[string]int32
	category map[string][]int32 // numbers of entries
	tag      map[string][]int32
	version  string
	problems []Problem
}

// newShelf reads a listing. What before has, and is still so, is taken over.
func newShelf(l Listing, rules *serverRules, before *shelf) *shelf {
	s := &shelf{server: l.Server, infoRaw: l.ServerInfo}
	p := &problems{server: l.Server}
	var ok bool
	if s.info, ok = readServerInfo(l.ServerInfo); !ok {
		p.add(Malformed, "", "server %s does not say what it is in a way that can be read; tell its author", quote(l.Server))
	}
	definitions, found := readDefinitions(l.Tools, before, p)
	s.found = found
	bearers, definitions := settleDuplicates(definitions, p)
	ids, clashes := identifiers(bearers)
	for _, c := range clashes {
		p.add(NameClash, "", "tools %s of server %s have the same Lua identifier %s; a hash was put to each that is not called so itself",
			quoteAll(c.names), quote(l.Server), c.identifier)
	}
	c := newClassifier(rules, l.Server, s.info, definitions)
	if !c.stated {
		p.add(ManyCategories, "", "server %s puts its tools into more than %d categories, which are passed over; give it one with a rule",
			quote(l.Server), maxStatedCategories)
	}
	s.entries = make([]*entry, len(definitions))
	var words told
	for i, d := range definitions {
		words.of(d)
		s.entries[i] = &entry{definition: d, lua: ids[i], category: c.category(d, ids[i], &words), tags: c.tags(d, ids[i], &words)}
	}
	slices.SortFunc(s.entries, func(a, b *entry) int { return strings.Compare(a.lua, b.lua) })
	s.index()
	s.version = s.hash()
	s.problems = p.all()
	return s
}

// same tells whether a listing would give this shelf again, under the same rules.
func (s *shelf) same(l Listing) bool {
	if s == nil || s.server != l.Server || len(s.found) != len(l.Tools) || !bytes.Equal(s.infoRaw, l.ServerInfo) {
		return false
	}
	if len(s.found) == 0 || &s.found[0] == &l.Tools[0] {
		return true
	}
	return slices.EqualFunc(s.found, l.Tools, func(a, b Found) bool {
		return a.Provenance == b.Provenance && a.Confidence == b.Confidence && bytes.Equal(a.Raw, b.Raw)
	})
}

// index makes the lookups. Categories and tags are few and repeat: their texts
// are kept once.
func (s *shelf) index() {
	s.original = map[string]int32{}
	s.category = map[string][]int32{}
	s.tag = map[string][]int32{}
	once := map[string]string{}
	keep := func(text string) string {
		if kept, ok := once[text]; ok {
			return kept
		}
		text = strings.Clone(text)
		once[text] = text
		return text
	}
	for i, e := range s.entries {
		if _, taken := s.original[e.name]; e.name != e.lua && !taken {
			s.original[e.name] = int32(i)
		}
		e.category = keep(e.category)
		s.category[e.category] = append(s.category[e.category], int32(i))
		for j := range e.tags {
			e.tags[j] = keep(e.tags[j])
			s.tag[e.tags[j]] = append(s.tag[e.tags[j]], int32(i))
		}
	}
}

// find is the number of the tool that has this identifier or, if none has, this
// original name. No tool's identifier is another's original name: whose name
// is an identifier keeps it.
func (s *shelf) find(tool string) (int32, bool) {
	i := sort.Search(len(s.entries), func(i int) bool { return s.entries[i].lua >= tool })
	if i < len(s.entries) && s.entries[i].lua == tool {
		return int32(i), true
	}
	n, ok := s.original[tool]
	return n, ok
}

// hash is of all that the shelf tells about tools.
func (s *shelf) hash() string {
	h := sha256.New()
	var w hashWriter
	for _, e := range s.entries {
		w.reset()
		w.text(e.lua)
		w.bytes(e.digest[:])
		w.text(string(e.provenance))
		w.number(math.Float64bits(e.confidence))
		w.text(e.category)
		w.number(uint64(len(e.tags)))
		for _, tag := range e.tags {
			w.text(tag)
		}
		h.Write(w.b)
	}
	return hex.EncodeToString(h.Sum(nil))
}
