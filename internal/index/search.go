package index

import (
	"cmp"
	"context"
	"math"
	"slices"

	"toolcrib/internal/catalog"
)

// Search answers a query. It never fails: a query that finds nothing says so in
// its verdict. A ctx that is done cuts it short.
func (x *Index) Search(ctx context.Context, q *Query) *Result {
	s := &search{Index: x, query: q, request: parse(q.Text), limit: q.Limit}
	if s.limit <= 0 {
		s.limit = defaultLimit
	}
	s.filter()
	s.byName()
	s.rank(ctx)
	return s.result()
}

const (
	defaultLimit = 10
	shortlist    = 200 // how many tools are looked at closely
)

// A search is one query under way.
type search struct {
	*Index
	query   *Query
	request request
	limit   int

	servers    []*catalog.Server // only these, nil for all
	noServer   bool              // a server was named that is not there
	terms, all []term
	first      []candidate // by name
	ranked     []candidate // by words
	withheld   []candidate
	total      int
}

// A candidate is a tool that may be an answer.
type candidate struct {
	tool      uint32
	score     float32
	relevance float32 // 0 to 1
	why       string  // it is withheld
	matched   []string
}

// filter reads what is to be searched.
func (s *search) filter() {
	names := s.request.servers
	if s.query.Server != "" {
		names = append(names, s.query.Server)
	}
	for _, name := range names {
		if server := s.snapshot.Server(name); server != nil {
			s.servers = append(s.servers, server)
		}
	}
	s.noServer = len(names) > 0 && len(s.servers) == 0
}

// hidden is why a tool is not for whoever asks, "" if it is.
func (s *search) hidden(t *catalog.Tool) string {
	if s.query.Hidden != nil {
		if why := s.query.Hidden(t); why != "" {
			return why
		}
	}
	if s.noServer || s.servers != nil && !slices.Contains(s.servers, t.Server()) {
		return "of another server"
	}
	for _, category := range append(s.request.categories, s.query.Category) {
		if category != "" && key(category) != key(t.Category()) {
			return "in another category"
		}
	}
	return ""
}

// byName finds the tools that are called for by name.
func (s *search) byName() {
	for _, name := range s.request.selected {
		exact, _ := s.named(name)
		s.take(exact, "selected", 1)
	}
	exact, prefixed := s.named(s.request.text)
	s.take(exact, "name", 1)
	s.take(prefixed, "name prefix", .9)
}

func (s *search) take(tools []uint32, matched string, relevance float32) {
	for _, tool := range tools {
		c := candidate{tool: tool, relevance: relevance, matched: []string{matched}}
		if c.why = s.hidden(s.tool(tool)); c.why != "" {
			s.withheld = append(s.withheld, c)
		} else if !slices.ContainsFunc(s.first, func(o candidate) bool { return o.tool == tool }) {
			s.first = append(s.first, c)
		}
	}
}

// rank finds the tools that have to do with the words of the query.
func (s *search) rank(ctx context.Context) {
	s.terms, s.all = s.Index.terms(s.request.text)
	if len(s.terms) == 0 || ctx.Err() != nil {
		return
	}
	w := s.scratch.Get().(*scratch)
	defer s.scratch.Put(w)
	clear(w.scores)
	s.lexical(s.terms, w.scores)
	s.choose(w.scores)
	if len(s.ranked) == 0 {
		return
	}
	best := s.ranked[0].score
	var ideal float32
	for i := range s.terms {
		ideal += s.terms[i].weight * (s.terms[i].idf + s.terms[i].own)
	}
	for i := range s.ranked {
		c := &s.ranked[i]
		coverage := s.coverage(c.tool, s.all)
		c.relevance = min(1, c.score/ideal*.8+.2*coverage)
		c.score = c.score/best + .15*coverage
		if !s.tool(c.tool).Callable() {
			c.score *= .5
		}
		c.matched = s.explain(c.tool)
	}
	slices.SortStableFunc(s.ranked, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
}

// choose keeps the tools with the best scores.
func (s *search) choose(scores []float32) {
	least := float32(0)
	var all []candidate
	for tool, score := range scores {
		if score <= 0 {
			continue
		}
		s.total++
		if score <= least {
			continue
		}
		all = append(all, candidate{tool: uint32(tool), score: score})
		if len(all) == 4*shortlist {
			all = best(all, shortlist)
			least = all[len(all)-1].score
		}
	}
	for _, c := range best(all, shortlist) {
		if c.why = s.hidden(s.tool(c.tool)); c.why != "" {
			s.withheld = append(s.withheld, c)
		} else {
			s.ranked = append(s.ranked, c)
		}
	}
}

func best(all []candidate, n int) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.tool, b.tool))
	})
	return all[:min(n, len(all))]
}

// explain tells which words of the query a tool has, and where.
func (s *search) explain(tool uint32) []string {
	var matched []string
	p := &s.parts[s.owner[tool]]
	d := &p.documents[tool-p.start]
	for i := range s.terms {
		for _, o := range p.postings[d.postings.from:d.postings.to] {
			if s.words.words[o.id].stem == s.terms[i].stem {
				matched = append(matched, o.where.String()+":"+s.terms[i].text)
				break
			}
		}
	}
	return matched
}

// result puts together what was found.
func (s *search) result() *Result {
	r := &Result{Total: max(s.total, len(s.first))}
	for _, c := range append(s.first, s.ranked...) {
		if len(r.Hits) == s.limit {
			break
		}
		t := s.tool(c.tool)
		if slices.ContainsFunc(r.Hits, func(h Hit) bool { return h.Tool == t }) {
			continue
		}
		r.Hits = append(r.Hits, Hit{t, int(math.Round(float64(c.relevance) * 100)), c.matched})
	}
	s.judge(r)
	return r
}
