package trace

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

// A plainSpan is a span with all that can be said of one.
type plainSpan struct {
	sdktrace.ReadOnlySpan
	name       string
	at, parent trace.SpanContext
	kind       trace.SpanKind
	began      time.Time
	attributes []attribute.KeyValue
	status     sdktrace.Status
	scope      instrumentation.Scope
	about      *resource.Resource
}

func (s plainSpan) Name() string                                { return s.name }
func (s plainSpan) SpanContext() trace.SpanContext              { return s.at }
func (s plainSpan) Parent() trace.SpanContext                   { return s.parent }
func (s plainSpan) SpanKind() trace.SpanKind                    { return s.kind }
func (s plainSpan) StartTime() time.Time                        { return s.began }
func (s plainSpan) EndTime() time.Time                          { return s.began.Add(1500 * time.Microsecond) }
func (s plainSpan) Attributes() []attribute.KeyValue            { return s.attributes }
func (s plainSpan) Status() sdktrace.Status                     { return s.status }
func (s plainSpan) Links() []sdktrace.Link                      { return nil }
func (s plainSpan) Events() []sdktrace.Event                    { return nil }
func (s plainSpan) DroppedAttributes() int                      { return 0 }
func (s plainSpan) DroppedLinks() int                           { return 0 }
func (s plainSpan) DroppedEvents() int                          { return 0 }
func (s plainSpan) Resource() *resource.Resource                { return s.about }
func (s plainSpan) InstrumentationScope() instrumentation.Scope { return s.scope }

// plainSpans are spans of every kind, with every kind of attribute and status.
func plainSpans(t testing.TB) []sdktrace.ReadOnlySpan {
	t.Helper()
	state, err := trace.ParseTraceState("vendor=1,other=x")
	if err != nil {
		t.Fatal(err)
	}
	own := trace.SpanContextConfig{TraceID: trace.TraceID{1, 2, 15: 3}, SpanID: trace.SpanID{4, 7: 5}, TraceFlags: trace.FlagsSampled}
	stated := own
	stated.TraceState = state
	remote := trace.SpanContextConfig{TraceID: own.TraceID, SpanID: trace.SpanID{9, 7: 9}, Remote: true}
	local := remote
	local.Remote = false
	all := []attribute.KeyValue{
		attribute.String("text", "ünïcode 🧰"), attribute.String("empty", ""), attribute.Bool("yes", true), attribute.Bool("no", false), attribute.Int64("zero", 0),
		attribute.Int64("least", -1<<63), attribute.Int64("most", 1<<63-1), attribute.Float64("none", 0), attribute.Float64("some", -1.5e300),
		attribute.StringSlice("texts", []string{"a", "", "c"}), attribute.StringSlice("none of them", nil), attribute.BoolSlice("bools", []bool{true, false}),
		attribute.Int64Slice("ints", []int64{0, -1, 300}), attribute.Float64Slice("floats", []float64{0, .5}), attribute.String("long", string(make([]byte, 300))),
	}
	var out []sdktrace.ReadOnlySpan
	for i, s := range []plainSpan{
		{name: "tools/call add", at: trace.NewSpanContext(own), kind: trace.SpanKindServer, attributes: all},
		{name: "", at: trace.NewSpanContext(stated), parent: trace.NewSpanContext(remote), kind: trace.SpanKindClient, status: sdktrace.Status{Code: codes.Error, Description: "no"}},
		{name: "inner", at: trace.NewSpanContext(own), parent: trace.NewSpanContext(local), kind: trace.SpanKindInternal, status: sdktrace.Status{Code: codes.Ok}},
		{name: "p", kind: trace.SpanKindProducer, status: sdktrace.Status{Code: codes.Error}, attributes: all[:1]},
		{name: "c", kind: trace.SpanKindConsumer},
		{name: "u"},
	} {
		s.began = time.Unix(1_800_000_000, int64(i))
		s.scope = instrumentation.Scope{Name: scope, Version: "1.2", SchemaURL: "https://example.com/scope"}
		s.about = resource.NewWithAttributes("https://example.com/about", attribute.String("service.name", "toolcrib"), attribute.Int("pid", 7))
		out = append(out, s)
	}
	return out
}

