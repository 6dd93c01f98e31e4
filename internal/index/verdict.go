package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
)

// The verdicts rest on how sure it is that the best hit is what was wanted.
// Both bounds were chosen on requests of which it is known whether there is a tool for them.
const (
	sure     = .5  // from here on it was found
	hopeless = .11 // below this, nothing here does that
)

// verdictBound is the log-odds by the fitted weights at which it is as good to
// believe in a hit as not to: an answer that is called doubtful costs more than an
// impossible request that is not.
const verdictBound = -.95

// judge gives a result its verdict.
func (s *search) judge(r *Result) {
	r.Withheld = s.counted()
	best := float32(0)
	if len(r.Hits) > 0 {
		best = s.confidence
		if len(s.first) > 0 {
			best = 1
		}
	}
	switch {
	case len(r.Withheld) > 0 && (best < sure || s.betterWithheld()):
		r.Verdict = Withheld
	case best >= sure:
		r.Verdict = Found
		s.down(r)
	case len(r.Hits) > 0 && best >= hopeless:
		r.Verdict = Near
	default:
		r.Verdict = None
	}
	if r.Verdict != Found && r.Verdict != Unavailable {
		r.Suggestions = s.suggest(r)
	}
}

// farBehind is how far the score of the best hit must be behind that of one
// that is withheld for the latter to be what was wanted.
const farBehind = 2

// betterWithheld tells whether the best match is one that is kept back.
func (s *search) betterWithheld() bool {
	if len(s.withheld) == 0 || len(s.first) > 0 {
		return false
	}
	return len(s.ranked) == 0 || s.withheld[0].named != "" || s.withheld[0].score > s.ranked[0].score+farBehind
}

// counted are the matches that were kept back, by reason.
func (s *search) counted() []Withholding {
	counts := map[string]int{}
	for i := range s.withheld {
		if c := &s.withheld[i]; c.relevance >= sure {
			counts[c.why]++
		}
	}
	var all []Withholding
	for why, n := range counts {
		all = append(all, Withholding{why, n})
	}
	slices.SortFunc(all, func(a, b Withholding) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Why, b.Why)) })
	return all
}

// down changes the verdict if the best hit cannot be reached and no other that
// is about as good can.
func (s *search) down(r *Result) {
	for _, h := range r.Hits {
		if h.Relevance < percent(sure) || h.Relevance < r.Hits[0].Relevance*2/3 {
			break
		}
		server := h.Tool.Server()
		if server.Failure() == nil {
			r.Down = nil
			return
		}
		if !slices.Contains(r.Down, server) {
			r.Down = append(r.Down, server)
		}
	}
	if len(r.Down) > 0 {
		r.Verdict = Unavailable
	}
}

// believe works out how sure the ranking is, and from it the relevance of each
// hit: the best has what it is sure of, the others less by how far they are behind.
func (e *examiner) believe() {
	if len(e.ranked) > 0 {
		v := e.evidence(e.ranked)
		e.confidence = confidence(&v)
		spread(e.ranked, e.confidence)
	}
	from := slices.IndexFunc(e.search.withheld, func(c candidate) bool { return c.named == "" })
	if from >= 0 {
		rest := e.search.withheld[from:]
		v := e.evidence(rest)
		spread(rest, confidence(&v))
	}
}

// fading is by how much of the score a hit must be behind to be a third as relevant.
const fading = 3

func spread(all []candidate, top float32) {
	for i := range all {
		c := &all[i]
		c.relevance = top * float32(math.Exp(float64(c.score-all[0].score)/fading))
	}
}

// confidence is how likely it is that the best hit is what was wanted, 0 to 1.
func confidence(e *evidence) float32 {
	sum := verdictBias - verdictBound
	for i := range e {
		sum += verdictWeights[i] * (e[i] - verdictMeans[i])
	}
	return likely(sum)
}

// suggest says what to try after a query that found little.
func (s *search) suggest(r *Result) []string {
	var out []string
	for _, name := range append(slices.Clone(s.request.selected), s.request.text) {
		if name == "" || strings.ContainsAny(name, " \t\r\n") {
			continue
		}
		for _, t := range s.Nearest(name, 3) {
			out = append(out, "select:"+string(t.ID()))
		}
	}
	for _, h := range r.Hits[:min(2, len(r.Hits))] {
		if c := "category:" + h.Tool.Category(); r.Verdict == Near && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	categories := s.snapshot.Categories()
	slices.SortStableFunc(categories, func(a, b catalog.Category) int { return cmp.Compare(b.Count, a.Count) })
	for _, c := range categories {
		if c := "category:" + c.Name; len(out) < mostSuggestions && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

const mostSuggestions = 6
