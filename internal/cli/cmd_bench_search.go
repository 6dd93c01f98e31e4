package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index/trial"
)

type benchSearchFlags struct {
	tools          string
	baseline, json bool
}

func newBenchSearch(s *streams) *cobra.Command {
	var f benchSearchFlags
	cmd := &cobra.Command{
		Use:   "search DIR...",
		Short: "Measure the search on sets of queries whose answers are known",
		Long: `Index the tools of each set and ask its queries, one at a time.

A set is a folder. tools.jsonl has a tool a line: id, server, name, description,
inputSchema. queries.jsonl has a query a line: id, query, kind and gold, the ids of
the tools that answer it; an entry of gold may be a list, any of whose tools will
do. "none": true marks a query that no tool is made for.

R@k is the share of needs that are met among the first k hits; doubted is the share of
answerable queries that get the verdict near or none, noticed that of impossible
ones.

Exit codes: 0 measured, 1 a set cannot be read, 2 wrong usage.`,
		Args: needsWords("name one or more folders with tools.jsonl and queries.jsonl, as in toolcrib bench search DIR"),
		RunE: func(cmd *cobra.Command, dirs []string) error { return s.benchSearch(cmd.Context(), dirs, f) },
	}
	cmd.Flags().StringVar(&f.tools, "tools", "", "the tools of sets that have no tools.jsonl: a `FILE`")
	cmd.Flags().BoolVar(&f.baseline, "baseline", false, "also plain BM25 and a scorer that looks for the query as it is")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (s *streams) benchSearch(ctx context.Context, dirs []string, f benchSearchFlags) error {
	var results []setResult
	for _, dir := range dirs {
		set, err := trial.Load(dir, f.tools)
		if err != nil {
			return err
		}
		r := setResult{set: set}
		measured, err := trial.Measure(ctx, set, nil)
		if err != nil {
			return stopped(err)
		}
		r.runs = append(r.runs, measured)
		if f.baseline {
			for _, other := range []struct {
				method string
				make   func(*catalog.Snapshot) trial.Searcher
			}{{"bm25", trial.BM25}, {"substring", trial.Substring}} {
				measured, err := trial.MeasureWith(ctx, set, other.method, other.make)
				if err != nil {
					return stopped(err)
				}
				r.runs = append(r.runs, measured)
			}
		}
		results = append(results, r)
	}
	if f.json {
		return s.printJSON(benchJSON(results))
	}
	return s.printBench(results)
}

// stopped is nil for somebody who pressed Ctrl-C: that needs no words.
func stopped(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// A setResult is what was measured on a set, ours first.
type setResult struct {
	set  *trial.Set
	runs []trial.Run
}

func (s *streams) printBench(results []setResult) error {
	t := &table{}
	t.add("SET", "METHOD", "TOOLS", "QUERIES", "R@1", "R@5", "R@10", "NDCG@10", "MRR", "DOUBTED", "NOTICED", "P50", "P99", "BUILD", "SIZE")
	var ours []trial.Run
	for _, r := range results {
		tools := fmt.Sprint(r.set.Snapshot.Len())
		for i, run := range r.runs {
			if i == 0 {
				ours = append(ours, run)
			}
			t.add(append(benchCells(r.set.Name, run.Method, tools, run.All), micros(run.Latency.P50), micros(run.Latency.P99),
				run.Build.Round(time.Millisecond).String(), fmt.Sprintf("%.1f MB", float64(run.Bytes)/1e6))...)
			for _, kind := range run.Kinds {
				t.add(append(benchCells("  "+clean(kind.Kind), run.Method, "", kind), "", "", "", "")...)
			}
		}
	}
	if err := t.print(s.out); err != nil {
		return err
	}
	if noMatch, none, impossible := trial.Together(ours); impossible {
		_, err := fmt.Fprintf(s.out, "\nno-match precision over all sets: %s of near and none, %s of none\n", points(noMatch), points(none))
		return err
	}
	return nil
}

func benchCells(name, method, tools string, f trial.Figures) []string {
	row := []string{name, method, tools, fmt.Sprint(f.Queries), "", "", "", "", "", "", ""}
	if f.Queries > f.Impossible {
		copy(row[4:], []string{points(f.Recall1), points(f.Recall5), points(f.Recall10), points(f.NDCG10), points(f.MRR), points(f.Doubted)})
	}
	if f.Impossible > 0 {
		row[10] = points(f.Noticed)
	}
	return row
}

func points(share float64) string { return fmt.Sprintf("%.1f", share*100) }

func micros(d time.Duration) string { return fmt.Sprintf("%.3fms", d.Seconds()*1000) }

type benchOutput struct {
	Version          int            `json:"version"`
	Sets             []benchSetJSON `json:"sets"`
	NoMatchPrecision *float64       `json:"no_match_precision,omitempty"` // over all sets, if one has impossible queries
	NonePrecision    *float64       `json:"none_precision,omitempty"`
}

type benchSetJSON struct {
	Set    string          `json:"set"`
	Tools  int             `json:"tools"`
	Method string          `json:"method"`
	P50    float64         `json:"p50_ms"`
	P99    float64         `json:"p99_ms"`
	Build  float64         `json:"build_ms"`
	Bytes  uint64          `json:"index_bytes"`
	All    trial.Figures   `json:"all"`
	Kinds  []trial.Figures `json:"kinds,omitempty"`
}

func benchJSON(results []setResult) benchOutput {
	out := benchOutput{Version: jsonVersion, Sets: []benchSetJSON{}}
	milli := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	var ours []trial.Run
	for _, r := range results {
		for i, run := range r.runs {
			if i == 0 {
				ours = append(ours, run)
			}
			out.Sets = append(out.Sets, benchSetJSON{
				Set: r.set.Name, Tools: r.set.Snapshot.Len(), Method: run.Method, P50: milli(run.Latency.P50), P99: milli(run.Latency.P99),
				Build: milli(run.Build), Bytes: run.Bytes, All: run.All, Kinds: run.Kinds,
			})
		}
	}
	if noMatch, none, impossible := trial.Together(ours); impossible {
		out.NoMatchPrecision, out.NonePrecision = &noMatch, &none
	}
	return out
}
