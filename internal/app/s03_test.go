package app

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/web"
)

// TestS03NoNetworkPathAltersAServer: the configuration is a matter of files alone. Of all
// paths and tools that something can be sent to, none adds a server or changes a
// command, its arguments, its environment or an address, whatever is sent.
func TestS03NoNetworkPathAltersAServer(t *testing.T) {
	t.Parallel()
	s, _ := overlooked(t, config.PageActions)
	before := s.app.applied.Load().YAML() + strings.Join(s.app.pool.Names(), " ")

	var writes []string
	doc := s.documented()
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if method != "get" {
				writes = append(writes, op.OperationID+" "+strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(writes)
	want := []string{
		"approvePin POST /api/v1/trust/pins/{id}/approve", "callTool POST /api/v1/tools/{id}/call", "login POST /api/v1/session",
		"logout DELETE /api/v1/session", "refreshServer POST /api/v1/servers/{name}/refresh", "rejectPin POST /api/v1/trust/pins/{id}/reject",
	}
	if !slices.Equal(writes, want) {
		t.Fatalf("paths that something can be sent to are %q: look at a new one before it is added to %q", writes, want)
	}
	for name, schema := range doc.Components.Schemas {
		if !slices.Contains([]string{"CallRequest", "ApproveRequest", "LoginRequest"}, name) {
			continue
		}
		for _, word := range []string{"command", "args", "env", "url", "headers", "servers"} {
			if strings.Contains(string(schema), `"`+word+`"`) {
				t.Errorf("%s has %s", name, word)
			}
		}
	}

	// Whatever is sent to any path, in any way.
	bodies := []string{
		`{"servers":{"evil":{"command":"sh","args":["-c","id"]}}}`, `{"name":"evil","command":"sh"}`, `{"command":"sh","arguments":{}}`,
		`{"arguments":{},"env":{"A":"b"}}`, `{"fingerprint":"x","url":"http://evil.example.com"}`, `{"token":"x","servers":{}}`,
	}
	paths := []string{"/config", "/servers", "/servers/evil", "/servers/turn", "/config.yaml", "/scripts", "/trust/untrusted/waits/approve", "/trust/waits"}
	for path := range doc.Paths {
		path = strings.TrimPrefix(path, web.Root)
		paths = append(paths, strings.NewReplacer("{name}", "turn", "{id}", "turn.list_issues").Replace(path))
	}
	for _, path := range paths {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			for _, body := range bodies {
				if status, answer, _ := s.do(method, web.Root+path, body, s.key()...); status == 200 && path != "/session" && !strings.HasSuffix(path, "/refresh") {
					t.Errorf("%s %s %s: %s", method, path, body, answer)
				}
			}
		}
	}

	// And no tool of ours has a place for any of it.
	status, list, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
	var answer struct {
		Result struct {
			Tools []struct {
				Name        string `json:"name"`
				InputSchema struct {
					Properties map[string]any `json:"properties"`
				} `json:"inputSchema"`
			} `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(list), &answer); err != nil || len(answer.Result.Tools) == 0 {
		t.Fatalf("%d %v %s", status, err, list)
	}
	for _, tool := range answer.Result.Tools {
		for name := range maps.Keys(tool.InputSchema.Properties) {
			if slices.Contains([]string{"command", "args", "env", "url", "headers", "cwd", "config"}, name) {
				t.Errorf("%s takes %s", tool.Name, name)
			}
		}
	}
	if after := s.app.applied.Load().YAML() + strings.Join(s.app.pool.Names(), " "); after != before {
		t.Errorf("the servers are others:\n%s\nbefore:\n%s", after, before)
	}
}
