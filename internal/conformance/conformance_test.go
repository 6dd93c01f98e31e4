package conformance

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serve runs a server of the official SDK with the tools that the suite's
// servers have, in the modern or in the legacy era.
func serve(t *testing.T, modern bool) (url string, accepted chan string) {
	t.Helper()
	accepted = make(chan string, 10)
	s := mcp.NewServer(&mcp.Implementation{Name: "suite", Version: "1"}, nil)
	type numbers struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "add_numbers"}, func(_ context.Context, _ *mcp.CallToolRequest, n numbers) (*mcp.CallToolResult, any, error) {
		if n.A == 5 && n.B == 3 {
			accepted <- "added"
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "test_client_elicitation_defaults"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		got, err := r.Session.Elicit(ctx, &mcp.ElicitParams{
			Message:         "?",
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer", "default": 42}}},
		})
		if err != nil {
			return nil, nil, err
		}
		if got.Action == "accept" && got.Content["n"] == 42.0 {
			accepted <- "defaults"
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil, nil
	})
	h := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: modern}))
	t.Cleanup(h.Close)
	return h.URL, accepted
}

func client(t *testing.T, url, scenario, details string) error {
	t.Helper()
	env := map[string]string{envScenario: scenario, envContext: details}
	return Client(t.Context(), url, func(k string) string { return env[k] }, io.Discard)
}

func TestScenarios(t *testing.T) {
	for _, c := range []struct {
		scenario, details, want string
		modern                  bool
	}{
		{"initialize", "", "", false},
		{"request-metadata", "", "", true},
		{"tools_call", "", "added", false},
		{"tools_call", "", "added", true},
		{"elicitation-sep1034-client-defaults", "", "defaults", false},
		{"http-custom-headers", `{"toolCalls":[{"name":"add_numbers","arguments":{"a":5,"b":3}}]}`, "added", true},
		{"http-standard-headers", "", "", true},
	} {
		url, accepted := serve(t, c.modern)
		if err := client(t, url, c.scenario, c.details); err != nil {
			t.Errorf("%s: %v", c.scenario, err)
			continue
		}
		if c.want == "" {
			continue
		}
		if len(accepted) == 0 {
			t.Errorf("%s: nothing reached the tool", c.scenario)
		} else if got := <-accepted; got != c.want {
			t.Errorf("%s: %s", c.scenario, got)
		}
	}
}

func TestWhatCannotBeRun(t *testing.T) {
	url, _ := serve(t, false)
	for want, err := range map[string]error{
		"unknown scenario": client(t, url, "no-such", ""),
		envContext:         client(t, url, "initialize", "{"),
		"no answer":        client(t, "http://127.0.0.1:1", "initialize", ""),
		"has no tool":      client(t, url, "sse-retry", ""),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

func TestDefaultsAreTakenAsTheyAre(t *testing.T) {
	got, err := acceptDefaults([]byte(`{"type":"object","properties":{"a":{"default":1.50},"b":{"type":"string"},"c":{"default":"\u00e9"}}}`))
	if err != nil || string(got) != `{"a":1.50,"c":"\u00e9"}` {
		t.Errorf("got %s, %v", got, err)
	}
}
