package app

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"toolcrib/internal/wire"
)

// health is what /readyz answers.
type health struct {
	Status   string   `json:"status"` // ready, degraded or stopping
	Servers  int      `json:"servers"`
	Down     int      `json:"down"`
	Problems []reason `json:"problems,omitempty"`
}

// A reason is why the gateway is not all it could be.
type reason struct {
	Server string `json:"server,omitempty"` // none: it is about the configuration
	Since  string `json:"since,omitempty"`
	Reason string `json:"reason"`
}

// note keeps why a configuration is not in use.
func (a *App) note(err error) {
	if err == nil {
		a.problem.Store(nil)
		return
	}
	a.problem.Store(&failed{err})
}

// failed is why something is not in use.
type failed struct{ err error }

func stampOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// health looks at what is known; it asks nobody.
func (a *App) health(serving context.Context) health {
	h := health{Status: "ready"}
	known := a.known.Snapshot()
	for _, s := range a.pool.Status() {
		h.Servers++
		why := reason{Server: s.Name, Reason: s.Reason, Since: stampOf(s.Since)}
		if at := known.Server(s.Name); s.Reason == "" && at != nil && at.Failure() != nil {
			why.Reason, why.Since = at.Failure().Reason, stampOf(at.Failure().Since)
		}
		if why.Reason != "" {
			h.Down++
			h.Problems = append(h.Problems, why)
		}
	}
	for _, name := range a.known.configured() {
		if a.known.untrusted(name) {
			h.Problems = append(h.Problems, reason{Server: name, Reason: waits(name)})
		}
	}
	if p := a.problem.Load(); p != nil {
		h.Problems = append(h.Problems, reason{Reason: p.err.Error()})
	}
	if len(h.Problems) > 0 {
		h.Status = "degraded"
	}
	if serving.Err() != nil {
		h.Status = "stopping"
	}
	return h
}

// observed adds the paths by which others watch the gateway to those of the
// listener. A gateway some of whose servers are down still serves the others, so
// it stays ready, and says what is wrong to whoever may use it.
func (a *App) observed(serving context.Context, mcp *wire.HTTPServer, rest http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", rest)
	if metrics := a.watch.Metrics(); metrics != nil {
		mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
			if mcp.Admit(w, r) {
				metrics.ServeHTTP(w, r)
			}
		})
	}
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		h := a.health(serving)
		if !mcp.Admits(r) {
			h.Problems = nil
		}
		status := http.StatusOK
		if h.Status == "stopping" {
			status = http.StatusServiceUnavailable
		}
		for i := range h.Problems {
			h.Problems[i].Reason = a.o.secrets.Text(h.Problems[i].Reason)
		}
		body, err := json.Marshal(h)
		if err != nil { // it is text and numbers
			status, body = http.StatusInternalServerError, []byte(`{"status":"unknown"}`)
		}
		writeJSON(w, status, string(body))
	})
	return mux
}
