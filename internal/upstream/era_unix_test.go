//go:build unix

package upstream_test

import (
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// starts is how many processes there were so far.
func (r *rig) starts() int { return r.log.count("server started") }

// restart stops a server for being idle and starts it again, and returns how
// many processes that took.
func (r *rig) restart(server string) int {
	r.t.Helper()
	r.until(server, upstream.Idle)
	before := r.starts()
	r.must(server, "echo", `{"text":"x"}`)
	return r.starts() - before
}

// What was found out about a server's era is not found out again.
func TestEraIsRemembered(t *testing.T) {
	t.Parallel()
	for behaviour, first := range map[string]int{"silent-probe": 2, "exit-probe": 2, "legacy": 1, "legacy-32602": 1, "modern": 1} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			spec := child(t, "a", behaviour)
			spec.IdleTimeout = 20 * time.Millisecond
			if behaviour == "silent-probe" {
				spec.ProbeTimeout = 300 * time.Millisecond
			}
			r := newRig(t, nil, spec)
			r.must("a", "echo", `{"text":"x"}`)
			if n := r.starts(); n != first {
				t.Errorf("%d processes to find the era out", n)
			}
			if n := r.restart("a"); n != 1 {
				t.Errorf("%d processes afterwards", n)
			}
		})
	}
}

// A server that is another one after a restart is found out anew.
func TestEraIsFoundOutAnew(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after string }{
		"legacy to modern":       {"legacy", "modern"},
		"modern to legacy":       {"modern", "legacy"},
		"modern to silent-probe": {"modern", "silent-probe"},
		"dual to legacy":         {"good", "legacy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec, become := modes(t, "a", child(t, "a", c.before))
			spec.IdleTimeout = 20 * time.Millisecond
			if c.after == "silent-probe" {
				spec.ProbeTimeout, spec.StartTimeout = 500*time.Millisecond, 3*time.Second
			}
			r := newRig(t, nil, spec)
			r.must("a", "echo", `{"text":"x"}`)
			r.until("a", upstream.Idle)
			become(child(t, "a", c.after))
			eventually(t, patience, func() error {
				_, err := r.send(t.Context(), modern("a", "echo", `{"text":"x"}`))
				return err
			})
		})
	}
}

// A dual server that was started for agents of one era is known to speak the
// other too, also after it came back.
func TestBothErasAreRemembered(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "good")
	spec.IdleTimeout = 20 * time.Millisecond
	r := newRig(t, nil, spec)
	r.must("a", "echo", `{"text":"x"}`)
	r.restart("a")
	for _, era := range []wire.Era{wire.Legacy, wire.Modern} {
		h, err := r.Hello(t.Context(), "a", call.Caller{Era: era})
		if err != nil || h.Era != era || !h.Speaks(wire.Legacy) || !h.Speaks(wire.Modern) {
			t.Errorf("%v: %+v, %v", era, h, err)
		}
	}
}

func TestEraIsGiven(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "exit-probe")
	spec.Era = wire.Legacy
	wrong := child(t, "b", "legacy")
	wrong.Era = wire.Modern
	r := newRig(t, nil, spec, wrong)
	r.must("a", "echo", `{"text":"x"}`)
	if n := r.starts(); n != 1 {
		t.Errorf("%d processes for a server whose era is given", n)
	}
	_, err := r.tool("b", "echo", `{}`)
	refused(t, err, wire.CodeUpstreamFailed, "server b", "could not be started")
}
