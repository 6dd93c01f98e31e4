package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A caller makes one call after another. It is used by one goroutine.
type caller interface {
	call() error
	close()
}

// A connector opens a caller that will call a tool. The modern era needs no
// opening; in the legacy era it includes the handshake.
type connector func(ctx context.Context, tool, arguments string, wantBytes int) (caller, error)

// A load is how often a tool is called by how many.
type load struct {
	callers   int
	calls     int // all callers together
	tool      string
	arguments string
	wantBytes int  // at least so many come back
	agents    bool // opening the connections is part of the measurement
}

// outcome is what happened to the calls of one load.
type outcome struct {
	took      time.Duration
	latencies []time.Duration // sorted
	failures  int
	first     error
}

const perCallLimit = 60 * time.Second

// drive runs a load. Failed calls have no latency.
func drive(ctx context.Context, connect connector, l load) outcome {
	each := max(1, l.calls/l.callers)
	open := func() (caller, error) { return connect(ctx, l.tool, l.arguments, l.wantBytes) }

	opened := make([]caller, l.callers)
	var o outcome
	if !l.agents {
		for i := range opened {
			c, err := open()
			if err != nil {
				return outcome{failures: l.calls, first: fmt.Errorf("connect: %w", err)}
			}
			defer c.close()
			opened[i] = c
		}
	}

	var mu sync.Mutex
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range opened {
		wg.Go(func() {
			<-start
			took, failed, err := one(ctx, opened[i], open, each)
			mu.Lock()
			defer mu.Unlock()
			o.latencies = append(o.latencies, took...)
			o.failures += failed
			if o.first == nil {
				o.first = err
			}
		})
	}
	began := time.Now()
	close(start)
	wg.Wait()
	o.took = time.Since(began)
	slices.Sort(o.latencies)
	return o
}

// one is a caller's share of a load. Without a caller it is an agent and opens
// its own connection.
func one(ctx context.Context, c caller, open func() (caller, error), calls int) (took []time.Duration, failed int, first error) {
	if c == nil {
		var err error
		if c, err = open(); err != nil {
			return nil, calls, fmt.Errorf("connect: %w", err)
		}
		defer c.close()
	}
	took = make([]time.Duration, 0, calls)
	for range calls {
		if ctx.Err() != nil {
			return took, failed + 1, ctx.Err()
		}
		began := time.Now()
		if err := c.call(); err != nil {
			failed++
			if first == nil {
				first = err
			}
			if failed > 3 { // the connection is broken
				return took, failed, first
			}
			continue
		}
		took = append(took, time.Since(began))
	}
	return took, failed, first
}

func (o *outcome) percentile(p float64) time.Duration {
	if len(o.latencies) == 0 {
		return 0
	}
	return o.latencies[min(len(o.latencies)-1, int(p*float64(len(o.latencies))))]
}
