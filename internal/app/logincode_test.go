package app

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"toolcrib/internal/config"
)

// A code is good once, for a short time, and only where it was made.
func TestLoginCode(t *testing.T) {
	dir := t.TempDir()
	code, err := NewLoginCode(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(codeFile(dir)); err != nil || othersMayRead(info) {
		t.Fatalf("%v", err)
	}
	if text, _ := os.ReadFile(codeFile(dir)); strings.Contains(string(text), code) {
		t.Error("the code itself is in the file")
	}
	for _, wrong := range []string{"", "x", code + "x", strings.ToUpper(code)} {
		if takeCode(dir, wrong) {
			t.Errorf("%q is good", wrong)
		}
	}
	if takeCode(t.TempDir(), code) {
		t.Error("it is good elsewhere")
	}
	var good atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if takeCode(dir, code) {
				good.Add(1)
			}
		})
	}
	if all.Wait(); good.Load() != 1 {
		t.Errorf("it was good %d times", good.Load())
	}
	if code, err = NewLoginCode(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(codeFile(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, until, _ := strings.Cut(string(text), `"until":"`)
	past := time.Now().Add(-time.Second).Format(time.RFC3339Nano)
	if err := os.WriteFile(codeFile(dir), []byte(strings.Replace(string(text), until[:strings.Index(until, `"`)], past, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if takeCode(dir, code) {
		t.Error("it is good after its time")
	}
}

// A browser that comes with a code is in.
func TestLoginByCode(t *testing.T) {
	dir := t.TempDir()
	s := serveHTTP(t, config.Config{}, Options{StateDir: dir, Telemetry: true, Metrics: true})
	code, err := NewLoginCode(dir)
	if err != nil {
		t.Fatal(err)
	}
	come := func(code string, headers ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequest("GET", s.url+"/login?code="+code, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/html")
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	if resp := come(code, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); len(resp.Cookies()) != 0 {
		t.Error("a link of another site logs somebody in")
	}
	if resp := come("wrong"); len(resp.Cookies()) != 0 {
		t.Errorf("%v", resp.Cookies())
	}
	resp := come(code, "Sec-Fetch-Site", "none")
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/" || len(resp.Cookies()) != 1 {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	if status, body, _ := s.do("GET", "/api/v1/me", "", "Cookie", resp.Cookies()[0].String()); status != 200 || !strings.Contains(body, `"login":true`) {
		t.Errorf("%d %s", status, body)
	}
	if resp := come(code); len(resp.Cookies()) != 0 {
		t.Error("the code is good twice")
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
