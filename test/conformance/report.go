package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// printReports prints the problems, the table and the sum. It says whether all
// is well.
func printReports(w io.Writer, reports []*report, results string) bool {
	passed, bad := 0, 0
	for _, r := range reports {
		if r.run.kind == direct {
			continue
		}
		passed += len(r.passed)
		bad += len(r.problems)
		for _, p := range r.problems {
			fmt.Fprintf(w, "\n%s, %s: %s %s\n", r.run.name, r.run.revision, p.scenario, p.what)
			for _, c := range p.checks {
				fmt.Fprintf(w, "    %s %s: %s\n", c.Status, c.ID, c.Message)
				if len(c.Details) > 0 && string(c.Details) != "null" {
					fmt.Fprintf(w, "        %.1200s\n", c.Details)
				}
			}
		}
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "run\trevision\tpassed\tcannot be bridged\tfailed\tseconds\tnot scored, failing")
	for _, r := range reports {
		fmt.Fprintf(tw, "%s\t%s\t%d/%d\t%d\t%d\t%.1f\t%d\n", r.run.name, r.run.revision, len(r.passed), r.scored,
			len(r.listed), len(r.problems), r.took.Seconds(), len(r.notes))
	}
	if err := tw.Flush(); err != nil {
		return false
	}
	if bad > 0 {
		fmt.Fprintf(w, "\nlogs and every check: %s\n", results)
	}
	fmt.Fprintf(w, "\n%d passed, %d failed\n", passed, bad)
	return bad == 0
}
