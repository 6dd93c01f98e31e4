package upstream_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// holdings are what a process can leak.
type holdings struct{ files, children, goroutines int }

func held(t testing.TB) holdings {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	h := holdings{files: len(files), goroutines: runtime.NumGoroutine()}
	h.children = len(childrenOf(t, os.Getpid()))
	return h
}

// childrenOf are the processes that a process has started and not collected.
func childrenOf(t testing.TB, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, file := range lists {
		list, err := os.ReadFile(file)
		if err != nil {
			continue // that thread is gone
		}
		for _, field := range strings.Fields(string(list)) {
			n, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, n)
		}
	}
	return out
}

// F25: servers that come and go leave nothing behind. Not parallel: it counts
// what the whole process has.
func TestF25ReloadsLeakNothing(t *testing.T) {
	r := newRig(t, nil, child(t, "stays", "good"))
	stays := r.pid("stays")
	before := held(t)
	for round := range rounds(5, 50) {
		specs := []upstream.Spec{child(t, "stays", "good")}
		for i := range 10 {
			specs = append(specs, child(t, fmt.Sprint("s", round, "-", i), "good"))
		}
		r.apply(specs...)
		var all sync.WaitGroup
		for _, s := range specs {
			all.Go(func() { r.must(s.Name, "echo", `{"text":"x"}`) })
		}
		all.Wait()
		r.apply(specs[0])
	}
	if now := r.pid("stays"); now != stays {
		t.Errorf("an unchanged server's process %d was replaced by %d", stays, now)
	}
	eventually(t, patience, func() error {
		now := held(t)
		if now.files > before.files+2 || now.children > before.children || now.goroutines > before.goroutines+2 {
			return fmt.Errorf("before %+v, now %+v", before, now)
		}
		return nil
	})
}

// F24: a server that is removed finishes its calls, and takes no new ones.
func TestF24RemovedServerFinishesItsCalls(t *testing.T) {
	t.Parallel()
	changed := child(t, "changed", "good")
	r := newRig(t, nil, child(t, "removed", "good"), changed)
	old := r.pid("changed")
	ended := make(chan error, 2)
	for _, server := range []string{"removed", "changed"} {
		go func() {
			_, err := r.tool(server, "slow", `{"ms":1500}`)
			ended <- err
		}()
		r.untilCalled(server, "slow", 0)
	}
	gone := r.pid("removed")
	changed.Env["OTHER"] = "1"
	r.apply(changed)
	_, err := r.tool("removed", "echo", `{"text":"x"}`)
	refused(t, err, wire.CodeUpstreamFailed, `"removed"`, "removed from the configuration")
	if now := r.pid("changed"); now == old {
		t.Errorf("the changed server's old process %d takes new calls", old)
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("a call in flight: %v", err)
		}
	}
	untilGone(t, endSequence+late, gone, old)
	for _, server := range []string{"removed", "changed"} {
		if r.heard(server, wire.MethodToolsChanged) < 2 { // when it came, and now
			t.Errorf("nobody was told that %s offers something else", server)
		}
	}
}

// A call that meets a server just when it is changed goes to the new one.
func TestCallsDuringReloads(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "good")
	r := newRig(t, nil, spec)
	stop, cancel := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for stop.Err() == nil {
				if _, err := r.tool("a", "count", `{}`); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range rounds(5, 50) {
		changed := spec
		changed.Env = map[string]string{"ROUND": fmt.Sprint(i)}
		for k, v := range spec.Env {
			changed.Env[k] = v
		}
		r.apply(changed)
		eventually(t, patience, func() error {
			if got := r.must("a", "env", `{}`)["ROUND"]; got != fmt.Sprint(i) {
				return fmt.Errorf("round %v", got)
			}
			return nil
		})
	}
	cancel()
	callers.Wait()
}
