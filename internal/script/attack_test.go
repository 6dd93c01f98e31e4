package script

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func allAttacks() []attack { return slices.Concat(attacks, holes, tricks, bridgeAttacks) }

// attackLimits are small, so that all attacks take seconds. Time is only for those
// that wait: the others must be stopped by the work they do.
func attackLimits(source string) *Limits {
	l := &Limits{Ticks: 30, Memory: 32 * mb, Calls: 60, ResultBytes: mb, Arguments: mb}
	if strings.Contains(source, "hang") {
		l.Wall, l.Ticks = 150*time.Millisecond, 1000
	}
	return l
}

func TestAttacksAreStopped(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, a := range allAttacks() {
		t.Run(a.name, func(t *testing.T) {
			limits := attackLimits(a.source)
			r, err := runLimited(t, a.source, newHost(), limits)
			code := ""
			if err != nil {
				code = string(err.(*Error).Code)
			}
			if a.codes == "" && code != "" || a.codes != "" && !slices.Contains(strings.Fields(a.codes), code) {
				t.Errorf("ended with %v, want %q", err, a.codes)
			}
			if strings.Contains(r.Printed, "SURVIVED") {
				t.Error("caught its own end")
			}
			if uint64(r.Memory) > linearLimit(limits.Memory) {
				t.Errorf("had %d bytes", r.Memory)
			}
			if r.Ticks > limits.Ticks+limits.Ticks/2 {
				t.Errorf("did %d ticks of work", r.Ticks)
			}
			for _, c := range r.Ledger {
				if c.Status == "" {
					t.Errorf("a call without an end: %+v", c)
				}
			}
		})
	}
	if used := shared().budget.used.Load(); used != 0 {
		t.Errorf("%d bytes were not given back", used)
	}
	if after := runtime.NumGoroutine(); after > before+1 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}
