package trace

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// newRegistry has what every program of Go tells of itself; the rest is added to it.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Metrics answers with all metrics, as Prometheus reads them. Who may ask is for
// others to decide. It is nil where Options did not ask for it.
func (t *Trace) Metrics() http.Handler {
	if t == nil || t.metrics == nil || t.metrics.registry == nil {
		return nil
	}
	return promhttp.HandlerFor(t.metrics.registry, promhttp.HandlerOpts{
		ErrorLog:            slog.NewLogLogger(t.o.Log.Handler(), slog.LevelWarn),
		ErrorHandling:       promhttp.ContinueOnError,
		MaxRequestsInFlight: 4,
	})
}
