package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// run starts the targets, measures every case in every round, and sums up.
func (b *bench) run(ctx context.Context) (*report, error) {
	var err error
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "toolcrib-bench-"); err != nil {
		return nil, err
	}
	if slices.Contains(b.options.targets, "ours") || slices.Contains(b.options.targets, "traced") {
		if err := b.build(ctx); err != nil {
			return nil, err
		}
	}
	r := &report{Rounds: b.options.rounds}
	if err := b.knowledge(ctx, r); err != nil || !b.wantsCalls() {
		return r, err
	}
	targets, err := b.targets(ctx)
	if err != nil {
		return nil, err
	}
	if b.options.profiles != "" {
		return r, b.profile(ctx, targets)
	}
	for round := range b.options.rounds {
		for _, c := range cases(b.options.scale) {
			for i := range targets {
				t := targets[place(i, round, len(targets))]
				if !b.selected(t, c) {
					continue
				}
				fmt.Fprintf(b.log, "round %d  %-14s %-14s %s\n", round+1, t.group(), c.name, t.kind)
				m, err := measure(ctx, t, c.load)
				if err != nil {
					return nil, fmt.Errorf("%s/%s %s: %w", t.group(), c.name, t.kind, err)
				}
				r.add(t, c.name, round, m)
			}
		}
	}
	for _, c := range allocationCases(b.options.scale) {
		for _, t := range targets {
			if t.twin == nil || !b.selected(t, c) {
				continue
			}
			a, err := measureAllocations(ctx, t, c.load)
			if err != nil {
				return nil, fmt.Errorf("%s/%s %s: %w", t.group(), c.name, t.kind, err)
			}
			r.addAllocations(t, c.name, a)
		}
	}
	return r, ctx.Err()
}

// place is which of n targets comes at i. Another one goes first in every round, and every
// other round goes backwards, so that none always finds the machine as its predecessor
// left it: to come second made a gateway 2 % slower than itself.
func place(i, round, n int) int {
	i = (i + round/2) % n
	if round%2 == 1 {
		return n - 1 - i
	}
	return i
}

// knowledge measures what has to do with no call, while nothing else runs.
func (b *bench) knowledge(ctx context.Context, r *report) error {
	if b.options.profiles != "" {
		return nil
	}
	if err := b.snapshots(ctx, r); err != nil {
		return err
	}
	return b.warmStarts(ctx, r)
}

func (b *bench) selected(t *target, c benchCase) bool {
	return b.named(t.group()+"/"+c.name) && (t.kind != "traced" || tracedCase(c.name))
}

func (b *bench) named(name string) bool { return strings.Contains(name, b.options.only) }

// wantsCalls tells whether any case that needs targets is selected.
func (b *bench) wantsCalls() bool {
	for _, group := range groups {
		for _, c := range slices.Concat(cases(b.options.scale), allocationCases(b.options.scale)) {
			if b.named(group + "/" + c.name) {
				return true
			}
		}
	}
	return false
}

// groups are servers by transport and agents by era, in the order of printing.
var groups = []string{"http/legacy", "http/modern", "stdio/legacy", "stdio/modern"}

// environment keeps the gateway under test away from the settings and the cache
// of whoever runs this.
func (b *bench) environment() []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "TMPDIR=" + b.dir}
	for _, k := range []string{"GOMAXPROCS", "GOGC", "GODEBUG", "SystemRoot"} {
		if v, ok := os.LookupEnv(k); ok {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// close ends all that was started.
func (b *bench) close() {
	for _, p := range b.processes {
		p.Stop(5 * time.Second)
	}
	for _, c := range b.children {
		c.close()
	}
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
