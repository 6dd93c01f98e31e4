package app

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/proto"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// TestMetricsByOTLP: what Prometheus reads goes to a collector too, under names
// with dots.
func TestMetricsByOTLP(t *testing.T) {
	got := make(chan *colmetrics.ExportMetricsServiceRequest, 100)
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(body)
		}
		raw, err := io.ReadAll(body)
		var request colmetrics.ExportMetricsServiceRequest
		if err != nil || proto.Unmarshal(raw, &request) != nil || r.URL.Path != "/v1/metrics" {
			http.Error(w, "no metrics", http.StatusBadRequest)
			return
		}
		got <- &request
	}))
	defer sink.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", sink.URL+"/v1/metrics")
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "20")
	o := watched(t)
	o.Metrics = false // no listener
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Servers: []config.Server{server(t, "alpha", "good")}}, o)
	a := s.agent(wire.VersionModern, nil)
	use(t, a, "search_tools", arguments{"query": "select:alpha.add"})
	use(t, a, "call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": 2, "b": 3}})
	missing := map[string]bool{
		"toolcrib.tool.calls": true, "mcp.client.operation.duration": true, "mcp.server.operation.duration": true, "toolcrib.searches": true,
		"toolcrib.discovery.passes": true, "toolcrib.discovery.hits": true, "toolcrib.servers": true, "toolcrib.processes": true,
	}
	late := time.After(20 * time.Second)
	for len(missing) > 0 {
		select {
		case request := <-got:
			for _, from := range request.ResourceMetrics {
				for _, scope := range from.ScopeMetrics {
					for _, m := range scope.Metrics {
						delete(missing, m.Name)
					}
				}
			}
		case <-late:
			t.Fatalf("never sent: %v", missing)
		}
	}
	if status, _, _ := s.do("GET", "/metrics", ""); status != http.StatusNotFound {
		t.Errorf("/metrics is %d", status)
	}
}
