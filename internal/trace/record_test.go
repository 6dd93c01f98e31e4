package trace

import (
	"context"
	"errors"
	"log/slog"
	"strings"
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

// A sdkSpan is a span of ours as the SDK's exporters read one.
type sdkSpan struct {
	sdktrace.ReadOnlySpan
	span
	began      time.Time
	took       time.Duration
	above      trace.SpanContext
	attributes []attribute.KeyValue
	status     sdktrace.Status
	about      *resource.Resource
}

func (s sdkSpan) Name() string                     { return s.title.String() }
func (s sdkSpan) SpanContext() trace.SpanContext   { return s.at }
func (s sdkSpan) Parent() trace.SpanContext        { return s.above }
func (s sdkSpan) SpanKind() trace.SpanKind         { return trace.SpanKind(s.kind) }
func (s sdkSpan) StartTime() time.Time             { return s.began }
func (s sdkSpan) EndTime() time.Time               { return s.began.Add(s.took) }
func (s sdkSpan) Attributes() []attribute.KeyValue { return s.attributes }
func (s sdkSpan) Status() sdktrace.Status          { return s.status }
func (s sdkSpan) Links() []sdktrace.Link           { return nil }
func (s sdkSpan) Events() []sdktrace.Event         { return nil }
func (s sdkSpan) DroppedAttributes() int           { return 0 }
func (s sdkSpan) DroppedLinks() int                { return 0 }
func (s sdkSpan) DroppedEvents() int               { return 0 }
func (s sdkSpan) Resource() *resource.Resource     { return s.about }
func (s sdkSpan) InstrumentationScope() instrumentation.Scope {
	return instrumentation.Scope{Name: scope, Version: "1.2"}
}

// endings are spans with every kind of attribute, parent and status, ended at a Trace,
// and the same for the SDK.
func endings(tr *Trace) []sdkSpan {
	state, _ := trace.ParseTraceState("vendor=1,other=x")
	agents := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1, 2, 15: 3}, SpanID: trace.SpanID{9, 7: 9}, Remote: true, TraceFlags: trace.FlagsSampled, TraceState: state})
	long := strings.Repeat("ä", 150)
	texts := []string{"a", "", strings.Repeat("x", 200), "c"}
	var all []sdkSpan
	for i, one := range []struct {
		name   title
		parent trace.SpanContext
		kind   trace.SpanKind
		how    ending
		say    func(record) record
		want   []attribute.KeyValue
		status sdktrace.Status
	}{
		{
			name: title{"tools/call", "add"}, parent: agents, kind: trace.SpanKindServer,
			say: func(r record) record {
				r = r.text(newKey("text"), "ünïcode 🧰")
				r = r.text(newKey("empty"), "")
				r = r.text(newKey("long"), long)
				r = r.text(newKey(strings.Repeat("k", 200)), "v")
				for _, n := range []int{112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129} { // around what one byte says
					r = r.text(newKey("k"), long[:n&^1])
				}
				return r.mark(keyMethod.as("tools/call"))
			},
			want: func() []attribute.KeyValue {
				list := []attribute.KeyValue{attribute.String("text", "ünïcode 🧰"), attribute.String("empty", ""), attribute.String("long", long), attribute.String(strings.Repeat("k", 200), "v")}
				for n := 112; n < 130; n++ {
					list = append(list, attribute.String("k", long[:n&^1]))
				}
				return append(list, attribute.String("mcp.method.name", "tools/call"))
			}(),
		},
		{
			name: title{what: "reload"}, kind: trace.SpanKindInternal,
			say: func(r record) record {
				for _, n := range []int64{0, 1, 300, -1, -1 << 63, 1<<63 - 1} {
					r = r.number(newKey("n"), n)
				}
				r = r.texts(newKey("texts"), texts)
				return r.texts(newKey("none of them"), nil)
			},
			want: []attribute.KeyValue{
				attribute.Int64("n", 0), attribute.Int64("n", 1), attribute.Int64("n", 300), attribute.Int64("n", -1), attribute.Int64("n", -1<<63), attribute.Int64("n", 1<<63-1),
				attribute.StringSlice("texts", texts), attribute.StringSlice("none of them", nil), attribute.String("langfuse.trace.name", "reload"),
			},
		},
		{
			name: title{"tools/call", long}, parent: agents.WithRemote(false), kind: trace.SpanKindClient, how: ending{outcome: refused, kind: "-32602", code: -32602, message: "no " + long[:200]},
			want: []attribute.KeyValue{
				attribute.String("error.type", "-32602"), attribute.String("langfuse.observation.level", "ERROR"), attribute.String("rpc.response.status_code", "-32602"),
				attribute.String("langfuse.observation.status_message", "no "+long[:200]),
			},
			status: sdktrace.Status{Code: codes.Error, Description: "no " + long[:200]},
		},
		{
			parent: agents, kind: trace.SpanKindServer, how: ending{outcome: toolError, kind: errorTool},
			want:   []attribute.KeyValue{attribute.String("error.type", "tool_error"), attribute.String("langfuse.observation.level", "ERROR")},
			status: sdktrace.Status{Code: codes.Error},
		},
	} {
		s := sdkSpan{began: time.Unix(1_800_000_000, int64(i)), took: 1500 * time.Microsecond, above: one.parent, attributes: one.want, status: one.status, about: tr.about}
		tr.start(&s.span, one.parent, one.name, one.kind)
		r := s.record(nil, s.began, s.took)
		if one.say != nil {
			r = one.say(r)
		}
		s.end(r, one.how)
		all = append(all, s)
	}
	return all
}

