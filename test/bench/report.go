package main

import (
	"fmt"
	"math"
	"slices"
)

// A report holds every measurement of a run, and what follows from them.
type report struct {
	Rounds       int    `json:"rounds"`
	Rows         []*row `json:"rows"`
	FirstFailure string `json:"first_failure,omitempty"`

	Snapshots  []snapshotRow `json:"snapshots,omitempty"`
	WarmStarts []warmRow     `json:"warm_starts,omitempty"`
}

// A row is one case on one target.
type row struct {
	Group       string        `json:"group"` // such as http/legacy
	Case        string        `json:"case"`
	Target      string        `json:"target"`
	Best        measurement   `json:"best"` // each figure's best of the rounds, all failures
	Rounds      []measurement `json:"rounds"`
	Allocations *allocations  `json:"allocations,omitempty"`
	Versus      []ratio       `json:"versus,omitempty"`
}

// A ratio compares a row with another target's. Each figure is the median of
// the rounds' ratios, so that a slow moment of the machine hits both sides.
type ratio struct {
	Target    string  `json:"target"`
	P50       float64 `json:"p50"`
	P99       float64 `json:"p99"`
	PerSecond float64 `json:"calls_per_s"`
	CPU       float64 `json:"cpu,omitempty"`
}

func (r *report) row(t *target, name string) *row {
	for _, x := range r.Rows {
		if x.Group == t.group() && x.Case == name && x.Target == t.kind {
			return x
		}
	}
	x := &row{Group: t.group(), Case: name, Target: t.kind}
	r.Rows = append(r.Rows, x)
	return x
}

func (r *report) add(t *target, name string, round int, m measurement) {
	x := r.row(t, name)
	if round == 0 {
		x.Best = m
	}
	b := &x.Best
	b.P50Millis = min(b.P50Millis, m.P50Millis)
	b.P99Millis = min(b.P99Millis, m.P99Millis)
	b.PerSecond = max(b.PerSecond, m.PerSecond)
	b.CPUMicros = min(b.CPUMicros, m.CPUMicros)
	b.Seconds = min(b.Seconds, m.Seconds)
	// Memory stays the first round's: later the big results of the rounds before
	// are still in it.
	if round > 0 {
		b.Failures += m.Failures
	}
	x.Rounds = append(x.Rounds, m)
	r.note(x, m.first)
}

func (r *report) addAllocations(t *target, name string, a allocations) {
	x := r.row(t, name)
	x.Allocations = &a
	x.Best.Failures += a.failures
	r.note(x, a.first)
}

func (r *report) note(x *row, err error) {
	if err != nil && r.FirstFailure == "" {
		r.FirstFailure = fmt.Sprintf("%s/%s %s: %v", x.Group, x.Case, x.Target, err)
	}
}

func (r *report) failures() int {
	n := 0
	for _, x := range r.Rows {
		n += x.Best.Failures
	}
	return n
}

func (r *report) find(group, name, kind string) *row {
	for _, x := range r.Rows {
		if x.Group == group && x.Case == name && x.Target == kind {
			return x
		}
	}
	return nil
}

// compare fills in the ratios of gateways to the direct way, of ours to the raw
// gateway, and of ours that is traced to the one that is not.
func (r *report) compare() {
	for _, x := range r.Rows {
		x.Versus = nil
		for _, kind := range []string{"direct", "raw", "ours"} {
			other := r.find(x.Group, x.Case, kind)
			if other == nil || other == x || x.Target == "direct" || kind == "ours" && x.Target != "traced" {
				continue
			}
			median := func(figure func(measurement) float64) float64 {
				return medianRatio(x.Rounds, other.Rounds, figure)
			}
			x.Versus = append(x.Versus, ratio{
				Target:    kind,
				P50:       median(func(m measurement) float64 { return m.P50Millis }),
				P99:       median(func(m measurement) float64 { return m.P99Millis }),
				PerSecond: median(func(m measurement) float64 { return m.PerSecond }),
				CPU:       median(func(m measurement) float64 { return m.CPUMicros }),
			})
		}
	}
}

// medianRatio is 0 where there is nothing to divide by.
func medianRatio(a, b []measurement, figure func(measurement) float64) float64 {
	var all []float64
	for i := range min(len(a), len(b)) {
		if q := figure(a[i]) / figure(b[i]); !math.IsNaN(q) && !math.IsInf(q, 0) {
			all = append(all, q)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func (x *row) versus(kind string) ratio {
	for _, v := range x.Versus {
		if v.Target == kind {
			return v
		}
	}
	return ratio{}
}
