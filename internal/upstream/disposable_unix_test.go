//go:build unix

package upstream_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/upstream"
)

func TestDisposableLaunch(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil,
		upstream.Spec{Name: "talks", Command: "/bin/sh", Args: []string{"-c", `read line; echo "got $line, $EXTRA and $OWN"; echo aside >&2`}, Env: map[string]string{"OWN": "mine"}},
		upstream.Spec{Name: "stays", Command: "/bin/sh", Args: []string{"-c", `echo here; sleep 600`}},
		upstream.Spec{Name: "far", URL: "http://127.0.0.1:1/mcp"})
	out, errOut, err := r.LaunchOnce(t.Context(), "talks", map[string]string{"EXTRA": "more"}, []byte("hello\n"))
	if err != nil || string(out) != "got hello, more and mine\n" || string(errOut) != "aside\n" {
		t.Errorf("%q, %q, %v", out, errOut, err)
	}
	if out, _, err := r.LaunchOnce(t.Context(), "stays", nil, nil); err != nil || string(out) != "here\n" {
		t.Errorf("%q, %v", out, err)
	}
	for server, words := range map[string]string{"far": "reached at a url", "none": "no server"} {
		if _, _, err := r.LaunchOnce(t.Context(), server, nil, nil); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", server, err)
		}
	}
	if s := r.status("talks"); s.State != upstream.Idle {
		t.Errorf("status %+v", s)
	}
}

// A disposable launch holds the pool's end up no longer than any server.
func TestCloseDuringADisposableLaunch(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "ignore-term"))
	ended := make(chan error, 1)
	go func() {
		_, _, err := r.LaunchOnce(context.Background(), "a", nil, nil) // it says nothing, and never ends
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Fatalf("ended with %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	r.Close(ctx)
	if d := time.Since(began); d > late {
		t.Errorf("the end took %v", d)
	}
	<-ended
	if _, _, err := r.LaunchOnce(t.Context(), "a", nil, nil); err == nil {
		t.Error("launched after the end")
	}
}

// Only a server that nobody uses and nobody watches is put to rest.
func TestRest(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	pid := r.pid("a")
	r.subscribe("a", nobody)
	r.Rest("a")
	if now := r.pid("a"); now != pid {
		t.Error("a watched server was stopped")
	}
	r.unsubscribe("a", nobody)
	one := newAgent(t, "one")
	release := r.busy(one, "a")
	r.Rest("a")
	if now := r.pid("a"); now != pid {
		t.Error("a server with a call under way was stopped")
	}
	release()
	eventually(t, patience, func() error {
		r.Rest("a")
		return stateIs(r, "a", upstream.Idle)
	})
	untilGone(t, patience, pid)
	r.Rest("none")
}
