package index

import (
	"cmp"
	"slices"

	"toolcrib/internal/catalog"
)

// sure is the relevance from which a match is taken for what was wanted.
const sure = .35

// judge gives a result its verdict.
func (s *search) judge(r *Result) {
	counts := map[string]int{}
	for _, c := range s.withheld {
		if c.relevance >= sure || len(s.first) == 0 && len(s.ranked) == 0 {
			counts[c.why]++
		}
	}
	for why, n := range counts {
		r.Withheld = append(r.Withheld, Withholding{why, n})
	}
	slices.SortFunc(r.Withheld, func(a, b Withholding) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Why, b.Why))
	})
	switch {
	case len(r.Hits) > 0 && r.Hits[0].Relevance >= sure*100:
		r.Verdict = Found
		if server := r.Hits[0].Tool.Server(); server.Failure() != nil {
			r.Verdict = Unavailable
			r.Down = append(r.Down, server)
		}
	case len(r.Withheld) > 0:
		r.Verdict = Withheld
	case len(r.Hits) > 0:
		r.Verdict = Near
	default:
		r.Verdict = None
	}
	if r.Verdict == Near || r.Verdict == None {
		r.Suggestions = s.suggest()
	}
}

// suggest names what there is to look for.
func (s *search) suggest() []string {
	categories := s.snapshot.Categories()
	slices.SortStableFunc(categories, func(a, b catalog.Category) int { return cmp.Compare(b.Count, a.Count) })
	var out []string
	for _, c := range categories[:min(5, len(categories))] {
		out = append(out, "category:"+c.Name)
	}
	return out
}
