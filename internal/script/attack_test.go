package script

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func allAttacks() []attack { return slices.Concat(attacks, holes, tricks, bridgeAttacks) }

// attackLimits are small, so that all attacks take seconds. Time is only for those
// that wait: the others must be stopped by the work they do, or before it.
func attackLimits(a attack) *Limits {
	l := &Limits{Ticks: 15, Memory: 32 * mb, Calls: 60, ResultBytes: mb, Arguments: mb}
	if !strings.Contains(a.codes, string(CodeCPULimit)) {
		l.Ticks = 60
	}
	if strings.Contains(a.codes, string(CodeTimeLimit)) {
		l.Wall, l.Ticks = 150*time.Millisecond, 1000
	}
	return l
}

// S17: scripts that try to get out, or to take more than they may, get nothing.
func TestS17AttacksAreStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // nothing waits in earnest, and no goroutine may be left
		e := New(&Options{CacheDir: cacheDir})
		for _, a := range allAttacks() {
			limits := attackLimits(a)
			r, err := e.Run(t.Context(), &Request{Source: a.source, Limits: limits}, newHost())
			ended := string(code(err))
			if a.codes == "" && err != nil || a.codes != "" && !slices.Contains(strings.Fields(a.codes), ended) {
				t.Errorf("%s ended with %v, want %q", a.name, err, a.codes)
			}
			if strings.Contains(r.Printed, "SURVIVED") {
				t.Errorf("%s caught its own end", a.name)
			}
			if uint64(r.Memory) > linearLimit(limits.Memory) {
				t.Errorf("%s had %d bytes", a.name, r.Memory)
			}
			if r.Ticks > limits.Ticks+limits.Ticks/2 {
				t.Errorf("%s did %d ticks of work", a.name, r.Ticks)
			}
			if used := e.budget.used.Load(); used != 0 {
				t.Errorf("%s kept %d bytes", a.name, used)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}
