package index

import (
	"iter"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
)

// A part is what was worked out for the tools of one server. It depends on them
// and on what the server is called, and is kept while those stay the same.
type part struct {
	version   string // of the server's tools
	server    string // what the server is called
	documents []document
	words     []wordID
	fields    []field   // of the words that tools start with
	postings  []posting // their ids are of words
	names     []name    // sorted by key
	called    [2]string // keys of the server's identifier and name
	vectors   []vector  // of each tool
	scales    []float32 // of each vector
}

// A name is how a tool may be called for, as key makes it.
type name struct {
	key  string
	tool uint32
}

func newPart(s *catalog.Server, words *lexicographer) *part {
	p := &part{called: [2]string{key(s.LuaName()), key(s.Name())}, version: s.ToolsVersion(), server: serverText(s), documents: make([]document, 0, s.Len())}
	d := documenter{words: words, part: p}
	for i := range s.Len() {
		t := s.Tool(i)
		d.add(t, p.server)
		own := key(t.Name())
		p.names = append(p.names, name{own, uint32(i)})
		if lua := key(t.LuaName()); lua != own {
			p.names = append(p.names, name{lua, uint32(i)})
		}
	}
	d.settle()
	p.words, p.postings = slices.Clip(p.words), slices.Clip(p.postings)
	slices.SortFunc(p.names, func(a, b name) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return int(a.tool) - int(b.tool)
	})
	return p
}

// of tells whether the part is of this server as it is.
func (p *part) of(s *catalog.Server) bool {
	return p != nil && p.version == s.ToolsVersion() && p.server == serverText(s) && p.called[0] == key(s.LuaName())
}

// key is a name without what people write differently: createIssue,
// create-issue and Create Issue are one.
func key(text string) string {
	var b strings.Builder
	eachRune := func(r rune) rune {
		if wordRune(r) {
			return r
		}
		return -1
	}
	b.WriteString(fold(strings.Map(eachRune, text)))
	return b.String()
}

// serverStems are the stems of what the server is called.
func (p *part) serverStems(words *dictionary) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		eachWord(p.server, func(word string) bool {
			id, ok := words.ids[word]
			return !ok || words.words[id].stop || yield(words.words[id].stem)
		})
	}
}
