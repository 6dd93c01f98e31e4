package proc

import (
	"testing"
	"time"
)

// Stop ends what a process has left behind in its group, and says what it was.
func TestStopEndsTheWholeGroup(t *testing.T) {
	p, err := Start(t.Context(), Spec{Name: "sh", Command: []string{"sh", "-c", "trap '' TERM; sleep 600 & wait"}})
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for len(members(p.Pid)) < 2 {
		if time.Now().After(deadline) {
			t.Fatal("the grandchild did not start")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if left := p.Stop(10 * time.Millisecond); len(left) == 0 {
		t.Error("a process that ignores TERM was not reported")
	}
	for len(members(p.Pid)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("still running: %v", members(p.Pid))
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestStartSaysThatAProcessEnded(t *testing.T) {
	addr, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), Spec{Name: "false", Command: []string{"false"}, Ready: addr}); err == nil {
		t.Error("a process that ended at once counts as ready")
	}
}
