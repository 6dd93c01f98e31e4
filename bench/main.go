// Command bench measures the search beside Bleve, in the same run, on the same
// tools and queries. It is a module of its own, so that the gateway does not
// depend on what it is compared with.
//
//	go run . -set DIR [-sizes 1000,10000,100000] [-bleve 10000]
//
// DIR is a set as for `toolcrib bench search`. Its tools are repeated, under further
// servers, until there are enough. Searches run one at a time.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
	"toolcrib/internal/index/trial"
)

func main() {
	dir := flag.String("set", "", "a folder with tools.jsonl and queries.jsonl")
	sizes := flag.String("sizes", "1000,10000,100000", "how many tools")
	most := flag.Int("bleve", 10_000, "the most tools that Bleve is measured with")
	flag.Parse()
	if err := run(context.Background(), *dir, *sizes, *most); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, sizes string, most int) error {
	if dir == "" {
		return fmt.Errorf("name a set of tools and queries with -set")
	}
	set, err := trial.Load(dir, "")
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	fmt.Printf("%-10s %8s %10s %10s %12s %10s\n", "engine", "tools", "p50", "p99", "build", "memory")
	for field := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n <= 0 {
			return fmt.Errorf("%q is no number of tools", field)
		}
		snapshot := grow(set.Snapshot, n)
		if err := measureOurs(ctx, snapshot, set.Queries); err != nil {
			return err
		}
		if n <= most {
			if err := measureBleve(ctx, snapshot, set.Queries); err != nil {
				return err
			}
		}
	}
	return nil
}

// grow makes a snapshot of n tools.
func grow(s *catalog.Snapshot, n int) *catalog.Snapshot {
	var listings []catalog.Listing
	servers := s.Servers()
	for have, i := 0, 0; have < n; i++ {
		l := servers[i%len(servers)].Listing()
		if round := i / len(servers); round > 0 {
			l.Server = fmt.Sprintf("%s copy%d", l.Server, round)
		}
		l.Tools = l.Tools[:min(len(l.Tools), n-have)]
		have += len(l.Tools)
		listings = append(listings, l)
	}
	return catalog.Build(listings, catalog.Rules{}, time.Time{})
}

func measureOurs(ctx context.Context, snapshot *catalog.Snapshot, queries []trial.Query) error {
	var x *index.Index
	build, bytes := cost(func() { x = index.New(nil, snapshot, nil) })
	report("toolcrib", snapshot.Len(), build, bytes, times(queries, func(text string) { x.Search(ctx, &index.Query{Text: text}) }))

	servers := snapshot.Servers()
	changed := make([]catalog.Listing, len(servers))
	for i, s := range servers {
		changed[i] = s.Listing()
	}
	last := &changed[len(changed)-1]
	last.Tools = changedTools(50)
	next := snapshot.Next(changed, catalog.Rules{}, time.Time{})
	start := time.Now()
	index.New(x, next, nil)
	fmt.Printf("%-10s %8d one server's 50 tools changed: indexed again in %v\n", "toolcrib", snapshot.Len(), time.Since(start).Round(100*time.Microsecond))
	return nil
}

func changedTools(n int) []catalog.Found {
	var all []catalog.Found
	for i := range n {
		raw := fmt.Appendf(nil, `{"name":"changed_tool_%d","description":"Reconcile ledger %d against the statement of the bank","inputSchema":{"type":"object"}}`, i, i)
		all = append(all, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
	}
	return all
}

// cost runs build and says how long it took and what stays in memory.
func cost(build func()) (time.Duration, uint64) {
	before := heap()
	start := time.Now()
	build()
	took := time.Since(start)
	return took, heap() - before
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// times asks every query once to warm up, then once more against the clock.
func times(queries []trial.Query, search func(text string)) []time.Duration {
	for _, q := range queries[:min(len(queries), 20)] {
		search(q.Text)
	}
	var all []time.Duration
	for _, q := range queries {
		start := time.Now()
		search(q.Text)
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	return all
}

func report(engine string, tools int, build time.Duration, bytes uint64, times []time.Duration) {
	milli := func(d time.Duration) string { return fmt.Sprintf("%.3fms", d.Seconds()*1000) }
	fmt.Printf("%-10s %8d %10s %10s %12v %8.1fMB\n", engine, tools, milli(times[len(times)/2]), milli(times[len(times)*99/100]),
		build.Round(time.Millisecond), float64(bytes)/1e6)
}
