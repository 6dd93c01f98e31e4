package trace

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// BenchmarkRequest is what a request of an agent that becomes a call at a server
// costs besides the work itself: with nothing on, with metrics, with activity, with spans.
func BenchmarkRequest(b *testing.B) {
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer collector.Close()
	answer := []byte(`{"content":[{"type":"text","text":"hello"}],"resultType":"complete"}`)
	in := &wire.Incoming{
		Era: wire.Modern, Version: wire.VersionModern, ID: "1", Method: wire.MethodToolsCall,
		Params: []byte(`{"name":"call_tool","arguments":{"tool":"alpha.echo","arguments":{"text":"hello"}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`),
		Meta:   wire.Meta{Present: true},
	}
	for _, with := range []struct {
		name   string
		traces bool
		o      Options
	}{
		{"off", false, Options{}},
		{"metrics", false, Options{Metrics: true}},
		{"activity", false, Options{Metrics: true, Activity: true}},
		{"traces", true, Options{}},
		{"both", true, Options{Metrics: true}},
	} {
		b.Run(with.name, func(b *testing.B) {
			if with.traces {
				b.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.URL)
			}
			t, err := Open(b.Context(), with.o)
			if err != nil {
				b.Fatal(err)
			}
			defer t.Close(context.Background())
			do := t.Around(func(context.Context, *call.Request) ([]byte, error) { return answer, nil })
			h := t.Handler(calling{do: do})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Serve(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// calling makes a call of every request.
type calling struct {
	nobody
	do call.Func
}

func (c calling) Serve(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	return c.do(ctx, &call.Request{Server: "alpha", Method: in.Method, Name: "echo", Params: in.Params})
}

// BenchmarkJudge is what it costs to see how a long result ended.
func BenchmarkJudge(b *testing.B) {
	long := append([]byte(`{"content":[{"type":"text","text":"`), make([]byte, 1<<20)...)
	for i := range long[35:] {
		long[35+i] = 'x'
	}
	long = append(long, `"}]}`...)
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		judge(b.Context(), wire.MethodToolsCall, long, nil)
	}
}
