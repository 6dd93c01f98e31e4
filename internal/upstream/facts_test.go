package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// A labelled server is modern, over HTTP, and has tools whose arguments headers
// repeat. It refuses a call whose header is not the one it wants at the moment.
type labelled struct {
	URL string

	mu     sync.Mutex
	header string // that tool put has now
	broken string // header of tool odd, an invalid one
	lists  int
	calls  int
}

func newLabelled(t *testing.T) *labelled {
	l := &labelled{header: "Region", broken: "not a header name"}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	l.URL = server.URL
	return l
}

func (l *labelled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
	}
	json.Unmarshal(body, &m)
	result := ""
	switch m.Method {
	case wire.MethodDiscover:
		result = fmt.Sprintf(`{"supportedVersions":[%q],"capabilities":{"tools":{}},"resultType":"complete"}`, wire.VersionModern)
	case wire.MethodToolsList:
		l.lists++
		tool := `{"name":%q,"inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":%q}}}}`
		result = fmt.Sprintf(`{"tools":[`+tool+`,`+tool+`,{"name":"plain","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private","resultType":"complete"}`,
			"odd", l.broken, "put", l.header)
	case wire.MethodToolsCall:
		l.calls++
		if got := r.Header.Get("Mcp-Param-" + l.header); got == "eu" {
			result = `{"content":[],"structuredContent":{"done":true},"resultType":"complete"}`
		}
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case result != "":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	case m.Method == wire.MethodToolsCall:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"header mismatch"}}`, m.ID, wire.CodeHeaderMismatch)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"unknown"}}`, m.ID, wire.CodeMethodNotFound)
	}
}

func (l *labelled) counts() (lists, calls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lists, l.calls
}

func (l *labelled) rename(header string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.header = header
}

// Arguments are repeated in headers as the tool's schema says: it is read
// before the first call, and again when the server says that they are wrong.
func TestParameterHeaders(t *testing.T) {
	t.Parallel()
	l := newLabelled(t)
	r := newRig(t, nil, upstream.Spec{Name: "a", URL: l.URL})
	r.must("a", "put", `{"r":"eu"}`)
	if lists, calls := l.counts(); lists != 1 || calls != 1 {
		t.Errorf("%d lists and %d calls", lists, calls)
	}
	if h := r.ParamHeaders("a", "put"); len(h) != 1 {
		t.Errorf("headers of the tool: %v", h)
	}
	l.rename("Area")
	r.must("a", "put", `{"r":"eu"}`)
	if lists, calls := l.counts(); lists != 2 || calls != 3 {
		t.Errorf("after a change %d lists and %d calls", lists, calls)
	}
	_, err := r.tool("a", "put", `{"r":"us"}`) // refused whatever we do
	refused(t, err, wire.CodeHeaderMismatch)
	if _, calls := l.counts(); calls != 5 {
		t.Errorf("a call that is always refused was sent %d times", calls-3)
	}
}

// A tool whose headers cannot be sent cannot be called over HTTP, and is not
// shown. Everywhere else it is as good as any.
func TestToolsWithWrongHeaders(t *testing.T) {
	t.Parallel()
	l := newLabelled(t)
	r := newRig(t, nil, upstream.Spec{Name: "a", URL: l.URL})
	q := &call.Request{Server: "a", Method: wire.MethodToolsList, Params: []byte(`{}`), Caller: call.Caller{Era: wire.Legacy}}
	list, err := r.Call(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(list), `"odd"`) || !strings.Contains(string(list), `"put"`) || !strings.Contains(string(list), `"plain"`) || !strings.Contains(string(list), `"cacheScope":"private"`) {
		t.Errorf("list %s", list)
	}
	if !strings.Contains(r.log.text(), "header annotations are wrong") {
		t.Errorf("log %s", r.log.text())
	}
}

// A list whose last page leads back to the first is read once.
func TestListWithoutEnd(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Eras: mcptest.ModernOnly, Service: "pages", Args: []string{"tools=30", "size=10", "fault=loop"}})
	r := newRig(t, nil, remote("a", h))
	if _, err := r.tool("a", mcptest.PageTool(25), `{}`); err == nil {
		t.Error("a tool that nobody has answered")
	}
	if n := h.Requests()["tools/list"]; n < 3 || n > 4 {
		t.Errorf("%d pages read of three", n)
	}
}

// Requests that do no harm are repeated when a server dies of them, others not.
func TestRepetition(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "exit-midcall", "tool=count"), child(t, "b", "exit-midcall", "tool=echo"))
	for server, c := range map[string]struct {
		tool      string
		processes int
	}{"a": {"count", 1}, "b": {"echo", 2}} {
		before := r.log.count("server started")
		r.list(server) // now it is known which tools only read
		if _, err := r.tool(server, c.tool, `{"text":"x"}`); err == nil {
			t.Error("it answered")
		}
		if n := r.log.count("server started") - before; n != c.processes {
			t.Errorf("%s was tried on %d processes, want %d", c.tool, n, c.processes)
		}
	}
}
