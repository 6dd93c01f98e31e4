package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"text/tabwriter"
	"time"

	"toolcrib/internal/catalog"
)

// A snapshotRow is what it takes to build a snapshot of so many tools, all of
// them new. Definitions are what servers sent; the rest is what is made of them.
type snapshotRow struct {
	Tools         int     `json:"tools"`
	Seconds       float64 `json:"seconds"` // best of the rounds
	DefinitionsMB float64 `json:"definitions_mb"`
	AllocatedMB   float64 `json:"allocated_mb"`
	HeldMB        float64 `json:"held_mb"`
	PeakMB        float64 `json:"peak_rss_mb"`
}

// snapshotSizes grow by ten, so that a ratio shows what is not linear.
func (b *bench) snapshotSizes() []int {
	if b.options.scale < 1 {
		return []int{1_000, 10_000}
	}
	return []int{1_000, 10_000, 100_000}
}

// snapshots measures each size in a process of its own, whose memory is its own.
func (b *bench) snapshots(ctx context.Context, r *report) error {
	for _, n := range b.snapshotSizes() {
		if !b.named(fmt.Sprintf("snapshot/%d", n)) {
			continue
		}
		fmt.Fprintf(b.log, "snapshot of %d tools\n", n)
		out, err := exec.CommandContext(ctx, b.self, "snapshot", strconv.Itoa(n), strconv.Itoa(b.options.rounds)).Output()
		if err != nil {
			return fmt.Errorf("snapshot of %d tools: %w", n, err)
		}
		var row snapshotRow
		if err := json.Unmarshal(out, &row); err != nil {
			return err
		}
		r.Snapshots = append(r.Snapshots, row)
	}
	return nil
}

// buildSnapshots is that process: it gets a number of tools and of rounds.
func buildSnapshots(_ context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("needs the number of tools and of rounds")
	}
	tools, err := strconv.Atoi(args[0])
	rounds, err2 := strconv.Atoi(args[1])
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	const perServer = 100
	var listings []catalog.Listing
	row := snapshotRow{Tools: tools}
	for s := 0; s*perServer < tools; s++ {
		l := catalog.Listing{Server: fmt.Sprintf("server-%d", s), Taken: time.Now()}
		for t := range min(perServer, tools-s*perServer) {
			raw := definition(s, t)
			row.DefinitionsMB += float64(len(raw)) / (1 << 20)
			l.Tools = append(l.Tools, catalog.Found{Raw: raw, Provenance: catalog.Protocol, Confidence: 1})
		}
		listings = append(listings, l)
	}
	for range max(1, rounds) {
		row.round(listings)
	}
	return json.NewEncoder(os.Stdout).Encode(row)
}

func (row *snapshotRow) round(listings []catalog.Listing) {
	before := settledHeap()
	forgetPeak(os.Getpid())
	began := time.Now()
	s := catalog.Build(listings, catalog.Rules{}, began)
	took := time.Since(began).Seconds()
	_, peak := resident(os.Getpid())
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	allocated := m.TotalAlloc - before.TotalAlloc
	after := settledHeap()
	runtime.KeepAlive(s)
	runtime.KeepAlive(listings)
	if row.Seconds == 0 || took < row.Seconds {
		row.Seconds = took
	}
	row.AllocatedMB = float64(allocated) / (1 << 20)
	row.HeldMB = float64(int64(after.HeapAlloc)-int64(before.HeapAlloc)) / (1 << 20)
	row.PeakMB = max(row.PeakMB, float64(peak)/(1<<20))
}

func settledHeap() (m runtime.MemStats) {
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

// perTool compares a figure for each tool with that of a smaller snapshot.
func perTool(figure float64, s snapshotRow, small float64, first snapshotRow) float64 {
	return figure / float64(s.Tools) / (small / float64(first.Tools))
}

func (r *report) printSnapshots(w io.Writer) error {
	if len(r.Snapshots) == 0 {
		return nil
	}
	fmt.Fprint(w, "\nbuilding a snapshot; ratios are per tool, against the smallest: 1.00 is linear\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "tools\tms\tus/tool\tdefinitions MB\tallocated MB\theld besides MB\tpeak RSS MB\ttime ratio\theld ratio\t\n")
	first := r.Snapshots[0]
	for _, s := range r.Snapshots {
		fmt.Fprintf(tw, "%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%s\t%.2f\t%.2f\t\n", s.Tools, s.Seconds*1e3, s.Seconds*1e6/float64(s.Tools),
			s.DefinitionsMB, s.AllocatedMB, s.HeldMB, number("%.0f", s.PeakMB), perTool(s.Seconds, s, first.Seconds, first), perTool(s.HeldMB, s, first.HeldMB, first))
	}
	return tw.Flush()
}
