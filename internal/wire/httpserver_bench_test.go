package wire

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// discardResponse costs nothing itself, so that what is counted is ours.
type discardResponse struct{ h http.Header }

func (d *discardResponse) Header() http.Header       { return d.h }
func (*discardResponse) Write(b []byte) (int, error) { return len(b), nil }
func (*discardResponse) WriteHeader(int)             {}

func BenchmarkHTTPPost(b *testing.B) {
	result := []byte(`{"resultType":"complete","content":[{"type":"text","text":"hello"}]}`)
	s := NewHTTPServer(&scripted{serve: func(context.Context, *Incoming) ([]byte, error) { return result, nil }}, HTTPOptions{})
	defer s.Close()
	e := &endpoint{t: b, url: "http://localhost/mcp"}
	legacy := call{body: `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25"}}`}
	w := &discardResponse{h: http.Header{}}
	s.ServeHTTP(w, e.request(context.Background(), legacy))
	session := map[string]string{headerSession: w.h.Get(headerSession), headerVersion: Version202511}
	for name, c := range map[string]call{
		"modern": modernCall("tools/call", "echo", `,"name":"echo","arguments":{"text":"hello"}`),
		"legacy": {body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`, headers: session},
	} {
		b.Run(name, func(b *testing.B) {
			r := e.request(context.Background(), c)
			body := strings.NewReader("")
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(c.body)
				r.Body = io.NopCloser(body)
				clear(w.h)
				s.ServeHTTP(w, r)
			}
		})
	}
}
