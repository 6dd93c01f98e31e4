package app

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// How many objects a call may make, from the body of an agent's request to the child
// and back, with all that surrounds it in a gateway that serves HTTP. What net/http
// makes besides is not ours.
const (
	mostOfModern = 32
	mostOfLegacy = 33
)

// TestCallAllocations holds what a call leaves for the garbage collector: it is a
// good part of what a call costs, and grows by one with every careless line.
func TestCallAllocations(t *testing.T) {
	life, kill := context.WithCancel(context.Background())
	defer kill()
	a, err := Open(life, config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}}, watched(t))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(context.Background())
	mcp := wire.NewHTTPServer(a.agents, wire.HTTPOptions{ParamHeaders: a.gateway.ParamHeaders})
	defer mcp.Close()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	post := func(body string, headers ...string) (*quiet, func()) {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", nil)
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		ctx, cancel := context.WithCancel(t.Context()) // as net/http's are
		t.Cleanup(cancel)
		r = r.WithContext(ctx)
		from, w := strings.NewReader(""), &quiet{h: http.Header{}}
		closer := io.NopCloser(from)
		return w, func() {
			from.Reset(body)
			r.Body, r.ContentLength = closer, int64(len(body))
			w.said.Reset()
			mcp.ServeHTTP(w, r)
		}
	}
	opened, open := post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	open()
	session := opened.h.Get("Mcp-Session-Id")
	for _, test := range []struct {
		name    string
		params  string
		headers []string
		most    float64
	}{
		{"modern", `{"name":"echo","arguments":{"text":"hello"},` + meta + `}`, []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "echo"}, mostOfModern},
		{"legacy", `{"name":"echo","arguments":{"text":"hello"}}`, []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session}, mostOfLegacy},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, do := post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+test.params+`}`, test.headers...)
			for range 20 {
				do() // the server is started and listed by then
			}
			if !strings.Contains(w.said.String(), "hello") {
				t.Fatalf("answered %s", &w.said)
			}
			if n := testing.AllocsPerRun(300, do); n > test.most {
				t.Errorf("%v objects for a call, at most %v", n, test.most)
			} else {
				t.Logf("%v objects for a call, at most %v", n, test.most)
			}
		})
	}
}

// quiet takes an answer and makes nothing for it.
type quiet struct {
	h    http.Header
	said bytes.Buffer
}

func (q *quiet) Header() http.Header            { return q.h }
func (q *quiet) Write(b []byte) (int, error)    { return q.said.Write(b) }
func (*quiet) WriteHeader(int)                  {}
func (*quiet) SetReadDeadline(time.Time) error  { return nil }
func (*quiet) SetWriteDeadline(time.Time) error { return nil }
