package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"toolcrib/internal/wire"
)

// A rawAgent sends bytes and sees bytes: what it gets is what was on the wire.
type rawAgent struct {
	t       testing.TB
	url     string
	modern  bool
	session string
}

func (r *rig) agent(t testing.TB, modern bool) *rawAgent {
	t.Helper()
	a := &rawAgent{t: t, url: r.URL, modern: modern}
	if !modern {
		head, _ := a.post(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"sampling":{},"roots":{}},"clientInfo":{"name":"raw","version":"1"}}}`, nil)
		a.session = head.Get("Mcp-Session-Id")
		if a.session == "" {
			t.Fatal("no session")
		}
		a.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil)
	}
	return a
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// request returns the whole answer to a request. params is an object.
func (a *rawAgent) request(method, params string) string {
	a.t.Helper()
	header := http.Header{}
	if a.modern {
		switch strings.TrimSpace(params) {
		case "{}":
			params = "{" + modernMeta + "}"
		default:
			params = strings.TrimSuffix(params, "}") + "," + modernMeta + "}"
		}
		header.Set("MCP-Protocol-Version", wire.VersionModern)
		header.Set("Mcp-Method", method)
		if o, err := wire.ParseObject([]byte(params)); err == nil {
			for _, name := range []string{"name", "uri"} {
				if v := o.Text(name); v != "" {
					header.Set("Mcp-Name", v)
				}
			}
		}
	}
	_, body := a.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params), header)
	return body
}

func (a *rawAgent) post(body string, header http.Header) (http.Header, string) {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), "POST", a.url, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if a.session != "" {
		req.Header.Set("Mcp-Session-Id", a.session)
		req.Header.Set("MCP-Protocol-Version", wire.Version202511)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		b = lastEvent(b)
	}
	return resp.Header, string(b)
}

func lastEvent(b []byte) []byte {
	i := bytes.LastIndex(b, []byte("data: "))
	if i < 0 {
		return b
	}
	return bytes.TrimSpace(b[i+len("data: "):])
}

// modernHeader are the headers of a modern tools/call.
func modernHeader(tool string) http.Header {
	return http.Header{
		"Mcp-Protocol-Version": {wire.VersionModern}, "Mcp-Method": {wire.MethodToolsCall}, "Mcp-Name": {tool},
	}
}
