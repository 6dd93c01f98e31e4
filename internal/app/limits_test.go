package app

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
)

// The time goes on while a test runs, so that how long it is to wait is no fixed number.
var retryAfter = regexp.MustCompile(`"retry_after_seconds":[1-9]`)

// A limit counts the calls of agents by their own names, by our tools and in scripts
// alike, for each caller its own, and says when to try again.
func TestLimitsHoldEverywhere(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	turn.offers("wipe", "Delete", nil)
	turn.offers("list_issues", "List", readOnlyHint)
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{turn.entry}, Policy: config.Policy{
		Limits: []config.PolicyLimit{{Terms: config.Terms{Annotations: []string{"writes"}}, PerHour: 4, Each: []string{"caller"}}},
	}}
	s := guarded(t, c, Options{})
	do := map[string]map[string]any{
		"call_tool":             {"tool": "turn.wipe", "arguments": map[string]any{}},
		"execute":               {"script": "result(turn.wipe({}):await())"},
		"inspect_tool_response": {"tool": "turn.wipe", "allow_side_effects": true},
		"turn.wipe":             {},
	}
	for who, version := range map[string]string{"a": "2025-11-25", "b": "2026-07-28"} {
		session := s.agent(version, nil, "X-Who", who)
		before := turn.calls.Load()
		for tool, args := range do {
			if texts, failed := use(t, session, tool, args); failed {
				t.Errorf("%s %s: %v", who, tool, texts)
			}
		}
		for tool, args := range do {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
			if err != nil {
				t.Fatalf("%s %s: %v", who, tool, err)
			}
			text, _ := json.Marshal(result)
			if !result.IsError || !strings.Contains(string(text), "4 calls per hour for each caller") || !regexp.MustCompile(`try again in [1-9]\d* s`).Match(text) {
				t.Errorf("%s %s: %s", who, tool, text)
			}
			structured, _ := json.Marshal(result.StructuredContent)
			if tool != "execute" && !retryAfter.Match(structured) {
				t.Errorf("%s %s: %s", who, tool, structured)
			}
		}
		if n := turn.calls.Load() - before; n != 4 {
			t.Errorf("%s called %d times", who, n)
		}
		if texts, failed := use(t, session, "call_tool", map[string]any{"tool": "turn.list_issues", "arguments": map[string]any{}}); failed {
			t.Errorf("what is not limited: %v", texts)
		}
	}
}

// Where an agent calls a server's tool itself, the seconds are in the error's data.
func TestLimitsOnPassthrough(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	turn.offers("wipe", "Delete", nil)
	s := guarded(t, config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{turn.entry}, Policy: config.Policy{
		Limits: []config.PolicyLimit{{Terms: config.Terms{Servers: []string{"turn"}}, PerHour: 1}},
	}}, Options{})
	session := s.agent("2025-11-25", nil, "X-Who", "a")
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wipe"}); err != nil {
		t.Fatal(err)
	}
	_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wipe"})
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != 1006 || !retryAfter.Match(e.Data) {
		t.Errorf("%v", err)
	}
}
