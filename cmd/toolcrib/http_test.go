//go:build unix

package main

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServeHTTP(t *testing.T) {
	p := startHTTP(t, goodServer)
	answer, err := p.call("echo", `{"text":"hello"}`)
	if err != nil || !strings.Contains(answer, `"text":"hello"`) {
		t.Errorf("call: %v %s", err, answer)
	}
	resp, err := http.Get(strings.TrimSuffix(p.url, "/mcp") + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("healthz: %s", resp.Status)
	}
	p.signal(syscall.SIGTERM)
	if code := p.exit(10 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
}

// Without http.auth: none a token is asked for; the log says where it is and
// not what it is.
func TestServeHTTPWithToken(t *testing.T) {
	p := startHTTP(t, strings.ReplaceAll(goodServer, "http: {auth: none}\n", ""), "--log-level", "debug")
	if _, err := p.call("echo", `{"text":"hello"}`); err == nil || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("without a token: %v", err)
	}
	m := regexp.MustCompile(`token_file=(\S+)`).FindStringSubmatch(p.log.text())
	if m == nil {
		t.Fatalf("the log names no token file:\n%s", p.log.text())
	}
	b, err := os.ReadFile(m[1])
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(b))
	p.token = token
	if answer, err := p.call("echo", `{"text":"hello"}`); err != nil || !strings.Contains(answer, "hello") {
		t.Errorf("with the token: %v %s", err, answer)
	}
	p.token = "wrong" + token
	if _, err := p.call("echo", `{"text":"hello"}`); err == nil {
		t.Error("a wrong token was accepted")
	}
	p.signal(syscall.SIGTERM)
	p.exit(10 * time.Second)
	if strings.Contains(p.log.text(), token) {
		t.Error("the token is in the log")
	}
}
