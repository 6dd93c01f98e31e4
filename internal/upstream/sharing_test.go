package upstream_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// ask calls a tool as somebody.
func (r *rig) ask(q *call.Request) map[string]any {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := r.send(ctx, q)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", q.Name, err, r.log.text())
	}
	return got
}

func TestAgentsShareAProcess(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	one, two := newAgent(t, "one"), newAgent(t, "two")
	first := r.ask(one.request("a", "pid", `{}`))["pid"]
	if second := r.ask(two.request("a", "pid", `{}`))["pid"]; second != first {
		t.Errorf("processes %v and %v", first, second)
	}
	if third := r.ask(modern("a", "pid", `{}`))["pid"]; third != first {
		t.Errorf("a modern agent got process %v, the server speaks one era only", third)
	}
}

// A server that speaks both eras is spoken to in the agent's.
func TestAgentsOfBothErasShareAServer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "good"))
	one := newAgent(t, "one")
	for range 2 {
		for era, q := range map[wire.Era]*call.Request{wire.Legacy: one.request("a", "pid", `{}`), wire.Modern: modern("a", "pid", `{}`)} {
			r.ask(q)
			h, err := r.Hello(t.Context(), "a", q.Caller)
			if err != nil || h.Era != era {
				t.Errorf("era %v: %+v, %v", era, h, err)
			}
		}
	}
	if n := r.log.count("server started"); n != 2 {
		t.Errorf("%d processes for two eras", n)
	}
}

func TestAgentsHaveProcessesOfTheirOwn(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "legacy")
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	one, two := newAgent(t, "one"), newAgent(t, "two")
	first, second := r.ask(one.request("a", "pid", `{}`))["pid"], r.ask(two.request("a", "pid", `{}`))["pid"]
	if first == second {
		t.Errorf("both have process %v", first)
	}
	if again := r.ask(one.request("a", "pid", `{}`))["pid"]; again != first {
		t.Errorf("the first agent got %v and then %v", first, again)
	}
	one.leave()
	two.leave()
	r.until("a", upstream.Idle)
}

// Agents without sessions get a process each while they are at it, and the
// processes that nobody has are used again.
func TestAgentsWithoutSessionsLeaseProcesses(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "modern")
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	const agents = 3
	var all sync.WaitGroup
	for range agents {
		all.Go(func() {
			q := modern("a", "slow", `{"ms":1500}`)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			if _, err := r.send(ctx, q); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := r.log.count("server connected"); n != agents {
		t.Errorf("%d connections for %d agents at once", n, agents)
	}
	for range agents {
		r.ask(modern("a", "pid", `{}`))
	}
	if n := r.log.count("server connected"); n != agents {
		t.Errorf("one at a time they opened %d more", n-agents)
	}
}

// However many kinds of agents come, the processes that wait for them are no
// more than may be in use at once.
func TestLeasesAreBounded(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "modern")
	spec.Sharing, spec.MaxInFlight = upstream.PerAgent, 2
	r := newRig(t, nil, spec)
	var pids []int
	for i := range 5 {
		q := modern("a", "pid", `{}`)
		q.Caller.Capabilities = wire.ParseCapabilities(fmt.Appendf(nil, `{"kind":%d}`, i))
		pids = append(pids, int(r.ask(q)["pid"].(float64)))
	}
	untilGone(t, patience, pids[:3]...)
	for _, pid := range pids[3:] {
		if !alive(pid) {
			t.Errorf("process %d is gone: the oldest go first", pid)
		}
	}
}
