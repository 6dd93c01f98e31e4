package app

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// TestF34CollectorDown has a collector that is gone, hangs or fails, and an agent
// that must not notice.
func TestF34CollectorDown(t *testing.T) {
	ended := make(chan struct{})
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	collectors := map[string]string{
		"gone": "http://" + gone.Addr().String(),
		"hangs": serve(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-ended:
			}
		}),
		"fails": serve(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) }),
	}
	t.Cleanup(func() { close(ended) }) // before the servers wait for their requests
	for name, url := range collectors {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
			t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "8")
			t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
			s := serveHTTP(t, config.Config{
				HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff}, Servers: []config.Server{server(t, "alpha", "good")},
			}, watched(t))
			a := s.agent(wire.VersionModern, nil)
			for range 200 {
				if texts, failed := use(t, a, "call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": 2, "b": 3}}); failed || !strings.Contains(texts[0], "5") {
					t.Fatalf("%v", texts)
				}
			}
			_, metrics, _ := s.do("GET", "/metrics", "")
			lost := valueOf(t, metrics, "toolcrib_spans_dropped_total") + valueOf(t, metrics, "toolcrib_spans_failed_total")
			if taken := valueOf(t, metrics, "toolcrib_spans_exported_total"); taken != 0 {
				t.Errorf("%v spans are said to have been taken", taken)
			}
			// 400 spans of calls, of which the queue and the exporter hold 9 at most.
			if lost < 400-9 {
				t.Errorf("%v spans are said to be lost", lost)
			}
			now, cancel := context.WithCancel(context.Background())
			cancel()
			s.app.watch.close(now) // nothing is left behind by it, as TestMain sees
		})
	}
}
