package upstream

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"

	"toolcrib/internal/wire"
)

// A gate is the circuit breaker in front of a server that fails: closed to
// starts until its time has come, then open for one. Each failure in a row
// waits four times as long, from 0.2 s up to 30 s.
type gate struct {
	delays *backoff.ExponentialBackOff
	retry  time.Time // zero: open
	reason string
}

func (g *gate) reset() {
	g.delays = backoff.NewExponentialBackOff()
	g.delays.InitialInterval = 200 * time.Millisecond
	g.delays.Multiplier = 4
	g.delays.MaxInterval = 30 * time.Second
	g.delays.RandomizationFactor = 0
	g.retry, g.reason = time.Time{}, ""
}

func (g *gate) failed(now time.Time, reason string) {
	d := g.delays.NextBackOff()
	d += time.Duration(rand.Int64N(int64(d)/4 + 1)) // upwards only: never earlier than promised
	g.retry, g.reason = now.Add(d), reason
}

// closed says why there may be no start now; nil if there may.
func (g *gate) closed(now time.Time) error {
	if wait := g.retry.Sub(now); wait > 0 {
		return &wire.TransportError{Err: fmt.Errorf("%s; it is tried again in %v", g.reason, wait.Round(100*time.Millisecond))}
	}
	return nil
}
