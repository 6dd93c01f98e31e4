package index

import "slices"

const (
	shortlist     = 60  // how many tools are looked at closely
	mostWithheld  = 30  // how many of those that are kept back are
	worthCounting = .25 // from which match on a tool without a word of the query counts as matching
	matchingFirst = 10  // what a match of vectors weighs against BM25, of which the best is 1
)

// choose picks the tools to look at closely.
func (s *search) choose(w *scratch) {
	best := float32(1e-6)
	for _, score := range w.scores {
		best = max(best, score)
	}
	visible, kept := choice{most: shortlist}, choice{most: mostWithheld}
	s.cosines = s.own.cosines(s.query.Vector)
	for tool, lexical := range w.scores {
		match := w.matches[tool]
		early := lexical/best + matchingFirst*match
		if s.cosines != nil {
			early += ownEarly * s.cosines[tool]
		}
		if early == 0 {
			continue
		}
		if lexical > 0 || match >= worthCounting {
			s.total++
		}
		if early <= visible.least && early <= kept.least {
			continue
		}
		if p := (pick{uint32(tool), early}); s.filter.hides(s.Index, p.tool) == "" {
			visible.add(p)
		} else {
			kept.add(p)
		}
	}
	s.ranked = s.candidates(visible.best(), w)
	s.withheld = append(s.withheld, s.candidates(kept.best(), w)...)
	for i := range s.withheld {
		s.withheld[i].why = s.filter.hides(s.Index, s.withheld[i].tool)
	}
}

func (s *search) candidates(picks []pick, w *scratch) []candidate {
	all := make([]candidate, len(picks))
	for i, p := range picks {
		all[i] = candidate{tool: p.tool, early: p.early, lexical: w.scores[p.tool], match: w.matches[p.tool]}
	}
	return all
}

// A pick is a tool and what it may be picked for.
type pick struct {
	tool  uint32
	early float32
}

// A choice is the best picks so far, and some that were.
type choice struct {
	most  int
	least float32 // what is not above it is not among the best
	all   []pick
}

func (c *choice) add(p pick) {
	if p.early <= c.least {
		return
	}
	if c.all == nil {
		c.all = make([]pick, 0, 2*c.most)
	}
	if c.all = append(c.all, p); len(c.all) == 2*c.most {
		c.all = c.best()
		c.least = c.all[len(c.all)-1].early
	}
}

func (c *choice) best() []pick {
	slices.SortFunc(c.all, func(a, b pick) int {
		switch {
		case a.early > b.early:
			return -1
		case a.early < b.early:
			return 1
		}
		return int(a.tool) - int(b.tool)
	})
	return c.all[:min(c.most, len(c.all))]
}
