//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sink is a collector that says what it was asked for, once for each path.
func sink(t *testing.T) (url string, paths chan string) {
	paths = make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body) > 0 {
			paths <- r.URL.Path
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, paths
}

// goodConfig is a file with one server.
func goodConfig(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "toolcrib.yaml")
	if err := os.WriteFile(file, []byte(goodServer), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The command takes the variables of OpenTelemetry, answers /metrics, and sends
// what is left when it is told to stop.
func TestServeTellsWhatItDoes(t *testing.T) {
	url, paths := sink(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
	p := startHTTP(t, goodServer)
	if _, err := p.call("echo", `{"text":"hello"}`); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(strings.TrimSuffix(p.url, "/mcp") + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "toolcrib_tool_calls_total{") {
		t.Errorf("%s, %v\n%s", resp.Status, err, body)
	}
	p.signal(syscall.SIGTERM)
	if code := p.exit(10 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
	seen := map[string]bool{}
	for len(paths) > 0 {
		seen[<-paths] = true
	}
	if !seen["/v1/traces"] || !seen["/v1/metrics"] {
		t.Errorf("the collector got %v", seen)
	}
}

// An agent on standard input and output is traced too, and its gateway sends what
// is left when the agent goes.
func TestStdioIsTraced(t *testing.T) {
	url, paths := sink(t)
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url+"/only/traces")
	file := goodConfig(t)
	cmd := exec.Command("toolcrib", "serve", "--config", file)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "hello") {
		t.Fatalf("%v: %s", err, out)
	}
	select {
	case path := <-paths:
		if path != "/only/traces" {
			t.Errorf("it was sent to %s", path)
		}
	default:
		t.Error("nothing was sent")
	}
}

// What cannot be done is said at the start.
func TestUnknownProtocolOfTraces(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	file := goodConfig(t)
	out, err := exec.Command("toolcrib", "serve", "--config", file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "http/protobuf") {
		t.Errorf("%v: %s", err, out)
	}
}
