package trace

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
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

// spanSender sends spans, and keeps what goes wrong to itself, but for a line in the log:
// the SDK would tell it to whatever the process has for such errors.
type spanSender struct {
	client otlptrace.Client
	told   complaint

	spans *tracepb.ScopeSpans // of all
	all   []*tracepb.ResourceSpans
}

// newSpanSender makes one for the spans of the one that about tells of.
func newSpanSender(client otlptrace.Client, about *resource.Resource, version string, log *slog.Logger) *spanSender {
	from := &resourcepb.Resource{}
	for _, a := range about.Attributes() { // texts all of them
		from.Attributes = append(from.Attributes, &commonpb.KeyValue{
			Key: string(a.Key), Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: valid(a.Value.Emit())}},
		})
	}
	spans := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: scope, Version: version}}
	return &spanSender{
		client: client, told: complaint{log: log, what: "spans"}, spans: spans,
		all: []*tracepb.ResourceSpans{{Resource: from, SchemaUrl: about.SchemaURL(), ScopeSpans: []*tracepb.ScopeSpans{spans}}},
	}
}

func (s *spanSender) send(ctx context.Context, spans []byte) error {
	// The client wants a message, and writes what it does not know of it as it is.
	s.spans.ProtoReflect().SetUnknown(spans)
	err := s.client.UploadTraces(ctx, s.all)
	s.spans.ProtoReflect().SetUnknown(nil)
	s.told.heard(err)
	return err
}

// stop ends the connection to the collector.
func (s *spanSender) stop(ctx context.Context) error { return s.client.Stop(ctx) }

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
