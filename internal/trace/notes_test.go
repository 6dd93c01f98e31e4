package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"toolcrib/internal/wire"
)

func TestJudge(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx    context.Context
		method string
		result string
		err    error
		want   outcome
		kind   string
	}{
		{t.Context(), wire.MethodToolsCall, `{"content":[]}`, nil, succeeded, ""},
		{t.Context(), wire.MethodToolsCall, `{"content":[],"isError":true}`, nil, toolError, "tool_error"},
		{t.Context(), wire.MethodToolsCall, `{"isError":false}`, nil, succeeded, ""},
		{t.Context(), wire.MethodToolsCall, `{"content":[{"isError":true}]}`, nil, succeeded, ""},
		{t.Context(), wire.MethodToolsCall, `no object`, nil, succeeded, ""},
		{t.Context(), wire.MethodToolsList, `{"isError":true}`, nil, succeeded, ""},
		{t.Context(), wire.MethodToolsCall, ``, wire.Errorf(wire.CodeInvalidParams, "x"), refused, "-32602"},
		{t.Context(), wire.MethodToolsCall, ``, fmt.Errorf("x: %w", wire.Errorf(wire.CodeUpstreamFailed, "x")), unreachable, "1001"},
		{t.Context(), wire.MethodToolsCall, ``, wire.Errorf(wire.CodeUpstreamBusy, "x"), busy, "1002"},
		{t.Context(), wire.MethodToolsCall, ``, wire.Errorf(wire.CodeTimeout, "x"), timedOut, "1003"},
		{t.Context(), wire.MethodToolsCall, ``, wire.Errorf(-1, "x"), failed, "-1"},
		{t.Context(), wire.MethodToolsCall, ``, context.DeadlineExceeded, timedOut, "timeout"},
		{t.Context(), wire.MethodToolsCall, ``, context.Canceled, cancelled, "cancelled"},
		{gone, wire.MethodToolsCall, ``, errors.New("x"), cancelled, "cancelled"},
		{t.Context(), wire.MethodToolsCall, ``, errors.New("x"), failed, "failed"},
	} {
		if e := judge(test.ctx, test.method, []byte(test.result), test.err); e.outcome != test.want || e.kind != test.kind {
			t.Errorf("%s %v: %+v", test.result, test.err, e)
		}
	}
}

func TestReadSearch(t *testing.T) {
	hits := strings.Repeat(`{"name":"a.b"},`, 7) + `{"name":"a.c"}`
	s := readSearch([]byte(`{"content":[],"structuredContent":{"tools":[` + hits + `],"metadata":{"filtered_count":8,"verdict":"near"}}}`))
	if s == nil || s.verdict != "near" || s.found != 8 || len(s.top) != maxTop || s.top[0] != "a.b" {
		t.Errorf("%+v", s)
	}
	for _, other := range []string{``, `[]`, `{}`, `{"structuredContent":{"metadata":{"verdict":"guilty"}}}`, `{"structuredContent":{"metadata":{"verdict":7}}}`} {
		if s := readSearch([]byte(other)); s != nil {
			t.Errorf("%s: %+v", other, s)
		}
	}
}

const (
	agentsTrace = "0af7651916cd43dd8448eb211c80319c"
	agentsSpan  = "b7ad6b7169203331"
	agents      = "00-" + agentsTrace + "-" + agentsSpan + "-01"
)

func incoming(meta string, h http.Header) *wire.Incoming {
	return &wire.Incoming{Method: wire.MethodToolsCall, Params: []byte(`{"name":"x","_meta":` + meta + `}`), Meta: wire.Meta{Present: true}, Header: h}
}

func TestExtract(t *testing.T) {
	header := http.Header{"Traceparent": {"00-" + agentsTrace + "-00f067aa0ba902b7-01"}}
	for _, test := range []struct {
		in   *wire.Incoming
		span string
	}{
		{incoming(`{"traceparent":"`+agents+`"}`, nil), agentsSpan},
		{incoming(`{"traceparent":"`+agents+`"}`, header), agentsSpan},
		{incoming(`{}`, header), "00f067aa0ba902b7"},
		{&wire.Incoming{}, ""},
		{incoming(`{"traceparent":"rubbish"}`, nil), ""},
		{incoming(`{"traceparent":7}`, nil), ""},
		{incoming(`{"traceparent":"00-00000000000000000000000000000000-b7ad6b7169203331-01"}`, nil), ""},
	} {
		at := extract(test.in)
		if got := at.SpanID().String(); at.IsValid() != (test.span != "") || test.span != "" && got != test.span {
			t.Errorf("%s %v: %s", test.in.Params, test.in.Header, got)
		}
	}
}

