package index

import (
	"context"
	"slices"

	"toolcrib/internal/catalog"
)

const (
	defaultLimit = 10
	maxLimit     = 1000
)

// Search answers a query. It never fails: a query that finds nothing says so in
// its verdict. A ctx that is done cuts it short.
func (x *Index) Search(ctx context.Context, q *Query) *Result {
	s := x.begin(q)
	s.byName()
	if ctx.Err() == nil {
		s.byWords()
	}
	return s.result()
}

// A search is one query under way.
type search struct {
	*Index
	query   *Query
	request request
	limit   int
	filter  filter

	terms, all []term
	idfs       float32     // of all terms that count
	classes    class       // of the verbs of the query
	first      []candidate // by name, best first
	ranked     []candidate // by words, best first
	withheld   []candidate // what would have been found, best first
	total      int
	cosines    []float32 // of each tool by somebody's own model, nil if there is none
	confidence float32   // that the best of ranked is what was wanted
}

func (x *Index) begin(q *Query) *search {
	s := &search{Index: x, query: q, request: parse(q.Text), limit: q.Limit}
	if s.limit <= 0 {
		s.limit = defaultLimit
	}
	s.limit = min(s.limit, maxLimit)
	s.filter = x.newFilter(q, &s.request)
	s.terms, s.all = x.terms(s.request.text)
	for i := range s.terms {
		s.idfs += s.terms[i].idf
	}
	for i := range s.all {
		s.classes |= s.all[i].class
	}
	return s
}

// A candidate is a tool that may be an answer.
type candidate struct {
	tool      uint32
	early     float32  // what it was chosen by
	lexical   float32  // BM25
	match     float32  // of the words' vectors
	score     float32  // what it is ordered by in the end
	relevance float32  // 0 to 1
	why       string   // it is withheld
	named     string   // how it was called for, if it was
	features  features // of those that were ranked
}

// byName finds the tools that are called for by name.
func (s *search) byName() {
	for _, name := range s.request.selected {
		exact, _ := s.named(name)
		s.take(exact, "selected", 1)
	}
	if s.request.text == "" {
		return
	}
	exact, prefixed := s.named(s.request.text)
	s.take(exact, "name", 1)
	s.take(prefixed, "name prefix", .9)
}

func (s *search) take(tools []uint32, named string, relevance float32) {
	for _, tool := range tools {
		c := candidate{tool: tool, relevance: relevance, named: named}
		if c.why = s.filter.hides(s.Index, tool); c.why != "" {
			s.withheld = append(s.withheld, c)
		} else if !slices.ContainsFunc(s.first, func(o candidate) bool { return o.tool == tool }) {
			s.first = append(s.first, c)
		}
	}
}

// byWords finds the tools that have to do with the words of the query.
func (s *search) byWords() {
	s.closely(func(e *examiner) {
		s.order()
		e.believe()
	})
}

// closely looks at the tools that have to do with the query, and lets do go on.
func (s *search) closely(do func(*examiner)) {
	if len(s.terms) == 0 || len(s.owner) == 0 {
		return
	}
	w := s.scratch.Get().(*scratch)
	defer s.scratch.Put(w)
	w.clear()
	s.lexical(s.terms, w.scores)
	s.match(s.terms, w)
	s.choose(w)
	e := &examiner{search: s, scratch: w}
	e.prepare()
	defer e.forget()
	e.examine()
	do(e)
}

// result puts together what was found.
func (s *search) result() *Result {
	r := &Result{}
	s.orderNamed()
	for _, c := range slices.Concat(s.first, s.ranked) {
		if len(r.Hits) == s.limit {
			break
		}
		t := s.tool(c.tool)
		if slices.ContainsFunc(r.Hits, func(h Hit) bool { return h.Tool == t }) {
			continue
		}
		r.Hits = append(r.Hits, Hit{t, percent(c.relevance), s.explain(&c)})
	}
	r.Total = max(s.total, len(r.Hits))
	s.judge(r)
	return r
}

// orderNamed puts tools that only begin with what was asked for in the order of
// the ranking, where it has them.
func (s *search) orderNamed() {
	place := make(map[uint32]int, len(s.ranked))
	for i := range s.ranked {
		place[s.ranked[i].tool] = i - len(s.ranked)
	}
	from := slices.IndexFunc(s.first, func(c candidate) bool { return c.relevance < 1 })
	if from < 0 {
		return
	}
	slices.SortStableFunc(s.first[from:], func(a, b candidate) int { return place[a.tool] - place[b.tool] })
}

func percent(relevance float32) int { return int(min(max(relevance, 0), 1)*100 + .5) }

// A filter is what of the catalog is searched.
type filter struct {
	hidden   func(*catalog.Tool) string
	parts    []bool // by number, nil for all
	category []string
}

func (x *Index) newFilter(q *Query, r *request) filter {
	f := filter{hidden: q.Hidden}
	names := r.servers
	if q.Server != "" {
		names = append(names, q.Server)
	}
	if len(names) > 0 {
		f.parts = make([]bool, len(x.parts))
		for _, name := range names {
			server := x.serverNamed(name)
			for i := range x.parts {
				f.parts[i] = f.parts[i] || x.parts[i].server == server
			}
		}
	}
	for _, category := range append(r.categories, q.Category) {
		if category != "" {
			f.category = append(f.category, key(category))
		}
	}
	return f
}

// serverNamed is a server by its identifier, its name, or either as somebody
// else would write it; nil if there is none.
func (x *Index) serverNamed(name string) *catalog.Server {
	if s := x.snapshot.Server(name); s != nil {
		return s
	}
	k := key(name)
	for i := range x.parts {
		if p := &x.parts[i]; p.called[0] == k || p.called[1] == k {
			return p.server
		}
	}
	return nil
}

// What filters say of what they keep back. Policies have words of their own.
const (
	otherServer   = "of another server"
	otherCategory = "in another category"
)

// hides is why a tool is not for whoever asks, "" if it is.
func (f *filter) hides(x *Index, tool uint32) string {
	if f.parts != nil && !f.parts[x.owner[tool]] {
		return otherServer
	}
	if f.category == nil && f.hidden == nil {
		return ""
	}
	t := x.tool(tool)
	for _, category := range f.category {
		if category != key(t.Category()) {
			return otherCategory
		}
	}
	if f.hidden != nil {
		return f.hidden(t)
	}
	return ""
}
