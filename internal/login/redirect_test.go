package login

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func get(t *testing.T, address, host string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header
}

// Only what belongs to the login that is under way comes through.
func TestLanding(t *testing.T) {
	a, err := Land(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if !strings.HasPrefix(a.URL, "http://127.0.0.1:") {
		t.Errorf("it listens at %s", a.URL)
	}
	if status, _, _ := get(t, a.URL+"?state=good&code=early", ""); status != 404 {
		t.Errorf("before it began: %d", status)
	}
	q, err := a.Visit(func(string) {
		for _, stray := range []string{"", "?code=x", "?state=bad&code=x", "?state=&code=x", "/more?state=good&code=x"} {
			if status, _, _ := get(t, a.URL+stray, ""); status != 404 {
				t.Errorf("%s: %d", stray, status)
			}
		}
		if status, _, _ := get(t, a.URL+"?state=good&code=x", "evil.example.com"); status != 404 {
			t.Errorf("another name for us: %d", status)
		}
		status, body, header := get(t, a.URL+"?state=good&code=right&x=<script>", "")
		if status != 200 || strings.Contains(body, "script") || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%d %s %v", status, body, header)
		}
	})(t.Context(), "https://login.example.com/?state=good")
	if err != nil || q.Get("code") != "right" {
		t.Errorf("%v %v", q, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone for lunch")
	cancel(gone)
	if _, err := a.Visit(func(string) {})(ctx, "https://login.example.com/?state=good"); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

// S13: a browser is told to open addresses of the web, and no shell sees them.
func TestS13Browser(t *testing.T) {
	screen := func(string) string { return ":0" }
	for _, address := range []string{
		"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vscode://x", "a;calc", "http:calc", "--help", "", "//x", "http://", "https://a b/",
		"http://a/$(calc)`calc`|calc;calc\n", "ftp://a/", "about:blank", "https://a/\"&calc&\"",
	} {
		for _, system := range []string{"linux", "darwin", "windows"} {
			if command, err := browserCommand(system, address, screen); err == nil {
				t.Errorf("%s would open %q with %q", system, address, command)
			}
		}
	}
	good := (&url.URL{Scheme: "https", Host: "login.example.com", Path: "/a;calc", RawQuery: url.Values{"x": {"$(calc) & `calc` | \"calc\""}}.Encode()}).String()
	for _, system := range []string{"darwin", "windows"} {
		command, err := browserCommand(system, good, screen)
		if err != nil || command[len(command)-1] != good || strings.Contains(command[0], "cmd") || strings.Contains(command[0], "sh") {
			t.Errorf("%s: %q %v", system, command, err)
		}
	}
	if _, err := browserCommand("linux", good, func(string) string { return "" }); !errors.Is(err, errNoBrowser) {
		t.Errorf("without a screen: %v", err)
	}
}
