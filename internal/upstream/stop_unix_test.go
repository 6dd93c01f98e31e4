//go:build unix

package upstream_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
)

// The longest a server may take to end: see closeGrace and termGrace.
const endSequence = 5 * time.Second

func init() { roles["as-tidy"] = beTidy }

// beTidy is a good server that needs a moment at its end. It writes into the
// file of its argument why it ended; with a second argument it waits for TERM.
func beTidy() error {
	terms := make(chan os.Signal, 1)
	signal.Notify(terms, syscall.SIGTERM)
	err := mcptest.Serve(context.Background(), mcptest.Behaviour{Name: "good"}, os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		return err
	}
	why := "input ended"
	if len(os.Args) > 3 {
		<-terms
		why = "asked to"
	}
	time.Sleep(500 * time.Millisecond) // what it tidies up
	return os.WriteFile(os.Args[2], []byte(why), 0o600)
}

// tidy is the spec of such a server, and the file it writes.
func tidy(t testing.TB, more ...string) (upstream.Spec, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "end")
	command := as(t, "as-tidy")
	return upstream.Spec{
		Name: "a", Command: command[0], Args: append([]string{command[1], file}, more...),
		Env: map[string]string{"GORACE": "atexit_sleep_ms=0"},
	}, file
}

func written(t testing.TB, file, want string) {
	t.Helper()
	eventually(t, patience, func() error {
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			return fmt.Errorf("it wrote %q, %v", got, err)
		}
		return nil
	})
}

// Whatever the reason for a stop, a server has the time to end by itself.
func TestServersEndByThemselves(t *testing.T) {
	t.Parallel()
	ways := map[string]func(r *rig){
		"removed": func(r *rig) { r.apply() },
		"idle":    func(*rig) {},
		"closed": func(r *rig) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			r.Close(ctx)
		},
	}
	for name, stop := range ways {
		for _, more := range [][]string{nil, {"term"}} {
			t.Run(name+strings.Join(more, ""), func(t *testing.T) {
				t.Parallel()
				spec, file := tidy(t, more...)
				if name == "idle" {
					spec.IdleTimeout = 50 * time.Millisecond
				}
				r := newRig(t, nil, spec)
				r.must("a", "echo", `{"text":"x"}`)
				stop(r)
				want := "input ended"
				if more != nil {
					want = "asked to"
				}
				written(t, file, want)
			})
		}
	}
}

// F05: a server that does not want to end is made to.
func TestF05ServerThatIgnoresTermination(t *testing.T) {
	t.Parallel()
	t.Run("removed", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, nil, child(t, "a", "ignore-term"))
		pid := r.pid("a")
		began := time.Now()
		r.apply()
		untilGone(t, endSequence+late, pid)
		if d := time.Since(began); d < endSequence-500*time.Millisecond {
			t.Errorf("it was killed after %v", d)
		}
	})
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, nil, child(t, "a", "ignore-term"), child(t, "b", "ignore-term"))
		pids := []int{r.pid("a"), r.pid("b")}
		began := time.Now()
		r.Close(context.Background())
		if d := time.Since(began); d > 10*time.Second || d < endSequence-500*time.Millisecond {
			t.Errorf("the end took %v", d)
		}
		untilGone(t, 0, pids...)
	})
	t.Run("no time", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, nil, child(t, "a", "ignore-term"))
		pid := r.pid("a")
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		began := time.Now()
		r.Close(ctx)
		if d := time.Since(began); d > late {
			t.Errorf("the end took %v, there was no time", d)
		}
		untilGone(t, 0, pid)
	})
}

// A server that was removed and has not finished yet ends with the pool.
func TestCloseEndsWhatStillDrains(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "good"))
	pid := r.pid("a")
	ended := make(chan error, 1)
	go func() {
		_, err := r.tool("a", "slow", `{"ms":60000}`)
		ended <- err
	}()
	r.untilCalled("a", "slow", 0)
	r.apply()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	r.Close(ctx)
	if d := time.Since(began); d > late {
		t.Errorf("the end took %v", d)
	}
	if err := <-ended; err == nil {
		t.Error("a call of a minute was answered")
	}
	untilGone(t, 0, pid)
}

// Closing while servers start takes no longer than ending them.
func TestCloseWhileServersStart(t *testing.T) {
	t.Parallel()
	specs := []upstream.Spec{child(t, "mute", "mute"), child(t, "slow", "slow-start", "ms=60000"), child(t, "queued", "good")}
	for i := range specs {
		specs[i].ProbeTimeout = time.Minute
	}
	r := newRig(t, &upstream.Options{MaxStarts: 2}, specs...)
	ended := make(chan error, len(specs))
	for _, s := range specs[:2] {
		go func() {
			_, err := r.tool(s.Name, "echo", `{}`)
			ended <- err
		}()
	}
	eventually(t, patience, func() error {
		if n := r.log.count("server started"); n != 2 {
			return fmt.Errorf("%d started", n)
		}
		return nil
	})
	go func() {
		_, err := r.tool("queued", "echo", `{}`)
		ended <- err
	}()
	r.until("queued", upstream.Starting)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	began := time.Now()
	r.Close(ctx)
	if d := time.Since(began); d > endSequence+late {
		t.Errorf("the end took %v", d)
	}
	for range specs {
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "shutting down") {
			t.Errorf("error %v", err)
		}
	}
	if _, err := r.tool("queued", "echo", `{}`); err == nil || !strings.Contains(err.Error(), "shutting down") {
		t.Errorf("after the end: %v", err)
	}
}

// F03: what a server starts ends with it.
func TestF03GrandchildrenEndWithTheirServer(t *testing.T) {
	t.Parallel()
	pids := func(r *rig) []int {
		out := []int{r.pid("a")}
		for _, pid := range r.must("a", "children", `{}`)["pids"].([]any) {
			out = append(out, int(pid.(float64)))
		}
		return out
	}
	ways := map[string]func(r *rig, family []int){
		"removed": func(r *rig, _ []int) { r.apply() },
		"killed":  func(r *rig, family []int) { kill(r.t, family[0], syscall.SIGKILL) },
		"left":    func(r *rig, _ []int) { r.tool("a", "leave", `{}`) },
	}
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range rounds(2, 50) {
				r := newRig(t, nil, child(t, "a", "forks", "n=3", "leave=true", "hold=true"))
				family := pids(r)
				if len(family) != 4 {
					t.Fatalf("family %v", family)
				}
				end(r, family)
				untilGone(t, endSequence+late, family...)
				r.Close(context.Background())
			}
		})
	}
}
