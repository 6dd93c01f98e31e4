package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/gateway"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// BenchmarkModernCall is the gateway's own share of a small call to a stdio
// server: everything but the network and net/http.
func BenchmarkModernCall(b *testing.B) {
	pool, err := upstream.NewPool(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close(b.Context())
	if err := pool.Apply([]upstream.Spec{child(b, "one", "good")}); err != nil {
		b.Fatal(err)
	}
	do := call.Chain(pool.Call, call.Deadline(pool.CallTimeout), call.Concurrency(pool.Limit))
	g, err := gateway.New(gateway.Options{Servers: pool, Catalog: knowledge(b, pool, do), Call: do})
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	h := wire.NewHTTPServer(g, wire.HTTPOptions{ParamHeaders: g.ParamHeaders})
	defer h.Close()
	body := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},` + modernMeta + `}}`
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
		req.Host = "localhost"
		req.Header = http.Header{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
			"Mcp-Protocol-Version": {wire.VersionModern}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"},
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}
