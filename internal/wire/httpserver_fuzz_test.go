package wire

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzHTTPBody sends whatever it likes to the endpoint. It must not panic, must
// not hang, and must answer with a status that is defined for it.
func FuzzHTTPBody(f *testing.F) {
	list := modernCall("tools/list", "", "")
	f.Add("POST", list.body, VersionModern, "tools/list", "", "application/json", "", "", false)
	f.Add("POST", modernCall("tools/call", "a", `,"name":"a"`).body, VersionModern, "tools/call", "a", "*/*", "", "", false)
	f.Add("POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, "", "", "", "", "", "", false)
	f.Add("POST", `{"jsonrpc":"2.0","id":1,"method":"talk"}`, "", "", "", "text/event-stream", "", "", true)
	f.Add("POST", `[{"jsonrpc":"2.0","id":1,"method":"talk"},{"jsonrpc":"2.0","method":"x"},7]`, "", "", "", "", "", "", true)
	f.Add("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, Version202503, "", "", "", "", "", true)
	f.Add("POST", `{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}`, "", "", "", "", "null", "", true)
	f.Add("GET", "", "", "", "", "text/event-stream", "", "0-0", true)
	f.Add("GET", "", "", "", "", "text/event-stream", "", "18446744073709551615-18446744073709551615", true)
	f.Add("DELETE", "", "", "", "", "", "http://localhost", "", true)
	h := &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		switch in.Method {
		case "talk":
			in.Back.Notify(MethodProgress, in.Params)
		case "fail":
			return nil, Errorf(CodeMethodNotFound, "no")
		}
		return in.Params, nil
	}}
	known := map[int]bool{}
	for _, status := range []int{200, 202, 204, 400, 403, 404, 405, 406, 409, 413, 415, 503} {
		known[status] = true
	}
	f.Fuzz(func(t *testing.T, verb, body, version, method, name, accept, origin, last string, session bool) {
		if !validVerb(verb) {
			return
		}
		s := NewHTTPServer(h, HTTPOptions{MaxBody: 1 << 16, MaxSessions: 4})
		defer s.Close()
		r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
		r.Method, r.Host = verb, "localhost"
		ctx, cancel := context.WithCancel(r.Context())
		cancel() // a stream ends as soon as it has nothing to send
		if verb == http.MethodGet {
			r = r.WithContext(ctx)
		}
		r.Header.Set("Content-Type", "application/json")
		for k, v := range map[string]string{headerVersion: version, headerMethod: method, headerName: name, "Accept": accept, "Origin": origin, headerLastEvent: last} {
			if v != "" {
				r.Header[k] = []string{v}
			}
		}
		if session {
			w := httptest.NewRecorder()
			open := httptest.NewRequest("POST", "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`))
			open.Host = "localhost"
			open.Header.Set("Content-Type", "application/json")
			s.ServeHTTP(w, open)
			r.Header.Set(headerSession, w.Header().Get(headerSession))
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if !known[w.Code] {
			t.Errorf("status %d", w.Code)
		}
		if w.Header().Get("Content-Type") == "application/json" {
			if err := CheckJSON(w.Body.Bytes()); err != nil {
				t.Errorf("answered %q: %v", w.Body, err)
			}
		}
	})
}

func validVerb(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}
