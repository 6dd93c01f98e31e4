//go:build unix

package upstream_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// What agents watch survives the server's death: it is brought back by itself.
func TestWatchOutlivesTheServer(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil, child(t, "a", behaviour))
			r.subscribe("a", nobody)
			for range 2 {
				pid := r.pid("a")
				updated, lists := r.heard("a", wire.MethodResourceUpdated), r.heard("a", wire.MethodToolsChanged)
				kill(t, pid, syscall.SIGKILL)
				eventually(t, patience, func() error {
					switch {
					case r.heard("a", wire.MethodResourceUpdated) == updated:
						return errors.New("nobody was told that the resource may have changed")
					case r.heard("a", wire.MethodToolsChanged) == lists:
						return errors.New("nobody was told that the lists may have changed")
					}
					return nil
				})
				if !r.touched("a") {
					t.Error("a change is not heard")
				}
				if now := r.pid("a"); now == pid {
					t.Errorf("process %d again", pid)
				}
			}
			r.unsubscribe("a", nobody)
			kill(t, r.pid("a"), syscall.SIGKILL)
			r.until("a", upstream.Failed)
			starts := r.starts()
			<-time.After(600 * time.Millisecond) // longer than the first pause
			if n := r.starts(); n != starts {
				t.Errorf("%d more processes though nobody watches", n-starts)
			}
		})
	}
}

// A watched server that cannot be brought back is tried less and less often.
func TestRevivalHasPauses(t *testing.T) {
	t.Parallel()
	spec, fix := breakable(t, child(t, "a", "legacy"))
	fix()
	r := newRig(t, nil, spec)
	r.subscribe("a", nobody)
	pid := r.pid("a")
	breakAgain(t, spec)
	kill(t, pid, syscall.SIGKILL)
	r.until("a", upstream.Failed)
	before := r.starts()
	<-time.After(2500 * time.Millisecond)
	if n := r.starts() - before; n < 1 || n > 5 {
		t.Errorf("%d starts in 2.5 seconds", n)
	}
	fix()
	eventually(t, 2*patience, func() error {
		if s := r.status("a"); s.State != upstream.Ready {
			return fmt.Errorf("status %+v", s)
		}
		return nil
	})
	eventually(t, patience, func() error { return r.changeIsHeard("a") })
}

// An agent that leaves takes its watches along, also while its server is away.
func TestRevivalEndsWithTheAgent(t *testing.T) {
	t.Parallel()
	spec, fix := breakable(t, child(t, "a", "legacy"))
	spec.Sharing = upstream.PerAgent
	fix()
	r := newRig(t, nil, spec)
	one := newAgent(t, "one")
	r.subscribe("a", one.caller)
	pid := int(r.ask(one.request("a", "pid", `{}`))["pid"].(float64))
	breakAgain(t, spec)
	kill(t, pid, syscall.SIGKILL)
	r.until("a", upstream.Failed)
	one.leave()
	eventually(t, patience, func() error {
		before := r.starts()
		<-time.After(1500 * time.Millisecond)
		if n := r.starts() - before; n > 0 {
			return fmt.Errorf("%d more starts", n)
		}
		return nil
	})
}
