package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/mcptest"
)

// S09: what people are shown of servers has nothing that a terminal acts on or that
// nobody sees.
func TestS09CommandsPrintCleanTexts(t *testing.T) {
	t.Parallel()
	all := strings.Join(mcptest.Unseen, "x")
	server := mcp.NewServer(&mcp.Implementation{Name: "n" + all, Title: "t" + all, Version: "1" + all}, &mcp.ServerOptions{Instructions: "i" + all})
	server.AddTool(&mcp.Tool{
		Name: "create_issue", Title: "Create " + all, Description: "Create an issue " + all,
		InputSchema: map[string]any{"type": "object", "properties": map[string]any{"title": map[string]any{"type": "string", "description": "The title " + all}}},
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, fmt.Errorf("it fails %s", all)
	})
	h := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	r := newRunner(t)
	file := r.write("servers: {turn: {url: " + h.URL + "}}\n")
	for _, args := range []string{
		"refresh", "servers", "tools list", "tools show turn.create_issue", "tools search issue", "tools related turn.create_issue", "summary", "trust --findings", "policy test turn.create_issue",
	} {
		words := strings.Fields(args)
		out := r.run(0, append(words, "--config", file)...)
		if !strings.Contains(out, "turn") && !strings.Contains(args, "related") { // nothing is related to the only one
			t.Errorf("%s says nothing of it: %s", args, out)
		}
		for _, c := range out {
			if c != '\n' && c != '\t' && (unicode.Is(unicode.Cc, c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Variation_Selector, c)) {
				t.Errorf("%s prints %U: %q", args, c, out)
				break
			}
		}
	}
}
