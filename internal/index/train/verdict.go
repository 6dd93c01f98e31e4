package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
	"toolcrib/internal/index/trial"
)

// A judged query is what its verdict rests on, and whether there is a tool for it.
type judged struct {
	evidence   []float32
	answerable bool
	weight     float64
}

// inTraining is what a query of the training sets counts, of which it is only
// mostly known whether there is a tool for it, against one of the sets for choosing.
const inTraining = .003

// verdict fits what the verdicts rest on: on the sets for choosing, where people
// made sure of it, and on written queries asked where their tool is, where its
// server is not, and where only the tool itself is missing. What it prints are
// judgements on queries that were left out of the fitting: the bounds are chosen by them.
func verdict(data, fold0, fold1, out string) error {
	var tables [2]*index.Table
	for i, file := range []string{fold0, fold1} {
		o, err := optionsOf(file, "")
		if err != nil {
			return err
		}
		tables[i] = o.Table
	}
	examples, err := verdictExamples(data, tables)
	if err != nil {
		return err
	}
	dev, err := devVerdicts(data)
	if err != nil {
		return err
	}
	written := slices.Concat(dev["corpus"], dev["none"])
	const folds = 8
	left := make([]float64, len(written))
	for fold := range folds {
		rest := slices.Clone(examples)
		for i, j := range written {
			if i%folds != fold {
				rest = append(rest, j)
			}
		}
		f := fit(rest)
		for i, j := range written {
			if i%folds == fold {
				left[i] = f.probability(j.evidence)
			}
		}
	}
	f := fit(slices.Concat(examples, written))
	f.report(left[:len(dev["corpus"])], left[len(dev["corpus"]):], dev)
	return os.WriteFile(out, []byte(f.source()), 0o644)
}

