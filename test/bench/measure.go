package main

import (
	"context"
	"time"
)

// A measurement is one case on one target in one round.
type measurement struct {
	P50Millis  float64 `json:"p50_ms"`
	P99Millis  float64 `json:"p99_ms"`
	PerSecond  float64 `json:"calls_per_s"`
	CPUMicros  float64 `json:"gateway_cpu_us_per_call"`
	Seconds    float64 `json:"seconds"`
	ResidentMB float64 `json:"gateway_rss_mb"`
	PeakMB     float64 `json:"gateway_peak_rss_mb"`
	Failures   int     `json:"failures"`

	first error
}

func measure(ctx context.Context, t *target, l load) (measurement, error) {
	// The first calls on a path pay for what later ones find in place.
	warm := l
	warm.calls, warm.callers, warm.agents = max(2, min(50, l.calls/10)), 1, false
	drive(ctx, t.connect, warm)

	var before time.Duration
	if t.pid != 0 {
		forgetPeak(t.pid)
		var err error
		if before, err = cpuTime(t.pid); err != nil {
			return measurement{}, err
		}
	}
	o := drive(ctx, t.connect, l)
	m := measurement{
		P50Millis: millis(o.percentile(0.50)),
		P99Millis: millis(o.percentile(0.99)),
		PerSecond: float64(len(o.latencies)) / max(o.took.Seconds(), 1e-9), // 0 when nobody could connect
		Seconds:   o.took.Seconds(),
		Failures:  o.failures,
		first:     o.first,
	}
	if t.pid != 0 {
		after, err := cpuTime(t.pid)
		if err != nil {
			return measurement{}, err
		}
		m.CPUMicros = float64((after - before).Microseconds()) / float64(max(1, len(o.latencies)))
		now, peak := resident(t.pid)
		m.ResidentMB, m.PeakMB = float64(now)/(1<<20), float64(peak)/(1<<20)
	}
	return m, ctx.Err()
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// allocations of a gateway per call.
type allocations struct {
	Bytes   float64 `json:"bytes_per_call"`
	Objects float64 `json:"objects_per_call"`

	failures int
	first    error
}

func measureAllocations(ctx context.Context, t *target, l load) (allocations, error) {
	warm := l
	warm.calls = min(l.calls, 40)
	drive(ctx, t.twin.connect, warm)
	before, err := readMemory(ctx, t.twin.stats)
	if err != nil {
		return allocations{}, err
	}
	o := drive(ctx, t.twin.connect, l)
	after, err := readMemory(ctx, t.twin.stats)
	if err != nil {
		return allocations{}, err
	}
	calls := float64(max(1, len(o.latencies)))
	return allocations{
		Bytes:    float64(after.Bytes-before.Bytes) / calls,
		Objects:  float64(after.Objects-before.Objects) / calls,
		failures: o.failures,
		first:    o.first,
	}, nil
}
