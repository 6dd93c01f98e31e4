package wire

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHostAndOrigin(t *testing.T) {
	h := &scripted{}
	plain := NewHTTPServer(h, HTTPOptions{})
	named := NewHTTPServer(h, HTTPOptions{AllowedHosts: []string{"crib.example", "other.example:8443"}, AllowedOrigins: []string{"https://app.example", "vscode-webview://abc"}})
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	outside := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 80}
	none := "-"
	for _, tt := range []struct {
		srv          *HTTPServer
		local        net.Addr
		host, origin string
		ok           bool
	}{
		{plain, loopback, "localhost", none, true},
		{plain, loopback, "localhost:8080", none, true},
		{plain, loopback, "LOCALHOST:8080", none, true},
		{plain, loopback, "127.0.0.1", none, true},
		{plain, loopback, "127.0.0.1:1", none, true},
		{plain, loopback, "127.0.0.2:80", none, true},
		{plain, loopback, "[::1]", none, true},
		{plain, loopback, "[::1]:8080", none, true},
		{plain, nil, "localhost", none, true},
		{plain, nil, "evil.example", none, false},
		{plain, loopback, "", none, false},
		{plain, loopback, "evil.example", none, false},
		{plain, loopback, "localhost.evil", none, false},
		{plain, loopback, "localhost.", none, false},
		{plain, loopback, "localhost:", none, false},
		{plain, loopback, "localhost:80x", none, false},
		{plain, loopback, "localhost:8080:80", none, false},
		{plain, loopback, "evil.localhost", none, false},
		{plain, loopback, "127.0.0.1.nip.io", none, false},
		{plain, loopback, "127.1", none, false},
		{plain, loopback, "127.0.0.01", none, false},
		{plain, loopback, "2130706433", none, false},
		{plain, loopback, "0x7f.0.0.1", none, false},
		{plain, loopback, "0.0.0.0", none, false},
		{plain, loopback, "::1", none, false},
		{plain, loopback, "[::1", none, false},
		{plain, loopback, "[::1].evil", none, false},
		{plain, loopback, "[::ffff:127.0.0.1]", none, false},
		{plain, loopback, "[fe80::1]", none, false},
		{plain, loopback, "user@localhost", none, false},
		{plain, loopback, "10.0.0.7", none, false},
		{plain, outside, "10.0.0.7:80", none, true},
		{plain, outside, "anything.example", none, true},
		{named, outside, "anything.example", none, false},
		{named, loopback, "crib.example", none, true},
		{named, loopback, "CRIB.example:9", none, true},
		{named, loopback, "other.example:8443", none, true},
		{named, loopback, "other.example:8444", none, false},
		{named, loopback, "crib.example.evil", none, false},

		{plain, loopback, "localhost", "http://localhost", true},
		{plain, loopback, "localhost", "http://localhost:3000", true},
		{plain, loopback, "localhost", "https://127.0.0.1:3000", true},
		{plain, loopback, "localhost", "http://[::1]:3000", true},
		{plain, loopback, "localhost", "HTTP://LocalHost", true},
		{plain, loopback, "localhost", "null", false},
		{plain, loopback, "localhost", "", false},
		{plain, loopback, "localhost", "https://evil.example", false},
		{plain, loopback, "localhost", "http://localhost.evil", false},
		{plain, loopback, "localhost", "http://127.0.0.1.nip.io", false},
		{plain, loopback, "localhost", "http://localhost@evil.example", false},
		{plain, loopback, "localhost", "http://localhost/../evil", false},
		{plain, loopback, "localhost", "localhost", false},
		{plain, loopback, "localhost", "file://", false},
		{plain, loopback, "localhost", "ftp://localhost", false},
		{plain, loopback, "localhost", "chrome-extension://localhost", false},
		{plain, outside, "evil.example", "http://evil.example", false},
		{named, loopback, "localhost", "https://app.example", true},
		{named, loopback, "localhost", "https://APP.example", true},
		{named, loopback, "localhost", "http://app.example", false},
		{named, loopback, "localhost", "https://app.example:444", false},
		{named, loopback, "localhost", "vscode-webview://abc", true},
		{named, loopback, "crib.example", "https://crib.example", false},
	} {
		for _, verb := range []string{"POST", "GET", "DELETE", "OPTIONS"} {
			r := httptest.NewRequest(verb, "/mcp", strings.NewReader("{}"))
			if tt.local != nil {
				r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, tt.local))
			}
			r.Host = tt.host
			if tt.origin != none {
				r.Header["Origin"] = []string{tt.origin}
			}
			w := httptest.NewRecorder()
			tt.srv.ServeHTTP(w, r)
			if (w.Code != 403) != tt.ok {
				t.Errorf("%s: host %q origin %q: %d, allowed should be %v", verb, tt.host, tt.origin, w.Code, tt.ok)
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: CORS was granted", verb)
			}
		}
	}
	r := httptest.NewRequest("POST", "/mcp", nil)
	r.Host, r.Header["Origin"] = "localhost", []string{"http://localhost", "http://evil.example"}
	w := httptest.NewRecorder()
	plain.ServeHTTP(w, r)
	if w.Code != 403 {
		t.Errorf("two origins: %d", w.Code)
	}
}
