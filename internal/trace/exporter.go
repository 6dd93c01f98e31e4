package trace

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// complainEvery is how often a collector that does not answer is worth a line.
const complainEvery = 5 * time.Minute

// A complaint says now and then that nothing is received.
type complaint struct {
	log    *slog.Logger
	what   string
	mu     sync.Mutex
	last   time.Time
	failed bool
}

func (c *complaint) heard(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch now := time.Now(); {
	case err == nil && c.failed:
		c.failed = false
		c.log.Info("the collector takes "+c.what+" again", "signal", c.what)
	case err != nil && now.Sub(c.last) >= complainEvery:
		c.failed, c.last = true, now
		c.log.Warn("the collector did not take "+c.what+"; calls go on, look at OTEL_EXPORTER_OTLP_ENDPOINT", "signal", c.what, "error", err)
	}
}

// spanExporter sends spans, and keeps what goes wrong to itself, but for a line in the
// log: the SDK would tell it to whatever the process has for such errors.
type spanExporter struct {
	client otlptrace.Client
	told   complaint
	buffer []byte // of the batch before; one batch is sent at a time
}

func newSpanExporter(ctx context.Context, log *slog.Logger) (sdktrace.SpanExporter, error) {
	e := &spanExporter{client: otlptracehttp.NewClient(), told: complaint{log: log, what: "spans"}}
	return e, e.client.Start(ctx)
}

func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	e.buffer = encodeSpans(e.buffer[:0], spans)
	// The client wants a message, and writes what it does not know of it as it is.
	var encoded tracepb.ResourceSpans
	encoded.ProtoReflect().SetUnknown(e.buffer)
	err := e.client.UploadTraces(ctx, []*tracepb.ResourceSpans{&encoded})
	e.told.heard(err)
	return err
}

// Shutdown ends the connection to the collector.
func (e *spanExporter) Shutdown(ctx context.Context) error { return e.client.Stop(ctx) }

// metricExporter is the same for metrics.
type metricExporter struct {
	sdkmetric.Exporter
	told complaint
}

func newMetricExporter(ctx context.Context, log *slog.Logger) (sdkmetric.Exporter, error) {
	e, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, err
	}
	return &metricExporter{Exporter: e, told: complaint{log: log, what: "metrics"}}, nil
}

func (e *metricExporter) Export(ctx context.Context, data *metricdata.ResourceMetrics) error {
	e.told.heard(e.Exporter.Export(ctx, data))
	return nil
}
