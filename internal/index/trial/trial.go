// Package trial measures how well an index answers questions whose answers are known.
//
//	tools.jsonl ──► catalog ──► index ─┐
//	queries.jsonl ─────────────────────┴─► Figures: how often the answer was first, among five, ten ...
//
// A set is a folder. tools.jsonl has a tool a line: id, server, name, description,
// inputSchema. queries.jsonl has a query a line: id, query, kind and gold, the
// ids of the tools that answer it. An entry of gold may be a list: any
// of its tools will do. A query with "none": true is one that no tool is made for.
package trial

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// A Searcher gives the best tools for a text, best first, and its verdict.
type Searcher func(ctx context.Context, text string, limit int) ([]*catalog.Tool, index.Verdict)

// Depth is how far down the hits are looked at.
const Depth = 50

// A Run is a set measured with one method.
type Run struct {
	Method  string
	All     Figures
	Kinds   []Figures // by kind of query, if the set has several
	Build   time.Duration
	Bytes   uint64 // of memory that the index takes
	Latency Latency
}

// Measure indexes the tools of a set and asks all its queries. Options may be nil.
func Measure(ctx context.Context, set *Set, options *index.Options) (Run, error) {
	before := heap()
	start := time.Now()
	x := index.New(nil, set.Snapshot, options)
	r := Run{Method: "toolcrib", Build: time.Since(start)}
	if after := heap(); after > before {
		r.Bytes = after - before
	}
	err := r.ask(ctx, set, func(ctx context.Context, text string, limit int) ([]*catalog.Tool, index.Verdict) {
		found := x.Search(ctx, &index.Query{Text: text, Limit: limit})
		tools := make([]*catalog.Tool, len(found.Hits))
		for i, h := range found.Hits {
			tools[i] = h.Tool
		}
		return tools, found.Verdict
	})
	return r, err
}

// MeasureWith asks all queries of a set with another method.
func MeasureWith(ctx context.Context, set *Set, method string, make func(*catalog.Snapshot) Searcher) (Run, error) {
	before := heap()
	start := time.Now()
	search := make(set.Snapshot)
	r := Run{Method: method, Build: time.Since(start)}
	if after := heap(); after > before {
		r.Bytes = after - before
	}
	return r, r.ask(ctx, set, search)
}

func (r *Run) ask(ctx context.Context, set *Set, search Searcher) error {
	var all tally
	kinds := map[string]*tally{}
	var order []string
	var times []time.Duration
	for i := range set.Queries {
		q := &set.Queries[i]
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("measure %s: %w", set.Name, err)
		}
		start := time.Now()
		tools, verdict := search(ctx, q.Text, Depth)
		times = append(times, time.Since(start))
		all.add(q, tools, verdict)
		if kinds[q.Kind] == nil {
			kinds[q.Kind] = new(tally)
			order = append(order, q.Kind)
		}
		kinds[q.Kind].add(q, tools, verdict)
	}
	r.All = all.figures("")
	if len(order) > 1 {
		for _, kind := range order {
			r.Kinds = append(r.Kinds, kinds[kind].figures(kind))
		}
	}
	r.Latency = latency(times)
	return nil
}

func heap() uint64 {
	runtime.GC() // what pools hold goes in two
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
