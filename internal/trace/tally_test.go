package trace

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// TestTallyIsTheSDKs: what is read of a tally is what is read of a histogram of the
// SDK that was told the same.
func TestTallyIsTheSDKs(t *testing.T) {
	m := counting()
	reader := sdkmetric.NewManualReader()
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	m.meter = provider.Meter("x")
	if err := m.instruments(); err != nil {
		t.Fatal(err)
	}
	again := uint64(0)
	for i, took := range []time.Duration{0, 1, 500 * time.Microsecond, 500*time.Microsecond + 1, time.Millisecond, time.Second, 299 * time.Second, 300 * time.Second, time.Hour} {
		m.listing.Record(context.Background(), took.Seconds())
		m.called.add(kind{server: "a", method: wire.MethodToolsCall}, outcomes[0], took)
		m.called.add(kind{server: "a", method: wire.MethodToolsCall}, outcomes[i%len(outcomes)], 0)
		if i%len(outcomes) == 0 {
			again++
		}
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	want := all.ScopeMetrics[0].Metrics[0].Data.(metricdata.Histogram[float64]).DataPoints[0]
	want.BucketCounts[0] += again // those of the second line above that are outcomes[0] too
	want.Count += again
	got := lineOf(t, m.producerFor(cumulative), metricOfClients)
	if fmt.Sprint(got.Count, got.Sum, got.Bounds, got.BucketCounts, got.Min, got.Max) != fmt.Sprint(want.Count, want.Sum, want.Bounds, want.BucketCounts, want.Min, want.Max) {
		t.Errorf("%+v, the SDK: %+v", got, want)
	}
}

// counting are metrics that nobody reads yet.
func counting() *metrics {
	m := &metrics{o: &Options{}, opened: time.Now()}
	m.called.labels, m.served.labels = &m.labels, &m.labels
	return m
}

// lineOf is the line of what went well.
func lineOf(t *testing.T, p *producer, name string) metricdata.HistogramDataPoint[float64] {
	t.Helper()
	all, err := p.Produce(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all[0].Metrics {
		if m.Name != name {
			continue
		}
		for _, line := range m.Data.(metricdata.Histogram[float64]).DataPoints {
			if !line.Attributes.HasValue(keyErrorType.label()) {
				return line
			}
		}
	}
	t.Fatalf("no line of %s in %+v", name, all)
	return metricdata.HistogramDataPoint[float64]{}
}

// TestDelta: a reader that wants news gets each once.
func TestDelta(t *testing.T) {
	m := counting()
	p, whole := m.producerFor(metricdata.DeltaTemporality), m.producerFor(cumulative)
	for i, n := range []uint64{2, 0, 3} {
		for range n {
			m.served.add(kind{method: wire.MethodToolsList}, succeeded, time.Minute)
		}
		m.served.add(kind{method: wire.MethodToolsList}, succeeded, time.Second)
		got := lineOf(t, p, metricOfServers)
		if got.Count != n+1 || got.BucketCounts[15] != n || got.Sum != float64(60*n+1) || got.StartTime.After(got.Time) {
			t.Errorf("%d: %+v", i, got)
		}
	}
	if got := lineOf(t, whole, metricOfServers); got.Count != 8 {
		t.Errorf("%+v", got)
	}
}

// TestTalliesAreBounded: neither agents nor reloads make ever new lines, whoever
// counts at the same time.
func TestTalliesAreBounded(t *testing.T) {
	m := counting()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 2000 {
				m.called.add(kind{server: fmt.Sprint("server ", i), method: fmt.Sprint("method ", i)}, succeeded, 1)
			}
		})
	}
	all.Wait()
	if n := len(*m.called.by.Load()); n != maxServers+1 {
		t.Errorf("%d lines", n)
	}
	count := uint64(0)
	lines, calls := m.producerFor(cumulative).read(&m.called, time.Now())
	for _, l := range lines {
		count += l.Count
	}
	if count != 8000 || len(calls) != 0 {
		t.Errorf("%d of 8000 counted, %d are calls of tools", count, len(calls))
	}
}

// TestCountingCost: what is counted of a call leaves nothing behind.
func TestCountingCost(t *testing.T) {
	o := &Trace{metrics: counting()}
	do, r := o.Around(answerNothing), &call.Request{Server: "a", Method: wire.MethodToolsCall}
	if n := testing.AllocsPerRun(100, func() { _, _ = do(context.Background(), r) }); n != 0 {
		t.Errorf("%v allocations for a call", n)
	}
	h, in := o.Handler(nobody{}), &wire.Incoming{Method: wire.MethodToolsCall, Params: []byte(`{"name":"x"}`)}
	if n := testing.AllocsPerRun(100, func() { _, _ = h.Serve(context.Background(), in) }); n > 1 {
		t.Errorf("%v allocations for a request", n)
	}
}
