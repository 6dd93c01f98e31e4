//go:build unix

package upstream_test

import (
	"fmt"
	"testing"
	"time"

	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// demand calls a server again and again until the time is over.
func (r *rig) demand(server string, during time.Duration) {
	for began := time.Now(); time.Since(began) < during; time.Sleep(50 * time.Millisecond) {
		if _, err := r.tool(server, "echo", `{"text":"x"}`); err == nil {
			r.t.Fatal("a server that ends at once answered")
		}
	}
}

// F02: a server that ends at once is not started for every call.
func TestF02ServerThatEndsAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "exit-now"))
	// 0 s: two processes, to find the era out; 0.2 s; 1.2 s; 6.2 s; 31.2 s.
	during, most := 3*time.Second, 4
	if *long {
		during, most = time.Minute, 6
	}
	r.demand("a", during)
	if n := r.log.count("server started"); n > most || n == 0 {
		t.Errorf("%d processes in %v", n, during)
	}
	s := r.status("a")
	if s.State != upstream.Failed || s.Retry.IsZero() {
		t.Errorf("status %+v", s)
	}
	_, err := r.tool("a", "echo", `{}`)
	refused(t, err, wire.CodeUpstreamFailed, "server a", "ended (exit status 1)", "API_KEY", "it is tried again in")
}

// Agents that are kept apart do not multiply the starts of a server that fails.
func TestF02ManyAgentsOfAServerThatEndsAtOnce(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "exit-now")
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	for i := range 10 {
		a := newAgent(t, fmt.Sprint(i))
		if _, err := r.send(t.Context(), a.request("a", "echo", `{}`)); err == nil {
			t.Error("it answered")
		}
	}
	if n := r.log.count("server started"); n > 6 {
		t.Errorf("%d processes for ten agents", n)
	}
}

// A server that recovers is found, whichever era it speaks.
func TestServerThatRecovers(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"good", "legacy", "modern", "silent-probe", "exit-probe"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			spec, fix := breakable(t, child(t, "a", behaviour))
			spec.ProbeTimeout = time.Second
			r := newRig(t, nil, spec)
			for range 2 {
				if _, err := r.tool("a", "echo", `{"text":"x"}`); err == nil {
					t.Fatal("it answered")
				}
			}
			fix()
			eventually(t, patience, func() error {
				_, err := r.tool("a", "echo", `{"text":"x"}`)
				return err
			})
		})
	}
}
