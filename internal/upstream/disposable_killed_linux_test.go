package upstream_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

func init() { roles["as-prober"] = beProber }

// beProber launches a server that never ends, disposable, until it is killed.
func beProber() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	pool, err := upstream.NewPool(&upstream.Options{Guard: []string{self, "as-guard"}})
	if err != nil {
		return err
	}
	const script = `trap '' TERM HUP INT; sleep 600 & echo $! >$0.new; sleep 600 & echo $! >>$0.new; echo $$ >>$0.new; mv $0.new $0; wait`
	if err := pool.Apply([]upstream.Spec{{Name: "a", Command: "/bin/sh", Args: []string{"-c", script, os.Args[2]}}}); err != nil {
		return err
	}
	_, _, err = pool.LaunchOnce(context.Background(), "a", nil, nil)
	return err
}

// F04 for a disposable launch: nothing of it outlives us, however we end.
func TestF04KilledProberLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	command := as(t, "as-prober")
	cmd := exec.Command(command[0], command[1], file)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cmd.Wait()
	}()
	var pids []int
	eventually(t, patience, func() error {
		if pids = pidsIn(file); len(pids) != 3 {
			return fmt.Errorf("processes %v", pids)
		}
		return nil
	})
	cmd.Process.Kill()
	<-ended
	untilGone(t, 5*time.Second, pids...)
}
