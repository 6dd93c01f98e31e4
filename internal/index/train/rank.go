package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"toolcrib/internal/index"
)

// groupWeights are what a list of each group counts.
var groupWeights = map[string]float32{
	"authored/1": 1, "authored/8": 1, "authored/80": .8, "metatool_full": .7, "seal_dev": .4, "seal_test_in_domain": .4, "bfcl": 1, "stabletoolbench": 1,
}

// rank trains the ranking networks and writes their weights.
func rank(data, table, fold0, fold1, out string) error {
	full, err := optionsOf(table, "")
	if err != nil {
		return err
	}
	var tables [2]*index.Table
	for i, file := range []string{fold0, fold1} {
		o, err := optionsOf(file, "")
		if err != nil {
			return err
		}
		tables[i] = o.Table
	}
	lists, err := trainingLists(data, tables)
	if err != nil {
		return err
	}
	dev, err := devLists(data, full.Table)
	if err != nil {
		return err
	}
	lists = slices.DeleteFunc(lists, func(l list) bool { return len(l.needs) == 0 })
	report("as chosen", dev, func(f []float32, i int) float32 { return -float32(i) })
	mean, scale := standard(lists)
	for _, r := range recipes {
		r.weights = groupWeights
		w := train(lists, r, mean, scale)
		report(fmt.Sprintf("%d epochs, rate %g, decay %g", r.epochs, r.rate, r.decay), dev, func(f []float32, _ int) float32 { return w.Score(f) })
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, w); err != nil {
			return err
		}
		if err := os.WriteFile(out, b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// recipes are tried in turn; the last is the one that is kept.
var recipes = []recipe{{epochs: 10, rate: 2e-3, decay: 3e-4}}

// train trains the networks beside each other and adds them up.
func train(lists []list, r recipe, mean, scale []float32) *index.Weights {
	w := new(index.Weights)
	copy(w.Mean[:], mean)
	copy(w.Scale[:], scale)
	var all [index.Networks]*network
	var wait sync.WaitGroup
	for k := range all {
		wait.Go(func() { all[k] = learn(lists, r, uint64(k+1), mean, scale) })
	}
	wait.Wait()
	for k, n := range all {
		for j, x := range n.linear {
			w.Linear[j] += x / index.Networks
		}
		for h, row := range n.first {
			for j, x := range row {
				w.First[k][j][h] = x
			}
			w.Bias[k][h], w.Second[k][h] = n.bias[h], n.second[h]/index.Networks
		}
	}
	return w
}

// report prints how many needs are met when lists are put in order of a score.
func report(title string, lists []list, score func(features []float32, place int) float32) {
	type counts struct{ one, five, ten, needs float64 }
	all := map[string]*counts{}
	for _, l := range lists {
		scores := make([]float32, len(l.features))
		order := make([]int, len(l.features))
		for i, f := range l.features {
			scores[i], order[i] = score(f, i), i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		for _, key := range []string{l.group, l.group + " " + l.kind} {
			c := all[key]
			if c == nil {
				c = new(counts)
				all[key] = c
			}
			c.needs += float64(len(l.needs) + l.missing)
			for _, need := range l.needs {
				place := slices.IndexFunc(order, func(i int) bool { return slices.Contains(need, i) })
				for k, n := range map[int]*float64{1: &c.one, 5: &c.five, 10: &c.ten} {
					if place < k {
						*n++
					}
				}
			}
		}
	}
	var keys []string
	for key := range all {
		if !strings.HasSuffix(key, " ") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	fmt.Println(title)
	for _, key := range keys {
		c := all[key]
		fmt.Printf("  %-24s %5.1f %5.1f %5.1f\n", key, 100*c.one/c.needs, 100*c.five/c.needs, 100*c.ten/c.needs)
	}
}
