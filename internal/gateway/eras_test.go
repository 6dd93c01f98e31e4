//lint:file-ignore SA1019 deprecated features of the protocol are relayed as long as agents use them

package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/wire"
)

// TestEras has agents of both eras use servers of both: whatever can be
// bridged looks the same to the agent.
func TestEras(t *testing.T) {
	for _, server := range []string{"good", "legacy", "modern"} {
		for _, version := range []string{wire.VersionModern, wire.Version202511, wire.Version202411} {
			t.Run(server+"/"+version, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, child(t, "one", server))
				useEverything(t, r, version)
			})
		}
	}
}

func useEverything(t *testing.T, r *rig, version string) {
	seen := make(chan string, 100)
	s := r.connect(t, version, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, q *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "sampled"}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
			seen <- fmt.Sprint(n.Params.ProgressToken, "=", n.Params.Progress)
		},
	})
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) == 0 {
		t.Fatalf("list tools: %v, %v", tools, err)
	}
	call := func(name string, args any, meta mcp.Meta) string {
		t.Helper()
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args, Meta: meta})
		if err != nil {
			t.Fatalf("call %s: %v", name, err)
		}
		b, _ := json.Marshal(res)
		return string(b)
	}
	if got := call("echo", map[string]any{"text": "hello"}, nil); !strings.Contains(got, "hello") {
		t.Errorf("echo: %s", got)
	}
	if got := call("elicit", map[string]any{}, nil); !strings.Contains(got, "Ada") {
		t.Errorf("elicit: %s", got)
	}
	if got := call("sample", map[string]any{}, nil); !strings.Contains(got, "sampled") {
		t.Errorf("sample: %s", got)
	}
	call("progress", map[string]any{}, mcp.Meta{"progressToken": "mine"})
	select {
	case got := <-seen:
		if !strings.HasPrefix(got, "mine=") {
			t.Errorf("progress: %s", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("no progress")
	}
	if _, err := s.ListPrompts(t.Context(), nil); err != nil {
		t.Errorf("list prompts: %v", err)
	}
	if _, err := s.ListResources(t.Context(), nil); err != nil {
		t.Errorf("list resources: %v", err)
	}
}
