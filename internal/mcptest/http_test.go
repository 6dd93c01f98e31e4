package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpClient is an HTTP client whose connections end with the test.
func httpClient(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func overHTTP(t *testing.T, h *HTTPServer) mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: h.URL, HTTPClient: httpClient(t), MaxRetries: -1}
}

func TestHTTPServesSDKClient(t *testing.T) {
	for name, o := range map[string]*HTTPOptions{"either": {}, "json": {Answers: AsJSON}, "sse": {Answers: AsSSE}} {
		for _, d := range dialects[:2] {
			t.Run(name+"/"+d.name, func(t *testing.T) {
				h := HTTP(t, o)
				steps := make(chan float64, 10)
				s := client(t, overHTTP(t, h), d.version, &mcp.ClientOptions{
					ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { steps <- r.Params.Progress },
					ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
					},
				})
				if got := textOf(t, callTool(t, s, "echo", map[string]any{"text": "hi"})); got != "hi" {
					t.Errorf("echo gave %q", got)
				}
				if got := textOf(t, callTool(t, s, "elicit", nil)); !strings.Contains(got, "Ada") {
					t.Errorf("elicit gave %s", got)
				}
				if tools, err := s.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != len(goodTools()) {
					t.Errorf("tools: %v, %v", tools, err)
				}
				if d.name == "modern" { // the SDK sends Mcp-Param-* of tools that it has listed
					if got := textOf(t, callTool(t, s, "region", map[string]any{"region": "Zürich"})); got != "Zürich" {
						t.Errorf("region gave %q", got)
					}
				}
				if name != "json" || d.name != "modern" { // a modern answer in JSON has no room for progress
					p := &mcp.CallToolParams{Name: "progress", Arguments: map[string]any{"steps": 2}}
					p.SetProgressToken("tok")
					if _, err := s.CallTool(t.Context(), p); err != nil {
						t.Fatal(err)
					}
					if a, b := receive(t, steps), receive(t, steps); a+b != 3 {
						t.Errorf("progress %v, %v", a, b)
					}
				}
				if h.Calls("echo") != 1 || h.Requests()["tools/call"] < 3 {
					t.Errorf("counted %d, %v", h.Calls("echo"), h.Requests())
				}
				if faults := h.Faults(); len(faults) > 0 {
					t.Errorf("faults: %q", faults)
				}
			})
		}
	}
}

func TestHTTPTellsOfChanges(t *testing.T) {
	for _, d := range dialects[:2] {
		t.Run(d.name, func(t *testing.T) {
			h := HTTP(t, nil)
			told := make(chan struct{}, 10)
			client(t, overHTTP(t, h), d.version, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} },
			})
			eventually(t, func() bool {
				h.Announce("tools")
				return len(told) > 0
			})
		})
	}
}

func TestHTTPEras(t *testing.T) {
	t.Run("legacy only", func(t *testing.T) {
		s := client(t, overHTTP(t, HTTP(t, &HTTPOptions{Eras: LegacyOnly})), "", nil)
		if got := s.InitializeResult().ProtocolVersion; got != "2025-11-25" {
			t.Errorf("version %s", got)
		}
	})
	t.Run("modern only", func(t *testing.T) {
		h := HTTP(t, &HTTPOptions{Eras: ModernOnly})
		s := client(t, overHTTP(t, h), "", nil)
		if got := s.InitializeResult().ProtocolVersion; got != "2026-07-28" {
			t.Errorf("version %s", got)
		}
		c := mcp.NewClient(&mcp.Implementation{Name: "old", Version: "1"}, nil)
		if _, err := c.Connect(t.Context(), overHTTP(t, h), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}); err == nil {
			t.Error("a legacy client was let in")
		}
	})
	t.Run("sse only", func(t *testing.T) {
		h := HTTP(t, &HTTPOptions{SSEOnly: true})
		s := client(t, &mcp.SSEClientTransport{Endpoint: h.URL, HTTPClient: httpClient(t)}, "2024-11-05", nil)
		if got := textOf(t, callTool(t, s, "echo", map[string]any{"text": "hi"})); got != "hi" {
			t.Errorf("echo gave %q", got)
		}
		if h.Calls("echo") != 1 || !slices.Contains(h.Received(), "initialize") {
			t.Errorf("counted %d, %q", h.Calls("echo"), h.Received())
		}
		res, err := httpClient(t).Post(h.URL, "application/json", strings.NewReader(initializeLine))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("POST gave %s", res.Status)
		}
	})
}

