//go:build unix

package upstream_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// untilCalled waits until a tool of a server was called more than n times.
func (r *rig) untilCalled(server, tool string, n int) {
	r.t.Helper()
	eventually(r.t, patience, func() error {
		if got, _ := r.must(server, "calls", `{}`)[tool].(float64); int(got) <= n {
			return fmt.Errorf("%s was called %v times", tool, got)
		}
		return nil
	})
}

// figure holds the times something took to the most that it may take: all but
// for late, half of them without.
func figure(t *testing.T, what string, took []time.Duration, most time.Duration) {
	t.Helper()
	slices.Sort(took)
	middle, last := took[len(took)/2], took[len(took)-1]
	t.Logf("%s after %v, at last after %v", what, middle.Round(time.Millisecond), last.Round(time.Millisecond))
	if middle > most || last > most+late {
		t.Errorf("at most %v", most)
	}
}

// F01: a server that is killed in the middle of a call takes that call with it,
// and nothing else.
func TestF01KilledInTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "victim", "good"), child(t, "other", "good"))
	stop := make(chan struct{})
	var calls atomic.Int64
	var others sync.WaitGroup
	others.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := r.tool("other", "count", `{}`); err != nil {
				t.Errorf("another server's call failed: %v", err)
				return
			}
			calls.Add(1)
		}
	})
	var known, back []time.Duration
	for range rounds(5, 100) {
		pid := r.pid("victim")
		ended := make(chan error, 1)
		go func() {
			_, err := r.tool("victim", "slow", `{"ms":60000}`)
			ended <- err
		}()
		r.untilCalled("victim", "slow", 0)
		killed := time.Now()
		kill(t, pid, syscall.SIGKILL)
		err := <-ended
		known = append(known, time.Since(killed))
		refused(t, err, wire.CodeUpstreamFailed, "server victim", "signal: killed")
		again := time.Now()
		if next := r.pid("victim"); next == pid {
			t.Errorf("process %d answers from its grave", pid)
		}
		back = append(back, time.Since(again))
	}
	figure(t, "the caller knew", known, time.Second)
	figure(t, "the next call was answered", back, 3*time.Second)
	close(stop)
	others.Wait()
	if calls.Load() == 0 {
		t.Error("no call of the other server")
	}
}

// What is read of a server's end: how it ended, and what it wrote last.
func TestEndIsExplained(t *testing.T) {
	t.Parallel()
	r := newRig(
		t, nil,
		child(t, "exits", "exit-now", "code=7"),
		child(t, "dies", "exit-midcall", "tool=count"),
		upstream.Spec{Name: "shy", Command: "/bin/sh", Args: []string{"-c", "exec >&-; sleep 60"}, Era: wire.Legacy},
	)
	for server, words := range map[string][]string{
		"exits": {"server exits", "could not be started", "ended (exit status 7)", "it is tried again in", "it wrote: error: API_KEY is not set"},
		"dies":  {"server dies", "ended (exit status 3)", "it wrote: fatal: died in the middle of a call"},
		"shy":   {"server shy", "could not be started", "closed its standard output"},
	} {
		_, err := r.tool(server, "count", `{}`)
		refused(t, err, wire.CodeUpstreamFailed, words...)
		if s := r.status(server); s.State != upstream.Failed || !strings.Contains(s.Reason, words[len(words)-1]) {
			t.Errorf("status %+v", s)
		}
	}
	if s := r.status("exits"); !strings.Contains(s.Stderr, "API_KEY is not set") {
		t.Errorf("stderr %q", s.Stderr)
	}
}

// A process that left the group may hold the output of a dead server open. The
// end is noticed all the same.
func TestEndBehindAStranger(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Skip("needs setsid")
	}
	spec := child(t, "a", "good")
	script := fmt.Sprintf(`setsid sleep 30 & echo $! >&2; exec %s`, spec.Command)
	spec.Command, spec.Args = "/bin/sh", []string{"-c", script}
	r := newRig(t, nil, spec)
	pid := r.pid("a")
	t.Cleanup(func() {
		var stranger int
		if _, err := fmt.Sscan(r.status("a").Stderr, &stranger); err == nil {
			syscall.Kill(stranger, syscall.SIGKILL)
		}
	})
	ended := make(chan error, 1)
	go func() {
		_, err := r.tool("a", "slow", `{"ms":60000}`)
		ended <- err
	}()
	r.untilCalled("a", "slow", 0)
	kill(t, pid, syscall.SIGKILL)
	select {
	case err := <-ended:
		refused(t, err, wire.CodeUpstreamFailed, "server a", "signal: killed")
	case <-time.After(patience):
		t.Fatal("nobody noticed")
	}
}
