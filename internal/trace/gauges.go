package trace

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/metric"
)

// Sources are numbers that are read when somebody wants them.
type Sources struct {
	// Servers are all servers, with what they are doing.
	Servers func() []Server
	// Discovery is how often listings answered, and how often they had to be
	// fetched first.
	Discovery func() (hits, misses uint64)
	// Processes is how many child processes run.
	Processes func() int
}

// A Server is how one stands.
type Server struct {
	Name  string
	State string // ready, idle, starting or failed
	Tools int
}

// states are all there are, so that each has a line also while nothing is in it.
var states = []string{"ready", "idle", "starting", "failed"}

// Watch has metrics read from sources from now on.
func (t *Trace) Watch(from Sources) error {
	if t == nil || t.metrics == nil {
		return nil
	}
	if err := t.metrics.watch(from); err != nil {
		return fmt.Errorf("watch what metrics are read from: %w", err)
	}
	return nil
}

func (m *metrics) watch(from Sources) error {
	var w watched
	if err := w.open(m.meter); err != nil {
		return err
	}
	version := metric.WithAttributes(labelVersion.String(m.o.Version))
	_, err := m.meter.RegisterCallback(func(_ context.Context, to metric.Observer) error {
		to.ObserveInt64(w.build, 1, version)
		to.ObserveInt64(w.agents, m.agents())
		to.ObserveInt64(w.processes, int64(from.Processes()))
		hits, misses := from.Discovery()
		to.ObserveInt64(w.hits, int64(hits))
		to.ObserveInt64(w.misses, int64(misses))
		m.observeServers(to, &w, from.Servers())
		return nil
	}, w.build, w.agents, w.processes, w.hits, w.misses, w.servers, w.up, w.tools)
	return err
}

// watched are the instruments that are read.
type watched struct {
	build, agents, processes, servers, up, tools metric.Int64ObservableGauge
	hits, misses                                 metric.Int64ObservableCounter
}

func (w *watched) open(meter metric.Meter) error {
	for _, g := range []struct {
		to                *metric.Int64ObservableGauge
		name, unit, about string
	}{
		{&w.build, "toolcrib.build.info", "", "Which version this is; always 1."},
		{&w.agents, "toolcrib.agents", "{agent}", "Agents that have a session: those on standard input and output, and those of the handshake era over HTTP."},
		{&w.processes, "toolcrib.processes", "{process}", "Child processes of servers."},
		{&w.servers, "toolcrib.servers", "{server}", "Servers, by what they are doing."},
		{&w.up, "toolcrib.server.up", "", "Whether a server can be used: 0 if its last start or listing failed."},
		{&w.tools, "toolcrib.tools", "{tool}", "Tools that are known, by server."},
	} {
		made, err := meter.Int64ObservableGauge(g.name, metric.WithUnit(g.unit), metric.WithDescription(g.about))
		if err != nil {
			return err
		}
		*g.to = made
	}
	var err error
	if w.hits, err = meter.Int64ObservableCounter("toolcrib.discovery.hits", metric.WithDescription("Questions that a fresh listing answered.")); err != nil {
		return err
	}
	w.misses, err = meter.Int64ObservableCounter("toolcrib.discovery.misses", metric.WithDescription("Questions for which a listing was missing or too old."))
	return err
}

func (m *metrics) agents() (n int64) {
	m.sessions.Range(func(any, any) bool { n++; return true })
	return n
}

// observeServers reports each server, as far as they are told apart, and how many
// are in each state.
func (m *metrics) observeServers(to metric.Observer, w *watched, all []Server) {
	count := map[string]int64{}
	type sum struct{ up, tools int64 }
	by := map[string]sum{}
	for _, s := range all {
		count[s.State]++
		name := m.labels.server(s.Name)
		at := by[name]
		at.tools += int64(s.Tools)
		if s.State != "failed" {
			at.up++ // of those that are "other" it is how many
		}
		by[name] = at
	}
	for _, state := range states {
		to.ObserveInt64(w.servers, count[state], metric.WithAttributes(labelState.String(state)))
	}
	for name, at := range by {
		label := metric.WithAttributes(labelServer.String(name))
		to.ObserveInt64(w.up, at.up, label)
		to.ObserveInt64(w.tools, at.tools, label)
	}
}

// watchQueue reports what became of spans.
func (m *metrics) watchQueue(q *queue) {
	if q == nil {
		return
	}
	for _, c := range []struct {
		name, about string
		read        func() int64
	}{
		{"toolcrib.spans.exported", "Spans that the collector took.", q.exported.Load},
		{"toolcrib.spans.failed", "Spans that were sent and not taken.", q.failed.Load},
		{"toolcrib.spans.dropped", "Spans for which there was no room in the queue.", q.dropped.Load},
	} {
		_, err := m.meter.Int64ObservableCounter(c.name, metric.WithDescription(c.about), metric.WithInt64Callback(func(_ context.Context, to metric.Int64Observer) error {
			to.Observe(c.read())
			return nil
		}))
		if err != nil { // names are ours
			m.o.Log.Warn("a metric is left out", "metric", c.name, "error", err)
		}
	}
}
