package trace

import (
	"context"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// nobody answers at once.
type nobody struct{}

func (nobody) Serve(context.Context, *wire.Incoming) ([]byte, error)           { return empty, nil }
func (nobody) Notified(context.Context, *wire.Session, string, []byte)         {}
func (nobody) Closed(*wire.Session)                                            {}
func answerNothing(ctx context.Context, r *call.Request) (out []byte, _ error) { return empty, nil }

var empty = []byte("{}")

// TestOffIsNothing: without a variable there is no Trace, and what there is not
// costs nothing.
func TestOffIsNothing(t *testing.T) {
	off, err := Open(t.Context(), Options{})
	if off != nil || err != nil {
		t.Fatalf("%v, %v", off, err)
	}
	if h := (nobody{}); off.Handler(h) != wire.Handler(h) {
		t.Error("something stands before the handler")
	}
	ctx, do, r := t.Context(), off.Around(answerNothing), &call.Request{Method: wire.MethodToolsCall}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := do(ctx, r); err != nil {
			t.Error(err)
		}
		_, learned := off.Discovery(ctx, "x")
		learned(Lesson{})
		off.Reload(1, 0)(nil)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if off.Metrics() != nil || off.Watch(Sources{}) != nil || off.Close(ctx) != nil {
		t.Error("it does something")
	}
}

func TestEnvironment(t *testing.T) {
	type vars = map[string]string
	for name, test := range map[string]struct {
		set     vars
		want    signals
		refused bool
	}{
		"nothing":          {},
		"an endpoint":      {set: vars{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, want: signals{true, true}},
		"traces alone":     {set: vars{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, want: signals{true, false}},
		"metrics alone":    {set: vars{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://x"}, want: signals{false, true}},
		"an exporter":      {set: vars{"OTEL_TRACES_EXPORTER": "otlp"}, want: signals{true, false}},
		"none":             {set: vars{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_METRICS_EXPORTER": "none"}, want: signals{true, false}},
		"prometheus":       {set: vars{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_METRICS_EXPORTER": "prometheus"}, want: signals{true, false}},
		"disabled":         {set: vars{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "TRUE"}},
		"protobuf":         {set: vars{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, want: signals{true, true}},
		"grpc":             {set: vars{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, refused: true},
		"grpc, overridden": {set: vars{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf"}, want: signals{true, false}},
		"grpc to nowhere":  {set: vars{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}},
		"zipkin":           {set: vars{"OTEL_TRACES_EXPORTER": "zipkin"}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range test.set {
				t.Setenv(name, value)
			}
			got, err := fromEnvironment()
			if got != test.want || (err != nil) != test.refused {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestQueueOptions(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_BSP_MAX_QUEUE_SIZE": "100", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "1000", "OTEL_BSP_SCHEDULE_DELAY": "soon", "OTEL_BSP_EXPORT_TIMEOUT": "-1",
	} {
		t.Setenv(name, value)
	}
	if o := queueFromEnvironment(); o.size != 100 || o.batch != 100 || o.delay.Seconds() != 5 || o.limit.Seconds() != 30 {
		t.Errorf("%+v", o)
	}
	t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "99999999999")
	if o := queueFromEnvironment(); o.size != mostQueued && o.size != usualQueue {
		t.Errorf("%+v", o)
	}
}

func TestContentNeedsRedaction(t *testing.T) {
	if _, err := Open(t.Context(), Options{Arguments: true}); err == nil {
		t.Error("arguments are traced as they are")
	}
}