func verdictExamples(data string, tables [2]*index.Table) ([]judged, error) {
	tools := filepath.Join(data, "train/toucan/tools.jsonl")
	set, err := trial.Load(filepath.Join(data, "train/authored"), tools)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int32{}
	for _, t := range set.Texts {
		number(numbers, t.Tool.Server().Name())
	}
	const groups = 5
	random := rand.New(rand.NewPCG(9, 9))
	of := map[string]int{}
	servers := set.Snapshot.Servers()
	for _, s := range servers {
		of[s.Name()] = random.IntN(groups)
	}
	var all []judged
	for group := range groups {
		var listings []catalog.Listing
		for _, s := range servers {
			if of[s.Name()] == group {
				listings = append(listings, s.Listing())
			}
		}
		snapshot := catalog.Build(listings, catalog.Rules{}, time.Time{})
		for fold, table := range tables {
			x := index.New(nil, snapshot, &index.Options{Table: table})
			for i, q := range set.Queries {
				home := q.Needs[0][0].Server().Name()
				if foldOf(numbers[home]) != fold {
					continue
				}
				without := &index.Query{Text: q.Text, Hidden: isOne(q.Needs[0])}
				switch {
				case of[home] == group:
					all = append(all, judged{x.Weigh(&index.Query{Text: q.Text}), true, inTraining}, judged{x.Weigh(without), false, inTraining / 2})
				case (of[home]+1)%groups == group && i%2 == 0:
					all = append(all, judged{x.Weigh(without), false, inTraining})
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(j judged) bool { return j.evidence == nil }), nil
}

// isOne hides tools, as they are in another snapshot.
func isOne(tools []*catalog.Tool) func(*catalog.Tool) string {
	return func(t *catalog.Tool) string {
		for _, one := range tools {
			if one.Name() == t.Name() && one.Server().Name() == t.Server().Name() {
				return "it is the answer"
			}
		}
		return ""
	}
}

func devVerdicts(data string) (map[string][]judged, error) {
	all := map[string][]judged{}
	for _, s := range []struct{ name, tools string }{
		{"dev/corpus", ""}, {"dev/none", "dev/corpus"}, {"dev/authored", "train/toucan"}, {"dev/metatool_multi", ""}, {"dev/livemcp_agent", ""},
	} {
		set, err := trial.Load(filepath.Join(data, s.name), filepath.Join(data, s.tools, "tools.jsonl"))
		if err != nil {
			return nil, err
		}
		x := index.New(nil, set.Snapshot, nil)
		for _, q := range set.Queries {
			if e := x.Weigh(&index.Query{Text: q.Text}); e != nil {
				all[filepath.Base(s.name)] = append(all[filepath.Base(s.name)], judged{e, !q.None, 1})
			}
		}
	}
	return all, nil
}

// A fitted model is a weight for each piece of evidence.
type fitted struct {
	bias           float64
	weights, means []float64
}

// fit is logistic regression, yes and no counting the same in all.
func fit(examples []judged) *fitted {
	const shrink, steps, rate = .02, 800, .03
	n := len(examples[0].evidence)
	f := &fitted{weights: make([]float64, n), means: make([]float64, n)}
	scale := make([]float64, n)
	var total [2]float64
	for _, e := range examples {
		total[yes(e.answerable)] += e.weight
	}
	for j := range n {
		var sum, square, count float64
		for _, e := range examples {
			x := float64(e.evidence[j])
			sum, square, count = sum+e.weight*x, square+e.weight*x*x, count+e.weight
		}
		f.means[j] = sum / count
		scale[j] = 1 / (math.Sqrt(max(square/count-f.means[j]*f.means[j], 0)) + 1e-3)
	}
	w, m, v, g := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	x := make([]float64, n)
	for step := 1; step <= steps; step++ {
		clear(g)
		for _, e := range examples {
			z := w[n]
			for j := range n {
				x[j] = (float64(e.evidence[j]) - f.means[j]) * scale[j]
				z += w[j] * x[j]
			}
			d := (1/(1+math.Exp(-z)) - float64(yes(e.answerable))) * e.weight / total[yes(e.answerable)] / 2
			for j := range n {
				g[j] += d * x[j]
			}
			g[n] += d
		}
		for j := range g {
			if j < n {
				g[j] += shrink * w[j]
			}
			m[j] = .9*m[j] + .1*g[j]
			v[j] = .99*v[j] + .01*g[j]*g[j]
			w[j] -= rate * m[j] / (1 - math.Pow(.9, float64(step))) / (math.Sqrt(v[j]/(1-math.Pow(.99, float64(step)))) + 1e-8)
		}
	}
	f.bias = w[n]
	for j := range n {
		f.weights[j] = w[j] * scale[j]
	}
	return f
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *fitted) probability(e []float32) float64 {
	z := f.bias
	for j, x := range e {
		z += f.weights[j] * (float64(x) - f.means[j])
	}
	return 1 / (1 + math.Exp(-z))
}

// report prints, for bounds, how many impossible queries are below, how many
// that have an answer, and how many of all below are impossible.
func (f *fitted) report(good, bad []float64, dev map[string][]judged) {
	below := func(all []float64, bound float64) (n float64) {
		for _, p := range all {
			if p < bound {
				n++
			}
		}
		return n
	}
	wins := 0.0
	for _, b := range bad {
		wins += float64(len(good)) - below(good, b)
	}
	fmt.Printf("AUC %.3f\nbound  impossible  answerable  precision  others\n", wins/float64(len(good)*len(bad)))
	for bound := .05; bound < .61; bound += .025 {
		b, g := below(bad, bound), below(good, bound)
		fmt.Printf("%.3f  %9.1f%%  %9.1f%%  %8.1f%% ", bound, 100*b/float64(len(bad)), 100*g/float64(len(good)), 100*b/max(b+g, 1))
		for _, other := range []string{"authored", "metatool_multi", "livemcp_agent"} {
			var all []float64
			for _, j := range dev[other] {
				all = append(all, f.probability(j.evidence))
			}
			fmt.Printf(" %s %.1f%%", other, 100*below(all, bound)/float64(len(all)))
		}
		fmt.Println()
	}
}

// source is the weights as Go.
func (f *fitted) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package index\n\n// Made by the training program; see train/README.md.\n\nconst verdictBias float32 = %.5g\n", f.bias)
	for _, list := range []struct {
		name   string
		values []float64
	}{{"verdictWeights", f.weights}, {"verdictMeans", f.means}} {
		fmt.Fprintf(&b, "\nvar %s = evidence{\n", list.name)
		for _, x := range list.values {
			fmt.Fprintf(&b, "\t%.5g,\n", x)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
