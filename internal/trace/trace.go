// Package trace shows what the gateway does: spans and metrics of OpenTelemetry,
// the same metrics for Prometheus, and what was done of late.
//
//	agent ── Handler ──────────────► server span   tools/call search_tools
//	            │ a script's calls too     │
//	         Around, on the chain ─► client span   tools/call create_issue ── _meta.traceparent ──► server
//	listings ── Discovery ─────────► span          discovery github
//	Apply ───── Reload ────────────► span          config reload
//	                                       │
//	                 queue, bounded: drops and counts ──► OTLP, by the OTEL_* variables
//	                 Ring: the last of all, for who looks
//
// Everything stands beside the calls and never in their way: a collector that is
// slow or gone costs spans, not calls. What is off costs nothing: a nil *Trace is
// a Trace that does nothing, and puts nothing around a call.
//
// Spans say who did what, how long it took and how it ended, in the conventions
// for MCP. What was in a call, its arguments and its result, is in them only where
// the configuration asks for it. Labels of metrics come from closed sets and the
// names of servers, never from what an agent sends or a server lists.
package trace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Options of a Trace. The zero value works, and traces nothing unless the OTEL_*
// variables say where to.
type Options struct {
	Log     *slog.Logger // nil discards
	Version string       // of the gateway

	// Metrics are kept for Prometheus, whatever the variables say.
	Metrics bool

	// Activity is remembered for a while: see Ring.
	Activity bool

	// Arguments and Results of calls are put into spans, passed through Redact,
	// which must be there if one of them is set.
	Arguments, Results bool
	Redact             func(string) string

	// Peer says how a server is reached; nil if nobody knows.
	Peer func(server string) Peer
	// Tokens says how many tokens a text is to a model. Nil counts none.
	Tokens func(text string) int
	// Definitions is how many tokens all that the servers offer would take, or 0
	// where agents are shown it one to one.
	Definitions func() int
}

// A Peer is how a server is reached.
type Peer struct {
	Address string // host; "" for a child process
	Port    int
}

// closeTime is how long what is queued may take to go out at the end.
const closeTime = 3 * time.Second

// scope is the name under which all spans and metrics are sent.
const scope = "toolcrib"

// A Trace takes note of what is done. Nil takes none.
type Trace struct {
	o       Options
	about   *resource.Resource
	sampler sdktrace.Sampler // nil without traces, and so is queue
	all     bool             // the sampler leaves out only what the agent leaves out
	queue   *queue
	metrics *metrics // nil without metrics
	ring    *Ring    // nil without activity
}

// Open starts what the OTEL_* variables and the options ask for, and returns nil
// where that is nothing. It connects to nothing yet.
func Open(ctx context.Context, o Options) (*Trace, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if (o.Arguments || o.Results) && o.Redact == nil {
		return nil, errors.New("arguments and results are traced only with something that redacts them")
	}
	on, err := fromEnvironment()
	if err != nil {
		return nil, err
	}
	if !on.traces && !on.metrics && !o.Metrics && !o.Activity {
		return nil, nil
	}
	about, err := describe(ctx, o.Version)
	if err != nil {
		o.Log.Warn("some resource attributes are left out", "error", err)
	}
	t := &Trace{o: o, about: about}
	if o.Activity {
		t.ring = &Ring{}
	}
	if on.traces {
		if err := t.openSpans(ctx); err != nil {
			return nil, fmt.Errorf("open the trace exporter: %w", err)
		}
	}
	if on.metrics || o.Metrics {
		if t.metrics, err = openMetrics(ctx, about, on.metrics, &t.o); err != nil {
			return nil, errors.Join(fmt.Errorf("open the metrics exporter: %w", err), t.Close(ctx))
		}
		t.metrics.watchQueue(t.queue)
	}
	return t, nil
}

// describe is who sends: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
func describe(ctx context.Context, version string) (*resource.Resource, error) {
	return resource.New(ctx,
		resource.WithAttributes(
			attribute.String("service.name", scope),
			attribute.String("service.version", version),
		),
		resource.WithTelemetrySDK(),
		resource.WithFromEnv(),
	)
}

func (t *Trace) openSpans(ctx context.Context) error {
	sampler, err := samplerFromEnvironment()
	if err != nil {
		return err
	}
	client := otlptracehttp.NewClient()
	if err := client.Start(ctx); err != nil {
		return err
	}
	t.queue = newQueue(newSpanSender(client, t.about, t.o.Version, t.o.Log), queueFromEnvironment())
	t.sampler = sampler
	t.all = sampler.Description() == sdktrace.ParentBased(sdktrace.AlwaysSample()).Description()
	return nil
}

// Close sends what is queued, for at most 3 s, and ends everything.
func (t *Trace) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	var both sync.WaitGroup
	var spans, metrics error
	both.Go(func() { spans = t.closeSpans(ctx) })
	both.Go(func() { metrics = t.metrics.close(ctx) })
	both.Wait()
	return errors.Join(spans, metrics)
}

func (t *Trace) closeSpans(ctx context.Context) error {
	if t.queue == nil {
		return nil
	}
	return t.queue.shutdown(ctx)
}
