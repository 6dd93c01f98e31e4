package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

// tokens makes those of an issuer, and the configuration that takes them.
func tokens(t *testing.T) (config.HTTP, func(subject, scope string) string) {
	i := mcptest.NewIssuer(t)
	const resource = "https://tools.example.com/mcp"
	made := func(subject, scope string) string {
		return i.JWT(map[string]any{"alg": "ES256", "kid": "one"}, map[string]any{
			"iss": i.URL, "aud": resource, "sub": subject, "scope": scope, "exp": time.Now().Add(time.Hour).Unix(),
		})
	}
	return config.HTTP{Auth: config.AuthOAuth, OAuth: config.OAuth{Issuer: i.URL, Resource: resource}}, made
}

// What a token allows decides in lists, searches, details, calls, scripts, resources and
// prompts alike, for one subject as its tokens say.
func TestPolicyOfScopes(t *testing.T) {
	t.Parallel()
	entrance, token := tokens(t)
	for name, show := range map[string]config.Disclosure{"standard": {}, "passthrough": asIs} {
		t.Run(name, func(t *testing.T) {
			turn := newTurncoat(t, "turn")
			turn.offers("create_issue", "Create an issue", nil, "title")
			turn.offers("wipe", "Delete everything FORBIDDENTEXT", nil)
			turn.AddPrompt(&mcp.Prompt{Name: "plan", Description: "PROMPTTEXT"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "PROMPTTEXT"}}}}, nil
			})
			turn.AddResource(&mcp.Resource{URI: "file:///secret", Name: "RESOURCETEXT"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "file:///secret", Text: "RESOURCETEXT"}}}, nil
			})
			s := serveHTTP(t, config.Config{HTTP: entrance, Disclosure: show, Servers: []config.Server{turn.entry}, Policy: config.Policy{
				Default: "deny", Rules: []config.PolicyRule{
					{Terms: config.Terms{Scopes: []string{"all"}}, Verdict: "allow"},
					{Terms: config.Terms{Scopes: []string{"turn:use"}, Tools: []string{"wipe"}}, Verdict: "deny", Why: "not with this token"},
					{Terms: config.Terms{Scopes: []string{"turn:use"}, Servers: []string{"turn"}}, Verdict: "allow"},
				},
			}}, Options{StateDir: t.TempDir()})
			wipe, create, prompt, uri := "turn.wipe", "turn.create_issue", "turn.plan", "toolcrib://turn/file:///secret"
			if name == "passthrough" {
				wipe, create, prompt, uri = "wipe", "create_issue", "plan", "file:///secret"
			}
			for scope, may := range map[string]struct{ wipe, turn bool }{"all": {true, true}, "other turn:use": {false, true}, "ALL": {}, "": {}} {
				for _, version := range []string{"2025-11-25", "2026-07-28"} {
					header := []string{"Authorization", "Bearer " + token("ann", scope)}
					all := s.everything(version, nil, header...)
					if strings.Contains(all, "FORBIDDENTEXT") != may.wipe || strings.Contains(all, "Create an issue") != may.turn ||
						strings.Contains(all, "PROMPTTEXT") != may.turn || strings.Contains(all, "RESOURCETEXT") != may.turn {
						t.Errorf("%q %s sees:\n%s", scope, version, all)
					}
					session := s.agent(version, nil, header...)
					for tool, allowed := range map[string]bool{wipe: may.wipe, create: may.turn} {
						before := turn.calls.Load()
						result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"title": "x"}})
						if done := err == nil && !result.IsError; done != allowed || turn.calls.Load()-before != map[bool]int64{true: 1}[allowed] {
							t.Errorf("%q %s calls %s: %v (%v, %v)", scope, version, tool, done, err, result)
						}
					}
					if name == "standard" {
						texts, failed := use(t, session, "execute", map[string]any{"script": "result(turn.wipe({}):await())"})
						if failed == may.wipe {
							t.Errorf("%q %s: a script: %v", scope, version, texts)
						}
					}
					_, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: prompt})
					_, err2 := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
					if (err == nil) != may.turn || (err2 == nil) != may.turn {
						t.Errorf("%q %s: %v, %v", scope, version, err, err2)
					}
					session.Close()
				}
			}
		})
	}
}

// A session keeps its subject; what it may changes with the token of each request.
func TestScopesOfASession(t *testing.T) {
	entrance, token := tokens(t)
	turn := newTurncoat(t, "turn")
	turn.offers("wipe", "Delete", nil)
	s := serveHTTP(t, config.Config{HTTP: entrance, Disclosure: asIs, Servers: []config.Server{turn.entry}, Policy: config.Policy{
		Default: "deny", Rules: []config.PolicyRule{{Terms: config.Terms{Scopes: []string{"all"}}, Verdict: "allow"}},
	}}, Options{})
	_, _, header := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		"Authorization", "Bearer "+token("ann", "all"))
	id := header.Get("Mcp-Session-Id")
	for scope, may := range map[string]bool{"all": true, "": false} {
		_, answer, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wipe","arguments":{}}}`,
			"Authorization", "Bearer "+token("ann", scope), "Mcp-Session-Id", id, "MCP-Protocol-Version", "2025-11-25")
		if strings.Contains(answer, "done") != may {
			t.Errorf("%q: %s", scope, answer)
		}
	}
}