// heard takes what would be sent to a collector, and reads it again.
type heard struct {
	spans []*tracepb.ResourceSpans
	fails error
}

func (h *heard) Start(context.Context) error { return nil }
func (h *heard) Stop(context.Context) error  { return nil }
func (h *heard) UploadTraces(_ context.Context, spans []*tracepb.ResourceSpans) error {
	if h.fails != nil {
		return h.fails
	}
	b, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	var all tracepb.TracesData
	if err := proto.Unmarshal(b, &all); err != nil {
		return err
	}
	h.spans = all.ResourceSpans
	return nil
}

// aTrace is one whose spans go to a client.
func aTrace(t testing.TB, to otlptrace.Client) *Trace {
	t.Helper()
	about := resource.NewWithAttributes("https://example.com/about", attribute.String("service.name", "toolcrib"), attribute.String("where", "hier"))
	log := slog.New(slog.DiscardHandler)
	return &Trace{about: about, sampler: sdktrace.AlwaysSample(), queue: newQueue(newSpanSender(to, about, "1.2", log), queueFromEnvironment())}
}

// What we write is what the SDK writes.
func TestWrittenAsBySDK(t *testing.T) {
	var got, want heard
	tr := aTrace(t, &got)
	spans := endings(tr)
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var batch []sdktrace.ReadOnlySpan
	for _, s := range spans {
		batch = append(batch, s)
	}
	if err := otlptrace.NewUnstarted(&want).ExportSpans(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.spans, got.spans, protocmp.Transform()); diff != "" {
		t.Errorf("-SDK +ours:\n%s", diff)
	}
}

// A text that is none does not keep the others from being taken.
func TestWrittenTextsAreValid(t *testing.T) {
	s := noted(t, func(tr *Trace) {
		var s span
		tr.start(&s, trace.SpanContext{}, titleOf("a\xffb", "c\xfe"), trace.SpanKindServer)
		r := s.record(nil, time.Now(), 0)
		r = r.text(newKey("k"), "v\xfd")
		r = r.short(newKey("s"), strings.Repeat("\xfd", maxText+1))
		r = r.texts(newKey("l"), []string{"\xfc", "x"})
		s.end(r, ending{kind: "x", message: "\xfb"})
	})
	a := attributesOf(s)
	if s.Name != "other c\uFFFD" || a["k"] != "v\uFFFD" || a["s"] != "..." || a["l"] != `["`+"\uFFFD"+`","x"]` || s.Status.Message != "\uFFFD" {
		t.Errorf("%v", s)
	}
}

// What is sent is a message that holds all of a batch, and the next is not mixed with it.
func TestSenderSendsWhatIsGathered(t *testing.T) {
	var to heard
	tr := aTrace(t, &to)
	defer tr.Close(t.Context())
	s := newSpanSender(&to, tr.about, "1.2", slog.New(slog.DiscardHandler))
	one := []byte{tagSpan, 2, tagKind, 1}
	for _, n := range []int{3, 1} {
		var batch []byte
		for range n {
			batch = append(batch, one...)
		}
		if err := s.send(t.Context(), batch); err != nil || len(to.spans[0].ScopeSpans[0].Spans) != n {
			t.Errorf("%v, %v", err, to.spans)
		}
	}
	to.fails = errors.New("no")
	if err := s.send(t.Context(), one); !errors.Is(err, to.fails) {
		t.Errorf("%v", err)
	}
}

// BenchmarkSpan is what a span costs when it ends, and what it would cost to have the
// SDK write it.
func BenchmarkSpan(b *testing.B) {
	say := []attribute.KeyValue{attribute.String("mcp.method.name", "tools/call"), attribute.String("toolcrib.server", "alpha"), attribute.String("gen_ai.tool.name", "echo"), attribute.Int64("toolcrib.calls", 1)}
	var s span
	b.Run("ours", func(b *testing.B) {
		tr := &Trace{sampler: sdktrace.AlwaysSample(), all: true, queue: newQueue(senderFunc(func([]byte) {}), queueFromEnvironment())}
		defer tr.Close(context.Background())
		b.ReportAllocs()
		for b.Loop() {
			tr.start(&s, trace.SpanContext{}, title{"tools/call", "echo"}, trace.SpanKindServer)
			var room [usualRecord]byte
			r := s.record(room[:0], time.Now(), time.Millisecond)
			r = r.text(keyMethod, "tools/call")
			r = r.text(keyServer, "alpha")
			r = r.text(keyTool, "echo")
			r = r.number(keyCalls, 1)
			s.end(r, ending{outcome: succeeded})
		}
	})
	b.Run("SDK", func(b *testing.B) {
		to := &writing{}
		e := otlptrace.NewUnstarted(to)
		batch := make([]sdktrace.ReadOnlySpan, 512)
		for i := range batch {
			batch[i] = sdkSpan{span: s, attributes: say, about: resource.Empty()}
		}
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			if n%len(batch) == 0 {
				if err := e.ExportSpans(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// writing writes spans, and no more.
type writing struct{ heard }

func (*writing) UploadTraces(_ context.Context, spans []*tracepb.ResourceSpans) error {
	_, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	return err
}
