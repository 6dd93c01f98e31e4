package trace

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	promexporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// metrics are the numbers. One set of instruments feeds both ways out. Nil counts
// nothing.
type metrics struct {
	o        *Options
	provider *sdkmetric.MeterProvider
	meter    metric.Meter
	registry *prometheus.Registry // nil without Prometheus

	called   tallies // requests to servers
	served   tallies // requests of agents
	opened   time.Time
	searches metric.Int64Counter
	scripts  metric.Int64Counter
	passes   metric.Int64Counter
	listing  metric.Float64Histogram
	reloads  metric.Int64Counter
	keptOut  metric.Int64Counter
	spent    metric.Int64Counter

	labels   labels
	sessions sync.Map // *wire.Session that spoke and is not closed
}

func openMetrics(ctx context.Context, about *resource.Resource, otlp bool, o *Options) (*metrics, error) {
	m := &metrics{o: o, opened: time.Now()}
	m.called.labels, m.served.labels = &m.labels, &m.labels
	options := []sdkmetric.Option{sdkmetric.WithResource(about)}
	if o.Metrics {
		m.registry = newRegistry()
		exporter, err := promexporter.New(promexporter.WithRegisterer(m.registry), promexporter.WithoutScopeInfo(), promexporter.WithoutTargetInfo(), promexporter.WithProducer(m.producerFor(cumulative)))
		if err != nil {
			return nil, err
		}
		options = append(options, sdkmetric.WithReader(exporter))
	}
	if otlp {
		exporter, err := newMetricExporter(ctx, o.Log)
		if err != nil {
			return nil, err
		}
		options = append(options, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter, sdkmetric.WithProducer(m.producerFor(exporter.Temporality(sdkmetric.InstrumentKindHistogram))))))
	}
	m.provider = sdkmetric.NewMeterProvider(options...)
	m.meter = m.provider.Meter(scope, metric.WithInstrumentationVersion(o.Version))
	return m, m.instruments()
}

func (m *metrics) instruments() error {
	var problems []error
	counter := func(name, unit, about string) metric.Int64Counter {
		c, err := m.meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(about))
		problems = append(problems, err)
		return c
	}
	histogram := func(name, about string) metric.Float64Histogram {
		h, err := m.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(about), metric.WithExplicitBucketBoundaries(seconds[:]...))
		problems = append(problems, err)
		return h
	}
	m.searches = counter("toolcrib.searches", "{search}", "Searches of agents, by verdict.")
	m.scripts = counter("toolcrib.scripts", "{script}", "Scripts run for agents, by how they ended.")
	m.passes = counter("toolcrib.discovery.passes", "{pass}", "Attempts to learn what a server offers, by how they ended.")
	m.listing = histogram("toolcrib.discovery.duration", "Time that attempts to learn what a server offers took.")
	m.reloads = counter("toolcrib.config.reloads", "{reload}", "Configurations applied while serving, by how that ended.")
	m.keptOut = counter("toolcrib.context.kept_out", "{token}", "Tokens of definitions that agents did not have to read when they listed tools.")
	m.spent = counter("toolcrib.context.spent", "{token}", "Tokens of what agents read instead: answers of the tools that find and describe tools.")
	return errors.Join(problems...)
}

func (m *metrics) close(ctx context.Context) error {
	if m == nil {
		return nil
	}
	return m.provider.Shutdown(ctx)
}

// calling counts a request to a server.
func (m *metrics) calling(r *call.Request, how outcome, took time.Duration) {
	if m != nil {
		m.called.add(kind{server: r.Server, method: r.Method}, how, took)
	}
}

// serving counts a request of an agent.
func (m *metrics) serving(r *request, how outcome, took time.Duration) {
	if m != nil {
		m.served.add(kind{method: r.in.Method, tool: r.own}, how, took)
	}
}

func (m *metrics) searched(s *searched) {
	if m != nil && s != nil {
		m.searches.Add(context.Background(), 1, m.labels.of(series{verdict: s.verdict}).add...)
	}
}

func (m *metrics) ran(o outcome) {
	if m != nil {
		m.scripts.Add(context.Background(), 1, m.labels.of(series{outcome: o, counted: true}).add...)
	}
}

func (m *metrics) listed(server string, o outcome, took time.Duration) {
	if m != nil {
		s := m.labels.of(series{server: server, outcome: o, counted: true})
		m.passes.Add(context.Background(), 1, s.add...)
		m.listing.Record(context.Background(), took.Seconds(), m.labels.of(series{server: server, counted: true}).record...)
	}
}

func (m *metrics) reloaded(o outcome) {
	if m != nil {
		m.reloads.Add(context.Background(), 1, m.labels.of(series{outcome: o, counted: true}).add...)
	}
}

// joined and left keep count of the agents that have a session.
func (m *metrics) joined(s *wire.Session) {
	if m == nil {
		return
	}
	if _, known := m.sessions.Load(s); !known {
		m.sessions.Store(s, true)
	}
}

func (m *metrics) left(s *wire.Session) {
	if m != nil {
		m.sessions.Delete(s)
	}
}

// spend counts tokens: what an agent was spared when it listed tools, and what it
// read since to find its way.
func (m *metrics) spend(kept, spent int) {
	if m == nil {
		return
	}
	if kept > 0 {
		m.keptOut.Add(context.Background(), int64(kept))
	}
	if spent > 0 {
		m.spent.Add(context.Background(), int64(spent))
	}
}

// tokens are what a request spared an agent, and what it read by it.
func (r *request) tokens(result []byte, err error) (kept, spent int) {
	o := &r.t.o
	if r.t.metrics == nil && r.t.ring == nil || err != nil || o.Tokens == nil || o.Definitions == nil {
		return 0, 0
	}
	switch {
	case r.in.Method == wire.MethodToolsList && wire.Find(r.in.Params, "cursor") == nil:
		if all := o.Definitions(); all > 0 {
			kept = max(0, all-o.Tokens(string(result)))
		}
	case finding[r.own]:
		if answer := wire.Find(result, "structuredContent"); answer != nil {
			spent = o.Tokens(string(answer))
		}
	}
	return kept, spent
}

// finding are the tools whose answers stand in for definitions. The others answer
// with what a tool answered, which every agent reads.
var finding = map[string]bool{
	searchTool: true, "tool_details": true, "list_servers": true, "list_server_tools": true,
	"list_tools": true, "list_categories": true, "find_by_tags": true, "get_related_tools": true,
}
