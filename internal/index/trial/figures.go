package trial

import (
	"math"
	"slices"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// Figures say how well queries were answered. Shares are from 0 to 1.
type Figures struct {
	Kind    string `json:"kind,omitempty"`
	Queries int    `json:"queries"`

	// Of queries that have an answer. A need is met at k if one of its tools is
	// among the first k.
	Recall1  float64 `json:"recall_at_1"`
	Recall5  float64 `json:"recall_at_5"`
	Recall10 float64 `json:"recall_at_10"`
	NDCG10   float64 `json:"ndcg_at_10"`
	MRR      float64 `json:"mrr"`
	Doubted  float64 `json:"answerable_doubted"` // share with verdict near or none
	Denied   float64 `json:"answerable_denied"`  // share with verdict none

	// Of queries that no tool is made for.
	Impossible       int     `json:"impossible"`
	Noticed          float64 `json:"impossible_noticed"` // share with verdict near or none
	Refused          float64 `json:"impossible_refused"` // share with verdict none
	NoMatchPrecision float64 `json:"no_match_precision"` // of those with near or none, how many were impossible
	NonePrecision    float64 `json:"none_precision"`     // of those with none
}

// A tally adds up what becomes Figures.
type tally struct {
	answerable, impossible            int
	needs                             int
	met1, met5, met10                 int
	ndcg, mrr                         float64
	doubted, denied, noticed, denied0 int
}

func (t *tally) add(q *Query, tools []*catalog.Tool, verdict index.Verdict) {
	weak := verdict == index.Near || verdict == index.None
	if q.None {
		t.impossible++
		t.noticed += count(weak)
		t.denied0 += count(verdict == index.None)
		return
	}
	t.answerable++
	t.doubted += count(weak)
	t.denied += count(verdict == index.None)
	first, gain, ideal := 0, 0.0, 0.0
	for i, need := range q.Needs {
		rank := 1 + slices.IndexFunc(tools, func(t *catalog.Tool) bool { return slices.Contains(need, t) })
		t.needs++
		if i < 10 {
			ideal += discount(i + 1)
		}
		if rank == 0 {
			continue
		}
		if first == 0 || rank < first {
			first = rank
		}
		t.met1 += count(rank <= 1)
		t.met5 += count(rank <= 5)
		t.met10 += count(rank <= 10)
		if rank <= 10 {
			gain += discount(rank)
		}
	}
	if first > 0 {
		t.mrr += 1 / float64(first)
	}
	t.ndcg += min(1, gain/ideal)
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (t *tally) figures(kind string) Figures {
	share := func(n, of int) float64 {
		if of == 0 {
			return 0
		}
		return float64(n) / float64(of)
	}
	f := Figures{
		Kind: kind, Queries: t.answerable + t.impossible, Impossible: t.impossible,
		Recall1: share(t.met1, t.needs), Recall5: share(t.met5, t.needs), Recall10: share(t.met10, t.needs),
		Doubted: share(t.doubted, t.answerable), Denied: share(t.denied, t.answerable),
		Noticed: share(t.noticed, t.impossible), Refused: share(t.denied0, t.impossible),
		NoMatchPrecision: share(t.noticed, t.noticed+t.doubted), NonePrecision: share(t.denied0, t.denied0+t.denied),
	}
	if t.answerable > 0 {
		f.NDCG10, f.MRR = t.ndcg/float64(t.answerable), t.mrr/float64(t.answerable)
	}
	return f
}

// Together are the verdicts of several sets: how well impossible queries are told
// from others.
func Together(runs []Run) (noMatch, none float64, impossible bool) {
	var weak, weakRight, denied, deniedRight float64
	for _, r := range runs {
		answerable := float64(r.All.Queries - r.All.Impossible)
		hopeless := float64(r.All.Impossible)
		weakRight += r.All.Noticed * hopeless
		weak += r.All.Noticed*hopeless + r.All.Doubted*answerable
		deniedRight += r.All.Refused * hopeless
		denied += r.All.Refused*hopeless + r.All.Denied*answerable
		impossible = impossible || hopeless > 0
	}
	return weakRight / max(weak, 1), deniedRight / max(denied, 1), impossible
}

// Latency is how long searches took, one at a time.
type Latency struct {
	P50 time.Duration
	P99 time.Duration
}

func latency(times []time.Duration) Latency {
	if len(times) == 0 {
		return Latency{}
	}
	slices.Sort(times)
	return Latency{times[len(times)/2], times[len(times)*99/100]}
}
