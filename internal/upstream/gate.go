package upstream

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// A gate is the circuit breaker in front of a server that fails: closed to
// starts until its time has come, then open for one. Each failure in a row
// waits five times as long, from 0.2 s up to 30 s.
type gate struct {
	delays *backoff.ExponentialBackOff
	retry  time.Time // zero: open to all
	trying bool      // the one start that may be is under way
	reason string
}

func (g *gate) reset() {
	g.delays = backoff.NewExponentialBackOff()
	g.delays.InitialInterval = 200 * time.Millisecond
	g.delays.Multiplier = 5
	g.delays.MaxInterval = 30 * time.Second
	g.delays.RandomizationFactor = 0
	g.retry, g.trying, g.reason = time.Time{}, false, ""
}

func (g *gate) failed(now time.Time, reason string) {
	d := g.delays.NextBackOff()
	d += time.Duration(rand.Int64N(int64(d)/4 + 1)) // upwards only: never earlier than promised
	g.retry, g.trying, g.reason = now.Add(d), false, reason
}

// opened notes that a start went well. The delays stay: whether it was worth it
// shows when the server has done something.
func (g *gate) opened() { g.retry, g.trying = time.Time{}, false }

// pass lets a start through, or says why there may be none now.
func (g *gate) pass(now time.Time) error {
	wait := g.retry.Sub(now)
	switch {
	case g.retry.IsZero():
		return nil
	case wait > 0:
		return fmt.Errorf("%s; it is tried again in %v", g.reason, wait.Truncate(100*time.Millisecond)+100*time.Millisecond)
	case g.trying:
		return fmt.Errorf("%s; it is being tried again now", g.reason)
	}
	g.trying = true
	return nil
}
