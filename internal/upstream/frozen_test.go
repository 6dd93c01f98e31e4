package upstream_test

import (
	"context"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// F16 over HTTP: connections that stay and carry nothing cost a call its
// deadline, and are replaced.
func TestF16ConnectionThatCarriesNothing(t *testing.T) {
	t.Parallel()
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := mcptest.HTTP(t, o)
			spec := remote("a", h)
			spec.CallTimeout = 300 * time.Millisecond
			r := newRig(t, &upstream.Options{HealthEvery: 200 * time.Millisecond, HealthWait: 500 * time.Millisecond}, spec)
			do := call.Chain(r.Call, call.Deadline(r.CallTimeout))
			eventually(t, patience, func() error { // the first may be too slow for such a deadline
				_, err := do(t.Context(), request("a", "echo", `{"text":"x"}`))
				return err
			})
			h.Freeze()
			began := time.Now()
			_, err := do(t.Context(), request("a", "count", `{}`))
			refused(t, err, wire.CodeTimeout, "server a did not answer")
			if d := time.Since(began); d > spec.CallTimeout+late {
				t.Errorf("it ended after %v", d)
			}
			if o.Eras == mcptest.LegacyOnly || o.SSEOnly {
				r.until("a", upstream.Failed)
			}
			h.Thaw()
			eventually(t, patience, func() error {
				_, err := do(t.Context(), request("a", "echo", `{"text":"x"}`))
				return err
			})
		})
	}
}

// Saying goodbye to a server that does not answer is given up soon.
func TestCloseWhileAServerIsFrozen(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, kinds()["legacy"])
	r := newRig(t, nil, remote("a", h))
	r.must("a", "echo", `{"text":"x"}`)
	h.Freeze()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	r.Close(ctx)
	if d := time.Since(began); d > 2*time.Second+late {
		t.Errorf("the end took %v", d)
	}
}
