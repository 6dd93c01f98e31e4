package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
	"toolcrib/internal/index/trial"
)

// A list is a query's candidates: what the index saw of each, and which needs
// it meets.
type list struct {
	group    string
	kind     string
	features [][]float32
	needs    [][]int // of each need of the query, which candidates meet it
	missing  int     // needs that no candidate meets
}

const maxListed = 100

// lister makes lists of queries.
type lister struct {
	lists []list
}

func (l *lister) add(group string, x *index.Index, queries []trial.Query) {
	for _, q := range queries {
		seen := x.Examine(q.Text)
		one := list{group: group, kind: q.Kind}
		for _, need := range q.Needs {
			var meets []int
			for i, e := range seen {
				if slices.ContainsFunc(need, func(t *catalog.Tool) bool {
					return t.Name() == e.Tool.Name() && t.Server().Name() == e.Tool.Server().Name()
				}) {
					meets = append(meets, i)
				}
			}
			if len(meets) == 0 {
				one.missing++
			} else {
				one.needs = append(one.needs, meets)
			}
		}
		most := 0
		for _, need := range one.needs {
			most = max(most, slices.Max(need)+1)
		}
		for _, e := range seen[:min(len(seen), max(most, maxListed))] {
			one.features = append(one.features, slices.Clone(e.Features))
		}
		l.lists = append(l.lists, one)
	}
}

// foldOf is the fold whose table has not seen a server's queries.
func foldOf(server int32) int { return int(uint64(server) * 2654435761 >> 7 % 2) }

// trainingLists makes lists with tables that have not seen their queries.
func trainingLists(data string, tables [2]*index.Table) ([]list, error) {
	started := time.Now()
	l := &lister{}
	if err := l.authored(data, tables); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		queries, tools string
		most           int
	}{
		{"train/metatool_full", "train/metatool_full", 1500},
		{"train/seal_dev", "train/seal_dev", 700},
		{"train/seal_test_in_domain", "train/seal_dev", 700},
		{"train/bfcl", "train/bfcl", 1600},
		{"train/stabletoolbench", "train/stabletoolbench", 765},
	} {
		set, err := trial.Load(filepath.Join(data, s.queries), filepath.Join(data, s.tools, "tools.jsonl"))
		if err != nil {
			return nil, err
		}
		step := max(1, len(set.Queries)/s.most)
		for fold, table := range tables {
			var queries []trial.Query
			for i := fold; i < len(set.Queries); i += 2 {
				if i/2%step == 0 {
					queries = append(queries, set.Queries[i])
				}
			}
			l.add(filepath.Base(s.queries), index.New(nil, set.Snapshot, &index.Options{Table: table}), queries)
		}
	}
	fmt.Printf("%d lists in %v\n", len(l.lists), time.Since(started).Round(time.Second))
	return l.lists, nil
}

// authored makes lists of the written queries: among all tools, and among those
// of some servers, as gateways of all sizes have them.
func (l *lister) authored(data string, tables [2]*index.Table) error {
	tools := filepath.Join(data, "train/toucan/tools.jsonl")
	set, err := trial.Load(filepath.Join(data, "train/authored"), tools)
	if err != nil {
		return err
	}
	dev, err := trial.Load(filepath.Join(data, "dev/authored"), tools)
	if err != nil {
		return err
	}
	reserved := map[string]bool{}
	for _, q := range dev.Queries {
		for _, t := range q.Needs[0] {
			reserved[t.Server().Name()] = true
		}
	}
	numbers := map[string]int32{}
	for _, t := range set.Texts {
		number(numbers, t.Tool.Server().Name())
	}
	servers := set.Snapshot.Servers()
	random := rand.New(rand.NewPCG(5, 5))
	for _, groups := range []int{1, 8, 80} {
		of := make(map[string]int, len(servers))
		for _, s := range servers {
			of[s.Name()] = random.IntN(groups)
		}
		for group := range groups {
			var listings []catalog.Listing
			for _, s := range servers {
				if of[s.Name()] == group {
					listings = append(listings, s.Listing())
				}
			}
			snapshot := catalog.Build(listings, catalog.Rules{}, time.Time{})
			for fold, table := range tables {
				var queries []trial.Query
				for _, q := range set.Queries {
					home := q.Needs[0][0].Server().Name()
					if of[home] == group && !reserved[home] && foldOf(numbers[home]) == fold {
						queries = append(queries, q)
					}
				}
				l.add(fmt.Sprintf("authored/%d", groups), index.New(nil, snapshot, &index.Options{Table: table}), queries)
			}
		}
	}
	return nil
}

// devLists makes lists of the sets for choosing.
func devLists(data string, table *index.Table) ([]list, error) {
	l := &lister{}
	for _, s := range []struct{ name, tools string }{
		{"dev/corpus", ""}, {"dev/authored", "train/toucan"}, {"dev/metatool_multi", ""}, {"dev/livemcp_agent", ""},
	} {
		set, err := trial.Load(filepath.Join(data, s.name), filepath.Join(data, s.tools, "tools.jsonl"))
		if err != nil {
			return nil, err
		}
		l.add(filepath.Base(s.name), index.New(nil, set.Snapshot, &index.Options{Table: table}), set.Queries)
	}
	return l.lists, nil
}
