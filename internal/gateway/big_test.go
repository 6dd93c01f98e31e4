package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
)

// TestBigResults passes results of 1 and 10 MB through and counts what is
// allocated for them: a small multiple of their size, whatever the transport.
func TestBigResults(t *testing.T) {
	specs := map[string]func() upstream.Spec{
		"stdio": func() upstream.Spec { return child(t, "one", "good") },
		"json": func() upstream.Spec {
			return upstream.Spec{Name: "one", URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Answers: mcptest.AsJSON}).URL}
		},
		"sse": func() upstream.Spec {
			return upstream.Spec{Name: "one", URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Answers: mcptest.AsSSE}).URL}
		},
	}
	for name, spec := range specs {
		for _, modern := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/modern=%v", name, modern), func(t *testing.T) {
				r := newRig(t, spec())
				a := r.agent(t, modern)
				a.request("tools/call", `{"name":"echo","arguments":{"text":"warm"}}`)
				for _, size := range []int{1 << 20, 10 << 20} {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					got := a.discard(fmt.Sprintf(`{"name":"big","arguments":{"bytes":%d}}`, size))
					runtime.ReadMemStats(&after)
					if got < int64(size) {
						t.Errorf("%d of %d bytes arrived", got, size)
					}
					// The HTTP servers of the test run in this process and
					// allocate several times the size themselves.
					limit := uint64(4 * size)
					if name != "stdio" {
						limit = uint64(16 * size)
					}
					if used := after.TotalAlloc - before.TotalAlloc; used > limit {
						t.Errorf("%d bytes allocated for a result of %d", used, size)
					}
				}
			})
		}
	}
}

// discard makes a tools/call and returns only how long the answer was.
func (a *rawAgent) discard(params string) int64 {
	a.t.Helper()
	header := http.Header{}
	if a.modern {
		params = strings.TrimSuffix(params, "}") + "," + modernMeta + "}"
		header = modernHeader("big")
	}
	req, err := http.NewRequestWithContext(a.t.Context(), "POST", a.url, strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`+params+`}`))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if a.session != "" {
		req.Header.Set("Mcp-Session-Id", a.session)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return n
}
