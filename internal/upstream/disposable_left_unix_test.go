//go:build unix

package upstream_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

// F03, F05, F06: nothing of a disposable launch is left when it returns, whatever
// the server does, and however it came to its end.
func TestNothingOfADisposableLaunchIsLeft(t *testing.T) {
	t.Parallel()
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n"
	shell := func(script string) func(t *testing.T, pids string) upstream.Spec {
		return func(t *testing.T, pids string) upstream.Spec {
			return upstream.Spec{Command: "/bin/sh", Args: []string{"-c", script}, Env: map[string]string{"PIDS": pids}}
		}
	}
	tests := map[string]struct {
		spec func(t *testing.T, pids string) upstream.Spec // which writes its process ids to a file
		says string
		pids int
		code int // that it ends with by itself
	}{
		"mute":              {shell(`echo $$ >$PIDS; exec sleep 600`), "", 1, 0},
		"ignores the end":   {shell(`trap '' TERM HUP INT; echo $$ >$PIDS; echo here; while :; do sleep 600; done`), "here\n", 1, 0},
		"children":          {shell(`sleep 600 & echo $! >$PIDS; sleep 600 & echo $! >>$PIDS; echo $$ >>$PIDS; echo here; wait`), "here\n", 3, 0},
		"deaf children":     {shell(`trap '' TERM; sleep 600 & echo $! >$PIDS; echo here; wait`), "here\n", 1, 0},
		"children stay":     {shell(`sleep 600 & echo $! >$PIDS; echo here; exit 7`), "here\n", 1, 7},
		"in the background": {shell(`(sleep 600 & echo $! >$PIDS; echo $$ >>$PIDS) & wait; echo here; sleep 600`), "here\n", 2, 0},
		"a server": {func(t *testing.T, pids string) upstream.Spec {
			return child(t, "", "forks", "n=3", "hold=true", "pids="+pids)
		}, `"id":1`, 3, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pids")
			spec := test.spec(t, file)
			spec.Name = "a"
			r := newRig(t, nil, spec)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if test.says == "" {
				go func() { // it is waited for until the time is over
					for len(pidsIn(file)) < test.pids && ctx.Err() == nil {
						time.Sleep(5 * time.Millisecond)
					}
					cancel()
				}()
			}
			out, _, err := r.LaunchOnce(ctx, "a", nil, []byte(list))
			if !strings.Contains(string(out), test.says) {
				t.Errorf("it said %q", out)
			}
			var exit *exec.ExitError
			if errors.As(err, &exit) != (test.code != 0) || exit != nil && exit.ExitCode() != test.code {
				t.Errorf("it ended with %v", err)
			}
			pids := pidsIn(file)
			if len(pids) != test.pids {
				t.Fatalf("processes %v", pids)
			}
			untilGone(t, late, pids...) // the system takes a moment to end them
		})
	}
}

func pidsIn(file string) []int {
	b, _ := os.ReadFile(file)
	var pids []int
	for _, line := range strings.Fields(string(b)) {
		if pid, err := strconv.Atoi(line); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