// heard takes what the SDK's exporter would send.
type heardSpans struct{ spans []*tracepb.ResourceSpans }

func (h *heardSpans) Start(context.Context) error { return nil }
func (h *heardSpans) Stop(context.Context) error  { return nil }
func (h *heardSpans) UploadTraces(_ context.Context, spans []*tracepb.ResourceSpans) error {
	h.spans = spans
	return nil
}

// What we write is what the SDK writes.
func TestEncodedAsBySDK(t *testing.T) {
	spans := plainSpans(t)
	for _, batch := range [][]sdktrace.ReadOnlySpan{spans, spans[:1], spans[4:5]} {
		var want heardSpans
		if err := otlptrace.NewUnstarted(&want).ExportSpans(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		var got tracepb.ResourceSpans
		if err := proto.Unmarshal(encodeSpans(nil, batch), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.spans, []*tracepb.ResourceSpans{&got}, protocmp.Transform()); diff != "" {
			t.Errorf("-SDK +ours:\n%s", diff)
		}
	}
}

// A text that is none does not keep the others from being taken.
func TestEncodedTextsAreValid(t *testing.T) {
	s := plainSpans(t)[0].(plainSpan)
	s.name, s.attributes = "a\xffb", []attribute.KeyValue{attribute.String("k\xfe", "v\xfd")}
	var got tracepb.ResourceSpans
	if err := proto.Unmarshal(encodeSpans(nil, []sdktrace.ReadOnlySpan{s}), &got); err != nil {
		t.Fatal(err)
	}
	one := got.ScopeSpans[0].Spans[0]
	if one.Name != "a\uFFFDb" || one.Attributes[0].Key != "k\uFFFD" || one.Attributes[0].Value.GetStringValue() != "v\uFFFD" {
		t.Errorf("%v", one)
	}
}

// What the exporter sends is a message that holds all of a batch, and the next is not
// mixed with it.
func TestExporterSendsWhatIsEncoded(t *testing.T) {
	c := &readingClient{}
	e := &spanExporter{client: c, told: complaint{log: slog.New(slog.DiscardHandler)}}
	spans := plainSpans(t)
	for _, batch := range [][]sdktrace.ReadOnlySpan{spans, spans[2:3], {}} {
		if err := e.ExportSpans(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.sizes) != 2 || c.sizes[0] != len(spans) || c.sizes[1] != 1 {
		t.Errorf("%v", c.sizes)
	}
	c.fails = errors.New("no")
	if err := e.ExportSpans(t.Context(), spans); !errors.Is(err, c.fails) {
		t.Errorf("%v", err)
	}
}

// A readingClient reads what the SDK's client would send.
type readingClient struct {
	heardSpans
	sizes []int
	fails error
}

func (c *readingClient) UploadTraces(_ context.Context, spans []*tracepb.ResourceSpans) error {
	if c.fails != nil {
		return c.fails
	}
	b, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	var all tracepb.TracesData
	if err := proto.Unmarshal(b, &all); err != nil {
		return err
	}
	c.sizes = append(c.sizes, len(all.ResourceSpans[0].ScopeSpans[0].Spans))
	return nil
}

func BenchmarkEncode(b *testing.B) {
	var batch []sdktrace.ReadOnlySpan
	for range 100 {
		batch = append(batch, plainSpans(b)[:3]...)
	}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		var buffer []byte
		for b.Loop() {
			buffer = encodeSpans(buffer[:0], batch)
		}
	})
	b.Run("SDK", func(b *testing.B) {
		b.ReportAllocs()
		var to heardSpans
		e := otlptrace.NewUnstarted(&to)
		for b.Loop() {
			if err := e.ExportSpans(b.Context(), batch); err != nil {
				b.Fatal(err)
			}
			if _, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: to.spans}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
