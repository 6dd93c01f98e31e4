package app

import (
	"crypto/rand"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolcrib/internal/config"
)

// tokenOf is the token that a gateway made in its state directory.
func tokenOf(s *serving, dir string) string {
	t := s.t
	t.Helper()
	if status, body, _ := s.do("GET", "/healthz", ""); status != 200 { // from then on it is made
		t.Fatalf("%d %s", status, body)
	}
	b, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// S02: a page that a browser shows, and a name that was made to point here, do not
// get in, even with the token.
func TestS02HostAndOrigin(t *testing.T) {
	dir := t.TempDir()
	s := serveHTTP(t, config.Config{}, Options{StateDir: dir})
	token := tokenOf(s, dir)
	port := s.url[strings.LastIndex(s.url, ":"):]
	hosts := []string{
		"evil.example", "evil.example" + port, "localhost.evil", "localhost.evil.example" + port, "evil.localhost", "localhost.", "localhost.:80",
		"127.0.0.1.nip.io", "127.0.0.1.nip.io" + port, "127.0.0.1.evil", "1.0.0.127.in-addr.arpa", "127.1", "127.0.1", "2130706433",
		"0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "0.0.0.0", "0.0.0.0" + port, "0", "::1", "[::1].evil", "[::ffff:127.0.0.1]", "[::]",
		"[fe80::1]", "[0:0:0:0:0:0:0:1]", "10.0.0.7", "192.168.1.1" + port, "169.254.169.254", "rebind.network", "localhost:80:80", "localhost:http",
		"user@localhost", "localhost@evil.example", "LOCALHOST.EVIL", "ⅼocalhost", "localhost%00.evil", "xn--localhost-", "metadata.google.internal",
	}
	origins := []string{
		"null", "NULL", "", "https://evil.example", "http://evil.example" + port, "http://localhost.evil", "http://127.0.0.1.nip.io" + port, "http://evil.localhost",
		"http://localhost@evil.example", "http://localhost:80@evil.example", "http://localhost.evil/localhost", "http://localhost/..", "http://localhost#", "http://localhost?x",
		"localhost", "//localhost", "file://", "file:///etc/passwd", "ftp://localhost", "ws://localhost", "chrome-extension://abc", "moz-extension://abc",
		"vscode-webview://abc", "javascript:alert(1)", "data:text/html,x", "http://2130706433", "http://0x7f.1", "http://127.1", "http://0.0.0.0" + port, "http://[::ffff:127.0.0.1]",
		"http://[::]", "http://10.0.0.7", "https://localhost.", "http://local host", "http://localhost:x", "http://localhost\\@evil", "https://", "http:///", "http://localhost,http://evil.example", "*",
	}
	if len(hosts) < 40 || len(origins) < 40 {
		t.Fatalf("%d hosts, %d origins", len(hosts), len(origins))
	}
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	send := func(host string, origin *string) int {
		r, err := http.NewRequest("POST", s.url+Endpoint, strings.NewReader(ping))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + token}}
		r.Host = host
		if origin != nil {
			r.Header["Origin"] = []string{*origin}
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0 // not even sent
		}
		resp.Body.Close()
		for name := range resp.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("host %q origin %v: CORS was granted", host, origin)
			}
		}
		return resp.StatusCode
	}
	for _, host := range hosts {
		if status := send(host, nil); status != 403 && status != 400 && status != 0 {
			t.Errorf("host %q: %d", host, status)
		}
	}
	for _, origin := range origins {
		if status := send("", &origin); status != 403 {
			t.Errorf("origin %q: %d", origin, status)
		}
	}
	loopback := "http://localhost" + port
	for _, status := range []int{send("localhost"+port, nil), send("[::1]"+port, nil), send("", nil), send("", &loopback)} {
		if status == 403 || status == 401 || status == 0 {
			t.Errorf("an agent on this machine: %d", status)
		}
	}
}

// S02: without the very token nobody gets in.
func TestS02BadTokens(t *testing.T) {
	dir := t.TempDir()
	s := serveHTTP(t, config.Config{}, Options{StateDir: dir})
	good := tokenOf(s, dir)
	bad := []string{
		"", "Bearer", "Bearer ", "Bearer  ", good, "Basic " + good, "Token " + good, "DPoP " + good, "Bearer: " + good, "Bearer=" + good,
		"Bearer " + good[:42], "Bearer " + good[1:], "Bearer " + good + "x", "Bearer x" + good, "Bearer " + good + good, "Bearer " + good + " " + good,
		"Bearer " + good + "," + good, "Bearer " + good + ", Bearer " + good, "Bearer " + strings.ToUpper(good), "Bearer " + strings.ToLower(good), "Bearer \"" + good + "\"",
		"Bearer " + good[:21] + " " + good[21:], "Bearer " + reverse(good), "Bearer token", "Bearer null", "Bearer undefined", "Bearer *", "Bearer " + strings.Repeat("A", 43), "Bearer " + strings.Repeat("x", 8000),
		"Bearer " + good[:42] + "\u00a0", "Bearer " + filepath.Join(dir, "token"),
	}
	if len(bad) < 25 {
		t.Fatalf("%d tokens", len(bad))
	}
	for _, value := range bad {
		status, body, header := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Authorization", value)
		if status != 401 || header.Get("WWW-Authenticate") == "" || strings.Contains(body, good) {
			t.Errorf("%q: %d %s", value, status, body)
		}
	}
	for _, path := range []string{Endpoint + "?token=" + good, Endpoint + "?access_token=" + good} { // addresses end up in logs
		if status, _, _ := s.do("POST", path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); status != 401 {
			t.Errorf("a token in the address: %d", status)
		}
	}
	if status, _, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "X-Forwarded-For", "127.0.0.1", "Cookie", "token="+good); status != 401 {
		t.Errorf("a cookie: %d", status)
	}
	if status, body, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Authorization", "Bearer "+good); status == 401 || status == 0 {
		t.Errorf("the token itself: %d %s", status, body)
	}
}

func reverse(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// S02: the whole token counts: one that is like it by chance does not get in.
func TestS02TokenIsComparedWhole(t *testing.T) {
	tok, err := openToken(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for range 20_000 {
		r := &http.Request{Header: http.Header{"Authorization": {"Bearer " + rand.Text() + rand.Text()}}}
		if who, err := tok.check(r); err == nil {
			t.Fatalf("%q got in as %s", r.Header, who.Subject)
		}
	}
}
