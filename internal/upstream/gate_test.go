package upstream

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// F02, as far as it is the gate's: how often a server that always fails is
// started while somebody always wants it.
func TestF02GateUnderConstantDemand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		g.reset()
		var starts []time.Duration
		for began := time.Now(); time.Since(began) < 10*time.Minute; time.Sleep(10 * time.Millisecond) {
			if g.pass(time.Now()) == nil {
				starts = append(starts, time.Since(began))
				g.failed(time.Now(), "ended")
			}
		}
		inFirstMinute := 0
		for _, at := range starts {
			if at < time.Minute {
				inFirstMinute++
			}
		}
		// The first may take two processes, to find the era out; 6 in all.
		if inFirstMinute > 5 || inFirstMinute < 3 {
			t.Errorf("%d starts in the first minute: %v", inFirstMinute, starts)
		}
		if first := starts[1] - starts[0]; first < 200*time.Millisecond || first > 270*time.Millisecond {
			t.Errorf("the first pause is %v", first)
		}
		same := true
		for i := len(starts) - 5; i < len(starts); i++ {
			pause := starts[i] - starts[i-1]
			if pause < 30*time.Second || pause > 38*time.Second {
				t.Errorf("a later pause is %v", pause)
			}
			same = same && pause == starts[i-1]-starts[i-2]
		}
		if same {
			t.Error("no two pauses differ")
		}
	})
}

func TestGateLetsOneThrough(t *testing.T) {
	var g gate
	g.reset()
	now := time.Now()
	for range 2 {
		if err := g.pass(now); err != nil {
			t.Errorf("a gate that saw no failure is closed: %v", err)
		}
	}
	g.failed(now, "ended (exit status 1)")
	if err := g.pass(now); err == nil || !strings.Contains(err.Error(), "ended (exit status 1); it is tried again in ") {
		t.Errorf("after a failure: %v", err)
	}
	later := now.Add(time.Second)
	if err := g.pass(later); err != nil {
		t.Errorf("after the pause: %v", err)
	}
	if err := g.pass(later); err == nil || !strings.Contains(err.Error(), "it is being tried again now") {
		t.Errorf("while one is under way: %v", err)
	}
	g.opened()
	for range 2 {
		if err := g.pass(later); err != nil {
			t.Errorf("closed after a start that went well: %v", err)
		}
	}
	g.failed(later, "again")
	if d := g.retry.Sub(later); d < time.Second {
		t.Errorf("a start alone made it forget: the pause is %v", d)
	}
	g.reset()
	g.failed(later, "after work")
	if d := g.retry.Sub(later); d > 300*time.Millisecond {
		t.Errorf("after it did work the pause is %v", d)
	}
}