// FuzzInject puts a trace into any params, which stay what they are otherwise.
func FuzzInject(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"_meta":{}}`, `{"a":1,"_meta":{"traceparent":"x","tracestate":"y","k":[1]}}`, `[]`, `{"_meta":7}`, `{"_meta":{"traceparent":{}}`} {
		f.Add([]byte(seed), "vendor=1")
	}
	f.Fuzz(func(t *testing.T, params []byte, state string) {
		parsed, _ := trace.ParseTraceState(state)
		id, _ := trace.TraceIDFromHex(agentsTrace)
		span, _ := trace.SpanIDFromHex(agentsSpan)
		at := trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span, TraceFlags: trace.FlagsSampled, TraceState: parsed})
		out := inject(at, params)
		if !json.Valid(params) {
			return
		}
		if !json.Valid(out) {
			t.Fatalf("%s became %s", params, out)
		}
		meta := wire.MetaOf(out)
		if meta == nil { // there was none to put it into
			if string(out) != string(params) {
				t.Fatalf("%s became %s", params, out)
			}
			return
		}
		if string(out) == string(params) {
			return // doubled names and the like: others say what is wrong
		}
		if told, _ := wire.Text(wire.Find(meta, traceparent)); told != agents {
			t.Fatalf("%s became %s", params, out)
		}
		if told, _ := wire.Text(wire.Find(meta, tracestate)); told != parsed.String() {
			t.Fatalf("state %q: %s became %s", parsed.String(), params, out)
		}
	})
}

// TestLabelsAreBounded: neither agents nor reloads make ever new series.
func TestLabelsAreBounded(t *testing.T) {
	var l labels
	seen := map[*prepared]bool{}
	for i := range 10_000 {
		seen[l.of(series{server: fmt.Sprint("server ", i), method: knownMethod(fmt.Sprint("method ", i)), tool: ownName(fmt.Sprint("tool_", i))})] = true
	}
	if len(seen) != maxServers+1 || len(l.made) != maxServers+1 {
		t.Errorf("%d series", len(seen))
	}
	if l.server("server 0") != "server 0" || l.server("one more") != otherName {
		t.Error("servers are not told apart as they were")
	}
	if ownName("search-tools") != "search_tools" || ownName(strings.Repeat("x", 1<<20)) != "" {
		t.Error("names of our own tools are not known")
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("long", 100), strings.Repeat("\u00e4", 200), "\xff\xfe"} {
		if got := cut(text, maxText); len(got) > maxText || !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	}
}

// noted has something traced, and returns the span that came of it.
func noted(t *testing.T, do func(*Trace)) *tracepb.Span {
	t.Helper()
	var got []*tracepb.Span
	s := &sink{sent: func(_ context.Context, spans []*tracepb.Span) error {
		got = append(got, spans...)
		return nil
	}}
	tr := &Trace{queue: newQueue(s, usual), sampler: sdktrace.AlwaysSample(), o: Options{Redact: func(text string) string {
		return strings.ReplaceAll(text, "hunter2", "***")
	}}}
	do(tr)
	if err := tr.Close(t.Context()); err != nil || len(got) != 1 {
		t.Fatalf("%v, %d spans", err, len(got))
	}
	return got[0]
}

func attributesOf(s *tracepb.Span) map[string]string {
	out := map[string]string{}
	for _, a := range s.Attributes {
		switch v := a.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			out[a.Key] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			out[a.Key] = fmt.Sprint(v.IntValue)
		case *commonpb.AnyValue_ArrayValue:
			var list []string
			for _, one := range v.ArrayValue.Values {
				list = append(list, fmt.Sprintf("%q", one.GetStringValue()))
			}
			out[a.Key] = "[" + strings.Join(list, ",") + "]"
		}
	}
	return out
}

func TestDiscoverySpan(t *testing.T) {
	many := make([]string, 5000)
	for i := range many {
		many[i] = fmt.Sprint("tool", i)
	}
	for name, test := range map[string]struct {
		l    Lesson
		want map[string]string
	}{
		"asked":   {Lesson{Rung: "protocol", Tools: []string{"a", "b"}, Hits: 7, Misses: 2}, map[string]string{"cache": "miss", "rung": "protocol", "tool_count": "2", "tools": `["a","b"]`, "hits": "7", "misses": "2"}},
		"told":    {Lesson{Rung: "protocol", Cached: true}, map[string]string{"cache": "hit", "tool_count": "0"}},
		"guessed": {Lesson{Rung: "parsed", Tools: []string{"a"}, Failure: errors.New("no answer, hunter2")}, map[string]string{"rung": "parsed", "tool_count": "1"}},
		"long":    {Lesson{Tools: many}, map[string]string{"tool_count": "5000"}},
	} {
		s := noted(t, func(tr *Trace) {
			_, end := tr.Discovery(t.Context(), "github")
			end(test.l)
		})
		got := attributesOf(s)
		for key, value := range test.want {
			if got["toolcrib.discovery."+key] != value {
				t.Errorf("%s: %s is %q", name, key, got["toolcrib.discovery."+key])
			}
		}
		if names := strings.Count(got["toolcrib.discovery.tools"], `"`) / 2; names > maxNames || s.Name != "discovery github" || got["toolcrib.server"] != "github" {
			t.Errorf("%s: %q, %d names", name, s.Name, names)
		}
		if failed := test.l.Failure != nil; (s.Status.Code == tracepb.Status_STATUS_CODE_ERROR) != failed || failed && (s.Status.Message != "no answer, ***" || got["error.type"] != "failed") {
			t.Errorf("%s: %+v %v", name, s.Status, got)
		}
	}
}

func TestReloadSpan(t *testing.T) {
	s := noted(t, func(tr *Trace) { tr.Reload(3, 1)(errors.New("two servers have one name")) })
	if got := attributesOf(s); s.Name != "config reload" || got["toolcrib.config.servers"] != "3" || got["toolcrib.config.problems"] != "1" || s.Status.Message == "" {
		t.Errorf("%s %v %+v", s.Name, got, s.Status)
	}
}