// rawPost sends one message with the headers of its era.
func rawPost(t *testing.T, c *http.Client, url, body, session string) (*http.Response, []byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	m, err := parseMessage([]byte(body))
	if err == nil && strings.Contains(string(m.params), metaVersion) {
		r.Header.Set("MCP-Protocol-Version", modernVersion)
		r.Header.Set("Mcp-Method", m.method)
		var p struct{ Name, URI string }
		_ = json.Unmarshal(m.params, &p)
		r.Header.Set("Mcp-Name", p.Name+p.URI)
	}
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	}
	res, err := c.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res, b, err
}

func echoLine(id int) string {
	return rawRequest(id, true, "tools/call", json.RawMessage(`{"name":"echo","arguments":{"text":"hi"}}`))
}

func TestHTTPReset(t *testing.T) {
	for _, after := range []int{0, 20} {
		h := HTTP(t, nil)
		h.Reset("echo", after)
		// A client that may use a kept connection would try again on its own.
		_, body, err := rawPost(t, httpClient(t), h.URL, echoLine(1), "")
		if err == nil || after > 0 && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("after %d bytes: %v, body %s", after, err, body)
		}
		if len(body) > after {
			t.Errorf("after %d bytes came %s", after, body)
		}
		if h.Calls("echo") != 1 {
			t.Errorf("counted %d calls", h.Calls("echo"))
		}
		if _, body, err := rawPost(t, httpClient(t), h.URL, echoLine(2), ""); err != nil || !bytes.Contains(body, []byte("hi")) {
			t.Errorf("the next call: %s, %v", body, err)
		}
	}
}

func TestHTTPFreeze(t *testing.T) {
	h := HTTP(t, nil)
	c := httpClient(t)
	if _, _, err := rawPost(t, c, h.URL, echoLine(1), ""); err != nil {
		t.Fatal(err)
	}
	h.Freeze()
	answered := make(chan error, 1)
	go func() {
		_, _, err := rawPost(t, c, h.URL, echoLine(2), "")
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Errorf("a frozen server answered: %v", err)
	case <-time.After(100 * time.Millisecond): // long enough for one that is not frozen
	}
	h.Thaw()
	if err := receive(t, answered); err != nil {
		t.Errorf("after the thaw: %v", err)
	}
}

func TestHTTPDownAndUp(t *testing.T) {
	h := HTTP(t, nil)
	c := httpClient(t)
	url := h.URL
	h.Down()
	if _, _, err := rawPost(t, c, url, echoLine(1), ""); err == nil {
		t.Error("a server that is down answered")
	}
	if err := h.Up(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := rawPost(t, c, url, echoLine(2), ""); err != nil {
		t.Errorf("after it is up: %v", err)
	}
}

func TestHTTPRefuseAndToken(t *testing.T) {
	h := HTTP(t, &HTTPOptions{Token: "secret"})
	h.Refuse(http.StatusServiceUnavailable, 1, "2")
	res, _, err := rawPost(t, httpClient(t), h.URL, echoLine(1), "")
	if err != nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") != "2" {
		t.Errorf("%v, %v", res, err)
	}
	if res, _, err := rawPost(t, httpClient(t), h.URL, echoLine(2), ""); err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v, %v", res, err)
	}
}

func TestHTTPSessionIsLost(t *testing.T) {
	h := HTTP(t, &HTTPOptions{SessionLife: 2})
	c := httpClient(t)
	res, _, err := rawPost(t, c, h.URL, initializeLine, "")
	if err != nil {
		t.Fatal(err)
	}
	id := res.Header.Get("Mcp-Session-Id")
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for i, want := range []int{200, 200, 404, 404} {
		if res, _, err := rawPost(t, c, h.URL, ping, id); err != nil || res.StatusCode != want {
			t.Errorf("request %d: %v, %v, want %d", i, res, err, want)
		}
	}
	if res, _, err := rawPost(t, c, h.URL, ping, ""); err != nil || res.StatusCode != http.StatusBadRequest {
		t.Errorf("without a session: %v, %v", res, err)
	}
}

