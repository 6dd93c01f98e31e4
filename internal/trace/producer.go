package trace

import (
	"context"
	"slices"
	"time"

	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"toolcrib/internal/wire"
)

// A producer hands tallies to one reader of metrics, as the SDK would its own.
type producer struct {
	m     *metrics
	delta bool // the reader wants what is new since it last read

	since time.Time
	last  map[*spread]*reading // what it read then
}

// A reading is a spread at one moment.
type reading struct {
	sum     time.Duration
	count   uint64
	buckets []uint64
}

// producerFor makes one for a reader. Readers read one at a time.
func (m *metrics) producerFor(t metricdata.Temporality) *producer {
	return &producer{m: m, delta: t == metricdata.DeltaTemporality, since: m.opened, last: map[*spread]*reading{}}
}

// cumulative is how Prometheus reads.
const cumulative = metricdata.CumulativeTemporality

var _ sdkmetric.Producer = (*producer)(nil)

// Produce is called for each reading.
func (p *producer) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	now := time.Now()
	servers, _ := p.read(&p.m.served, now)
	clients, calls := p.read(&p.m.called, now)
	if p.delta {
		p.since = now
	}
	out := metricdata.ScopeMetrics{Scope: instrumentation.Scope{Name: scope, Version: p.m.o.Version}}
	add := func(name, unit, about string, data metricdata.Aggregation) {
		out.Metrics = append(out.Metrics, metricdata.Metrics{Name: name, Unit: unit, Description: about, Data: data})
	}
	how := cumulative
	if p.delta {
		how = metricdata.DeltaTemporality
	}
	if len(calls) > 0 {
		add("toolcrib.tool.calls", "{call}", "Tool calls made at servers, by how they ended.", metricdata.Sum[int64]{DataPoints: calls, Temporality: how, IsMonotonic: true})
	}
	if len(clients) > 0 {
		add(metricOfClients, "s", "Time that requests to servers took, waiting included.", metricdata.Histogram[float64]{DataPoints: clients, Temporality: how})
	}
	if len(servers) > 0 {
		add(metricOfServers, "s", "Time that requests of agents took.", metricdata.Histogram[float64]{DataPoints: servers, Temporality: how})
	}
	return []metricdata.ScopeMetrics{out}, nil
}

// read makes lines of tallies: one for each spread, and of calls of tools their number.
func (p *producer) read(t *tallies, now time.Time) (lines []metricdata.HistogramDataPoint[float64], calls []metricdata.DataPoint[int64]) {
	all := t.by.Load()
	if all == nil {
		return nil, nil
	}
	for _, one := range *all {
		for i := range one.ended {
			s := one.ended[i].Load()
			if s == nil {
				continue
			}
			r := p.news(s)
			line := metricdata.HistogramDataPoint[float64]{
				Attributes: s.labels, StartTime: p.since, Time: now,
				Count: r.count, Sum: r.sum.Seconds(), Bounds: slices.Clone(seconds[:]), BucketCounts: r.buckets,
			}
			if !p.delta {
				line.Min = metricdata.NewExtrema(time.Duration(s.least.Load()).Seconds())
				line.Max = metricdata.NewExtrema(time.Duration(s.most.Load()).Seconds())
			}
			lines = append(lines, line)
			if one.method == wire.MethodToolsCall {
				calls = append(calls, metricdata.DataPoint[int64]{Attributes: s.counted, StartTime: p.since, Time: now, Value: int64(r.count)})
			}
		}
	}
	return lines, calls
}

// news is what the reader is told of a spread.
func (p *producer) news(s *spread) *reading {
	r := &reading{sum: time.Duration(s.sum.Load()), buckets: make([]uint64, len(s.buckets))}
	for i := range s.buckets {
		r.buckets[i] = s.buckets[i].Load()
		r.count += r.buckets[i]
	}
	if !p.delta {
		return r
	}
	last := p.last[s]
	p.last[s] = r
	if last == nil {
		return r
	}
	fresh := &reading{sum: r.sum - last.sum, count: r.count - last.count, buckets: slices.Clone(r.buckets)}
	for i, n := range last.buckets {
		fresh.buckets[i] -= n
	}
	return fresh
}
