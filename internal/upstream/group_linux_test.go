package upstream

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// F43 without a namespace: when a child is collected, which frees its number,
// its group is gone already and cannot be signalled any more.
func TestF43GroupIsGoneBeforeItsNumberIs(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sh", "-c", "sleep 60 & echo $!")
	out := &strings.Builder{}
	cmd.Stdout = out
	cmd.WaitDelay = 10 * time.Second // the grandchild holds its output
	var g group
	if err := g.prepare(cmd); err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr.Pdeathsig = 0 // this goroutine's thread may end before the test
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g.started(cmd)
	pid := cmd.Process.Pid
	if err := g.reap(func() error {
		if g.pgid != 0 {
			t.Errorf("the group %d can still be signalled", g.pgid)
		}
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("the child was collected before: %v", err)
		}
		return cmd.Wait()
	}, pid); err != nil {
		t.Errorf("collect: %v", err)
	}
	grandchild, err := strconv.Atoi(strings.TrimSpace(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); syscall.Kill(grandchild, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the grandchild lives")
		}
	}
	if err := syscall.Kill(-pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("somebody is left in the group: %v", err)
	}
	g.terminate() // goes nowhere
	g.kill()
}