func TestHTTPModernErrors(t *testing.T) {
	h := HTTP(t, nil)
	c := httpClient(t)
	for _, p := range []struct {
		body   string
		status int
		code   int
	}{
		{rawRequest(1, true, "no/such", json.RawMessage(`{}`)), 404, -32601},
		{rawRequest(1, true, "tools/call", json.RawMessage(`{"name":"no-such"}`)), 400, -32602},
		{rawRequest(1, true, "tools/call", json.RawMessage(`{"name":"elicit"}`)), 400, -32021},
		{rawRequest(1, true, "tools/call", json.RawMessage(`{"name":"region","arguments":{"region":"a"}}`)), 400, -32020},
		{strings.Replace(discoverLine, modernVersion, "2099-01-01", 1), 400, -32022},
		{"{", 400, -32700},
	} {
		res, body, err := rawPost(t, c, h.URL, p.body, "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := parseMessage(bytes.Replace(body, []byte(`"id":null`), []byte(`"id":1`), 1))
		if err != nil {
			t.Fatal(err)
		}
		if code := errorCode(t, m); res.StatusCode != p.status || code != p.code {
			t.Errorf("%.80s: %d %d, want %d %d", p.body, res.StatusCode, code, p.status, p.code)
		}
	}
}

func TestHTTPCancelIsCounted(t *testing.T) {
	h := HTTP(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	s := client(t, overHTTP(t, h), "", nil)
	done := make(chan error, 1)
	go func() {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60_000}})
		done <- err
	}()
	eventually(t, func() bool { return h.Calls("slow") == 1 })
	cancel()
	if receive(t, done) == nil {
		t.Error("a cancelled call succeeded")
	}
	eventually(t, func() bool { return h.Cancelled() == 1 })
}

// TestHTTPJunkIsLegal reads the stream as the HTML standard says: the SDK's
// client does not take a field without a colon.
func TestHTTPJunkIsLegal(t *testing.T) {
	h := HTTP(t, &HTTPOptions{Answers: AsJunk})
	_, body, err := rawPost(t, httpClient(t), h.URL, echoLine(1), "")
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	kind, data := "", []string(nil)
	for line := range strings.SplitSeq(strings.ReplaceAll(string(body), "\r\n", "\n"), "\n") {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if text := strings.Join(data, "\n"); text != "" && (kind == "" || kind == "message") {
				messages = append(messages, text)
			}
			kind, data = "", nil
		case field == "event":
			kind = value
		case field == "data":
			data = append(data, value)
		}
	}
	if len(messages) != 1 {
		t.Fatalf("messages %q in %s", messages, body)
	}
	if m, err := parseMessage([]byte(messages[0])); err != nil || !bytes.Contains(m.result, []byte("hi")) {
		t.Errorf("%v, %v", m, err)
	}
}

func TestHTTPAnswersThatAreNoMCP(t *testing.T) {
	for answers, want := range map[Answers]string{AsHTML: "<html>", AsEmpty: ""} {
		h := HTTP(t, &HTTPOptions{Answers: answers})
		res, body, err := rawPost(t, httpClient(t), h.URL, echoLine(1), "")
		if err != nil || res.StatusCode != http.StatusOK || !strings.HasPrefix(string(body), want) || want == "" && len(body) > 0 {
			t.Errorf("%d: %v, %s, %v", answers, res, body, err)
		}
	}
}

func TestHTTPOddAnswers(t *testing.T) {
	h := HTTP(t, &HTTPOptions{Service: "odd", Answers: AsJSON})
	c := httpClient(t)
	for _, a := range OddAnswers() {
		if a.Method == "resources/read" {
			continue // its name is not ASCII and needs an encoded header
		}
		_, body, err := rawPost(t, c, h.URL, rawRequest(1, true, a.Method, a.Params), "")
		if err != nil || !bytes.Contains(body, a.Modern) {
			t.Errorf("%s %s: %s, %v", a.Method, a.Name, body, err)
		}
	}
}
