package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"toolcrib/internal/config"
)

// S05: a server gets of our environment what every program needs and nothing else:
// not the secrets of others that are configured by it, nor our own.
func TestS05ServersInheritNoSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server is a shell script")
	}
	var secret canaries
	for _, name := range []string{
		"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "TOOLCRIB_TOKEN",
		"OTEL_EXPORTER_OTLP_HEADERS", "LD_PRELOAD_X", "NPM_TOKEN", "SSH_AUTH_SOCK_X", "PASSWORD", "lowercase_secret",
	} {
		t.Setenv(name, secret.next())
	}
	seen := filepath.Join(t.TempDir(), "env")
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{
		{Name: "dump", Type: config.Stdio, Command: "sh", Args: []string{"-c", "env >" + seen}, Env: map[string]string{"MINE": "wanted"}},
		{Name: "other", Type: config.Stdio, Command: "true", Env: map[string]string{"THEIRS": secret.next()}},
	}}
	s := serveHTTP(t, c, Options{})
	s.app.known.Refresh(t.Context(), "dump")
	b, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if found := secret.leaks(string(b)); len(found) > 0 {
		t.Errorf("%v in\n%s", found, b)
	}
	if !strings.Contains(string(b), "MINE=wanted") || !strings.Contains(string(b), "PATH=") {
		t.Errorf("it lacks what it needs:\n%s", b)
	}
}

// S03: nothing that an agent sends adds a server or changes how one is reached.
func TestS03AgentsChangeNoServer(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	turn.offers("look", "Look", nil)
	made := filepath.Join(t.TempDir(), "made")
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{turn.entry}}
	s := serveHTTP(t, c, Options{StateDir: t.TempDir()})
	session := s.agent("2025-11-25", nil)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	entry := map[string]any{"command": "sh", "args": []string{"-c", "touch " + made}, "url": "http://127.0.0.1:1/", "env": map[string]string{"A": "b"}}
	for _, tool := range tools.Tools {
		schema := fmt.Sprint(tool.InputSchema)
		for _, word := range []string{"command", "url", "headers", "env"} {
			if strings.Contains(schema, word+":map") {
				t.Errorf("%s takes %s", tool.Name, word)
			}
		}
		args := map[string]any{"server": "new", "tool": "turn.look", "tools": []string{"turn.look"}, "query": "x", "tags": []string{"x"}, "script": "result(1)", "servers": map[string]any{"new": entry}, "mcpServers": map[string]any{"new": entry}}
		for name, value := range entry {
			args[name] = value
		}
		use(t, session, tool.Name, args)
	}
	for _, method := range []string{
		"servers/add", "config/set", "config/update", "toolcrib/servers/add", "toolcrib/apply", "completion/complete", "logging/setLevel", "resources/write", "tools/register",
	} {
		s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"servers":{"new":{"command":"touch","args":["`+made+`"]}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
	}
	for _, path := range []string{"/", "/config", "/servers", "/api/servers", "/api/config", "/mcp/servers", "/admin", "/reload"} {
		for _, method := range []string{"PUT", "PATCH", "DELETE", "POST"} {
			if status, body, _ := s.do(method, path, `{"command":"touch","args":["`+made+`"]}`); status < 400 {
				t.Errorf("%s %s: %d %s", method, path, status, body)
			}
		}
	}
	if names := s.app.pool.Names(); len(names) != 1 || names[0] != "turn" {
		t.Errorf("servers: %v", names)
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("a command was run")
	}
}
