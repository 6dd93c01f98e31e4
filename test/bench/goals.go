package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// The figures that the gateway is to reach. A missed one is printed, not
// failed: on a busy machine a benchmark cannot be a test.
const (
	mostOverRaw       = 1.2      // CPU, latency, and its inverse in throughput
	mostOverDirect    = 1.7      // 10 MB results, p50
	mostGarbage       = 25 << 10 // bytes per small call
	mostAgentsSeconds = 1.5
	mostWarmMillis    = 100 // to the first tools/list, median of the starts
	mostOverLinear    = 1.5 // time and memory per tool, at 100 times the tools
	mostTraced        = 1.1 // p50 of a call that is traced, over one that is not
)

// A goal is one figure against its limit.
type goal struct {
	what  string
	value float64
	limit float64
}

func (r *report) goals() []goal {
	var all []goal
	for _, x := range r.Rows {
		name := x.Group + "/" + x.Case
		if ours := x.versus("ours"); ours.Target != "" {
			all = append(all, goal{name + " p50 traced x ours", ours.P50, mostTraced})
		}
		if x.Target != "ours" {
			continue
		}
		if raw := x.versus("raw"); raw.Target != "" {
			all = append(all, goal{name + " CPU x raw", raw.CPU, mostOverRaw}, goal{name + " p50 x raw", raw.P50, mostOverRaw})
			if raw.PerSecond > 0 {
				all = append(all, goal{name + " time per call x raw", 1 / raw.PerSecond, mostOverRaw})
			}
		}
		if direct := x.versus("direct"); direct.Target != "" && x.Case == "result-10MB" {
			all = append(all, goal{name + " p50 x direct", direct.P50, mostOverDirect})
		}
		if x.Allocations != nil && x.Case == "echo-8" {
			all = append(all, goal{name + " bytes allocated", x.Allocations.Bytes, mostGarbage})
		}
		if x.Case == "agents-200x10" && x.Best.Seconds > 0 {
			all = append(all, goal{name + " seconds", x.Best.Seconds, mostAgentsSeconds})
		}
	}
	for _, s := range r.WarmStarts {
		name := fmt.Sprintf("warm-start/%d %s ", s.Servers, s.Agent)
		all = append(all, goal{name + "ms", s.Millis[len(s.Millis)/2], mostWarmMillis}, goal{name + "children", float64(s.Children), 0})
	}
	for _, s := range r.Snapshots[min(1, len(r.Snapshots)):] {
		name, first := fmt.Sprintf("snapshot/%d ", s.Tools), r.Snapshots[0]
		all = append(all, goal{name + "time x linear", perTool(s.Seconds, s, first.Seconds, first), mostOverLinear},
			goal{name + "held x linear", perTool(s.HeldMB, s, first.HeldMB, first), mostOverLinear})
	}
	return all
}

// printGoals lists what is missed and counts what is met.
func (r *report) printGoals(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	met, all := 0, r.goals()
	for _, g := range all {
		if g.value <= g.limit {
			met++
			continue
		}
		fmt.Fprintf(tw, "missed\t%s\t%.2f\tmost %.2f\n", g.what, g.value, g.limit)
	}
	fmt.Fprintf(tw, "\n%d of %d goals met\n", met, len(all))
	return tw.Flush()
}
