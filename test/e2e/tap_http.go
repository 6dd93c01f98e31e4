package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A httpTap stands between one agent and a gateway, hands everything on and
// keeps it.
type httpTap struct {
	http http.Server
	addr string

	mu   sync.Mutex
	kept exchanges
}

func startTap(g *gateway) (*httpTap, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &httpTap{addr: l.Addr().String()}
	target := &url.URL{Scheme: "http", Host: g.addr}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
	}
	t.http = http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := &copied{ResponseWriter: w}
		defer func() { t.keep(r, body, answer) }() // also when the agent hangs up, which the proxy panics of
		proxy.ServeHTTP(answer, r)
	})}
	go func() { _ = t.http.Serve(l) }()
	return t, nil
}

func (t *httpTap) url() string { return "http://" + t.addr + "/mcp" }

// exchanges ends it and returns what it has kept.
func (t *httpTap) exchanges() (exchanges, error) {
	err := t.http.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(exchanges(nil), t.kept...), err
}

// keep remembers a request with its answer. Notifications have none.
func (t *httpTap) keep(r *http.Request, body []byte, answer *copied) {
	e := exchange{version: r.Header.Get("MCP-Protocol-Version")}
	if json.Unmarshal(body, &e) != nil || e.Method == "" || e.ID == nil {
		return
	}
	for _, m := range answer.messages() {
		var a exchange
		if json.Unmarshal(m, &a) == nil && a.Method == "" && bytes.Equal(a.ID, e.ID) {
			e.Result, e.Error = a.Result, a.Error
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, e)
}

// copied is an answer of which a copy is kept.
type copied struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (c *copied) Write(b []byte) (int, error) {
	c.body.Write(b)
	return c.ResponseWriter.Write(b)
}

// Unwrap lets the proxy flush.
func (c *copied) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// messages of an answer that is one, or a stream of them.
func (c *copied) messages() [][]byte {
	if !strings.HasPrefix(c.Header().Get("Content-Type"), "text/event-stream") {
		return [][]byte{c.body.Bytes()}
	}
	var all [][]byte
	for line := range bytes.Lines(c.body.Bytes()) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			all = append(all, bytes.TrimSpace(data))
		}
	}
	return all
}
