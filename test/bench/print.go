package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// print writes the tables.
func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "%d CPUs shared by client, gateway and server; %d rounds. Figures are the best of the rounds, memory that of the first;\n", runtime.NumCPU(), r.Rounds)
	fmt.Fprint(w, "ratios are the median of the rounds' ratios. CPU and memory are the gateway's alone.\n")
	for _, group := range groups {
		if err := r.printGroup(w, group); err != nil {
			return err
		}
	}
	for _, table := range []func(io.Writer) error{r.printAllocations, r.printSnapshots, r.printWarmStarts, r.printGoals} {
		if err := table(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *report) printGroup(w io.Writer, group string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	name := ""
	for _, x := range r.Rows {
		if x.Group != group || len(x.Rounds) == 0 {
			continue
		}
		if name == "" {
			transport, e, _ := strings.Cut(group, "/")
			fmt.Fprintf(w, "\n%s agent over HTTP, %s server\n", e, transport)
			fmt.Fprint(tw, "case\ttarget\tp50 ms\tp99 ms\tcalls/s\tCPU us\tRSS MB\tpeak MB\tfailed\tp50/direct\tp50/raw\tp99/raw\trate/raw\tCPU/raw\t\n")
		}
		label := x.Case
		if label == name {
			label = ""
		}
		name = x.Case
		raw, direct, b := x.versus("raw"), x.versus("direct"), x.Best
		fmt.Fprintf(tw, "%s\t%s\t%.2f\t%.2f\t%.0f\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", label, x.Target, b.P50Millis, b.P99Millis, b.PerSecond,
			number("%.0f", b.CPUMicros), number("%.1f", b.ResidentMB), number("%.1f", b.PeakMB), b.Failures,
			number("%.2f", direct.P50), number("%.2f", raw.P50), number("%.2f", raw.P99), number("%.2f", raw.PerSecond), number("%.2f", raw.CPU))
	}
	return tw.Flush()
}

// number leaves out what was not measured.
func number(format string, v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

func (r *report) printAllocations(w io.Writer) error {
	if !slices.ContainsFunc(r.Rows, func(x *row) bool { return x.Allocations != nil }) {
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nallocated by the gateway per call\n")
	fmt.Fprint(tw, "server/era\tcase\ttarget\tKB\tobjects\t\n")
	for _, x := range r.Rows {
		if a := x.Allocations; a != nil {
			fmt.Fprintf(tw, "%s\t%s\t%s\t%.1f\t%.0f\t\n", x.Group, x.Case, x.Target, a.Bytes/1024, a.Objects)
		}
	}
	return tw.Flush()
}
