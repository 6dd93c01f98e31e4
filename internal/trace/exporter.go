package trace

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
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

// spanExporter keeps what goes wrong to itself, but for a line in the log: the
// SDK would tell it to whatever the process has for such errors.
type spanExporter struct {
	sdktrace.SpanExporter
	told complaint
}

func newSpanExporter(ctx context.Context, log *slog.Logger) (sdktrace.SpanExporter, error) {
	e, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	return &spanExporter{SpanExporter: e, told: complaint{log: log, what: "spans"}}, nil
}

func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	e.told.heard(err)
	return err
}

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
