package upstream_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

const watchedURI = "test://text"

var nobody = call.Caller{Era: wire.Legacy}

func (r *rig) subscribe(server string, who call.Caller) {
	r.t.Helper()
	if err := r.Subscribe(r.t.Context(), server, watchedURI, who); err != nil {
		r.t.Fatalf("subscribe: %v", err)
	}
}

func (r *rig) unsubscribe(server string, who call.Caller) {
	r.t.Helper()
	if err := r.Unsubscribe(r.t.Context(), server, watchedURI, who); err != nil {
		r.t.Fatalf("unsubscribe: %v", err)
	}
}

// touched tells whether a change of the resource is heard. How long silence
// lasts is known from a notice that comes after it; that is asked for again
// while the server may not be listened to yet.
func (r *rig) touched(server string) bool {
	r.t.Helper()
	before, after := r.heard(server, wire.MethodResourceUpdated), r.heard(server, wire.MethodPromptsChanged)
	eventually(r.t, patience, func() error {
		r.must(server, "touch", fmt.Sprintf(`{"uri":%q}`, watchedURI))
		r.must(server, "change", `{"what":"prompts"}`)
		return wait(time.Second, func() error {
			if r.heard(server, wire.MethodPromptsChanged) == after {
				return errors.New("nothing was heard at all")
			}
			return nil
		})
	})
	return r.heard(server, wire.MethodResourceUpdated) > before
}

// watchable are servers of every kind that can be subscribed to.
func watchable(t *testing.T) map[string]upstream.Spec {
	specs := map[string]upstream.Spec{"stdio legacy": child(t, "a", "legacy"), "stdio modern": child(t, "a", "modern")}
	for name, o := range kinds() {
		specs["http "+name] = remote("a", mcptest.HTTP(t, o))
	}
	return specs
}

func TestResourcesAreWatched(t *testing.T) {
	t.Parallel()
	for name, spec := range watchable(t) {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, spec)
			r.must("a", "echo", `{"text":"x"}`)
			r.subscribe("a", nobody)
			r.subscribe("a", nobody)
			if !r.touched("a") {
				t.Error("not heard")
			}
			if n, _ := r.must("a", "requests", `{}`)["resources/subscribe"].(float64); n > 1 {
				t.Errorf("the server was asked %v times", n)
			}
			r.unsubscribe("a", nobody)
			if !r.touched("a") {
				t.Error("one agent still watches it")
			}
			r.unsubscribe("a", nobody)
			eventually(t, patience, func() error {
				if r.touched("a") {
					return errors.New("still heard after all have left")
				}
				return nil
			})
			r.unsubscribe("a", nobody) // once too often
		})
	}
}

func TestUnsubscribingStartsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	r.unsubscribe("a", nobody)
	if s := r.status("a"); s.State != upstream.Idle {
		t.Errorf("status %+v", s)
	}
}

// Whoever watches keeps the server.
func TestWatchedServerIsNotIdle(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			spec := child(t, "a", behaviour)
			spec.IdleTimeout = 100 * time.Millisecond
			r := newRig(t, nil, spec)
			r.subscribe("a", nobody)
			pid := r.pid("a")
			<-time.After(5 * spec.IdleTimeout)
			if now := r.pid("a"); now != pid {
				t.Errorf("process %d was replaced by %d", pid, now)
			}
			r.unsubscribe("a", nobody)
			r.until("a", upstream.Idle)
		})
	}
}

// A changed configuration does not end what agents watch.
func TestWatchOutlivesAChangedConfiguration(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			spec := child(t, "a", behaviour)
			r := newRig(t, nil, spec)
			r.subscribe("a", nobody)
			spec.Env["OTHER"] = "1"
			r.apply(spec)
			eventually(t, patience, func() error { return r.changeIsHeard("a") })
		})
	}
}

func (r *rig) changeIsHeard(server string) error {
	if !r.touched(server) {
		return errors.New("a change is not heard")
	}
	return nil
}

// An agent with a server of its own watches there, until it leaves.
func TestWatchesOfOneAgent(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "legacy")
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	one, two := newAgent(t, "one"), newAgent(t, "two")
	r.subscribe("a", one.caller)
	r.ask(two.request("a", "touch", fmt.Sprintf(`{"uri":%q}`, watchedURI)))
	r.ask(one.request("a", "touch", fmt.Sprintf(`{"uri":%q}`, watchedURI)))
	eventually(t, patience, func() error {
		if n := r.heard("a", wire.MethodResourceUpdated); n != 1 {
			return fmt.Errorf("heard %d times", n)
		}
		return nil
	})
	r.mu.Lock()
	for _, e := range r.events {
		if e.Method == wire.MethodResourceUpdated && e.Session != one.session {
			t.Errorf("heard for %v", e.Session)
		}
	}
	r.mu.Unlock()
	one.leave()
	two.leave()
	r.until("a", upstream.Idle)
}

// Agents without sessions watch on a connection that no calls are made on.
func TestWatchesOfAgentsWithoutSessions(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, kinds()["modern"])
	spec := remote("a", h)
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	who := modern("a", "", `{}`).Caller
	r.subscribe("a", who)
	r.ask(modern("a", "touch", fmt.Sprintf(`{"uri":%q}`, watchedURI)))
	eventually(t, patience, func() error {
		if r.heard("a", wire.MethodResourceUpdated) == 0 {
			return errors.New("not heard")
		}
		return nil
	})
	r.unsubscribe("a", who)
}

// A server that cannot be reached cannot be watched, and says so.
func TestSubscribingFails(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "exit-now"))
	err := r.Subscribe(t.Context(), "a", watchedURI, nobody)
	refused(t, err, wire.CodeUpstreamFailed, "server a", "API_KEY")
	err = r.Subscribe(t.Context(), "b", watchedURI, nobody)
	refused(t, err, wire.CodeUpstreamFailed, `no server "b"`)
}
