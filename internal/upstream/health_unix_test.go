//go:build unix

package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// quick is a pool that loses patience soon.
func quick() *upstream.Options {
	return &upstream.Options{HealthEvery: 500 * time.Millisecond, HealthWait: 2 * time.Second}
}

// freeze stops a process, and returns when all of it stands still.
func freeze(t testing.TB, pid int) {
	t.Helper()
	kill(t, pid, syscall.SIGSTOP)
	if runtime.GOOS != "linux" {
		return // the signal will have to do
	}
	eventually(t, patience, func() error {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		if err != nil {
			return err
		}
		for _, task := range tasks {
			stat, err := os.ReadFile(task)
			if err == nil && !strings.Contains(string(stat), ") T ") {
				return fmt.Errorf("a thread runs: %s", stat)
			}
		}
		return nil
	})
}

// F16: a server that hangs costs a call its deadline, and is then replaced.
func TestF16CallAtAServerThatHangs(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			spec := child(t, "a", behaviour)
			spec.CallTimeout = 500 * time.Millisecond
			r := newRig(t, quick(), spec)
			do := call.Chain(r.Call, call.Deadline(r.CallTimeout))
			pid := r.pid("a")
			freeze(t, pid)
			began := time.Now()
			_, err := do(t.Context(), request("a", "count", `{}`))
			refused(t, err, wire.CodeTimeout, "server a did not answer tools/call count within 500ms", "raise call_timeout")
			if d := time.Since(began); d > spec.CallTimeout+late {
				t.Errorf("it ended after %v", d)
			}
			eventually(t, patience, func() error {
				return r.replaced("a", pid)
			})
		})
	}
}

// replaced says nil if another process than old answers.
func (r *rig) replaced(server string, old int) error {
	ctx, cancel := context.WithTimeout(context.Background(), late)
	defer cancel()
	got, err := r.send(ctx, request(server, "pid", `{}`))
	if err == nil && int(got["pid"].(float64)) == old {
		err = errors.New("the old process answers")
	}
	return err
}

// Nobody has to call for it: a quiet server is asked for a sign of life.
func TestF16QuietServerThatHangs(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, quick(), child(t, "a", behaviour))
			pid := r.pid("a")
			freeze(t, pid)
			if s := r.until("a", upstream.Failed); !strings.Contains(s.Reason, "no sign of life") {
				t.Errorf("reason %q", s.Reason)
			}
			if next := r.pid("a"); next == pid {
				t.Errorf("process %d is still asked", pid)
			}
			untilGone(t, endSequence+late, pid)
		})
	}
}

// A server that works on a long call, or answers pings, is left alone.
func TestHealthyServerIsKept(t *testing.T) {
	t.Parallel()
	r := newRig(t, &upstream.Options{HealthEvery: 200 * time.Millisecond, HealthWait: patience}, child(t, "a", "legacy"))
	pid := r.pid("a")
	ended := make(chan error, 1)
	go func() {
		_, err := r.tool("a", "slow", `{"ms":1500}`)
		ended <- err
	}()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	eventually(t, patience, func() error {
		<-time.After(600 * time.Millisecond) // quiet: a call is a sign of life itself
		if n, _ := r.must("a", "requests", `{}`)["ping"].(float64); n < 2 {
			return fmt.Errorf("%v pings", n)
		}
		return nil
	})
	if now := r.pid("a"); now != pid {
		t.Errorf("process %d was replaced by %d", pid, now)
	}
}
