package app

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
)

// A server that clients know by several names is called by each of them, by whoever
// may call it, also where every tool is listed as it is.
func TestAliasesOfServersOnPassthrough(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	long := strings.Repeat("create", 10) // is listed under a shorter name, for turn__ is too much
	turn.offers("create_issue", "Create an issue", nil)
	turn.offers("wipe", "Delete everything", nil)
	turn.offers(long, "Create an issue slowly", nil)
	turn.AddPrompt(&mcp.Prompt{Name: "greet"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "hello"}}}}, nil
	})
	turn.entry.Aliases = []string{"turn-work", "my turn", "t", "other"}
	other := newTurncoat(t, "other")
	other.offers("look", "Look around", nil)
	s := guarded(t, config.Config{
		HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{turn.entry, other.entry}, Policy: config.Policy{Rules: []config.PolicyRule{
			{Terms: config.Terms{Who: []string{"guest"}, Tools: []string{"turn.wipe"}}, Verdict: "deny", Why: "guests do not delete"},
			{Terms: config.Terms{Who: []string{"stranger"}, Servers: []string{"turn"}}, Verdict: "deny", Why: "not for strangers"},
			{Terms: config.Terms{Who: []string{"outsider"}, Servers: []string{"other"}}, Verdict: "deny", Why: "not for outsiders"},
		}},
	}, Options{StateDir: t.TempDir()})
	s.app.known.Refresh(t.Context())
	for _, era := range bothEras {
		t.Run(era, func(t *testing.T) {
			for _, c := range []struct {
				who, tool string
				says      string // "" if it is called
			}{
				{"user", "turn__create_issue", ""},
				{"user", "turn-work__create_issue", ""},
				{"user", "turn_work__create_issue", ""}, // as identifiers are written
				{"user", "my_turn__create_issue", ""},
				{"user", "t__" + long, ""},
				{"user", "turn-work__nosuch", "nosuch"},
				{"user", "turn-wrk__create_issue", "tools/list"},
				{"user", "other__create_issue", "create_issue"}, // the name is another's own
				{"guest", "turn-work__create_issue", ""},
				{"guest", "turn-work__wipe", "guests do not delete"},
				{"stranger", "turn-work__create_issue", "no tool"},
				{"outsider", "other__create_issue", "no tool"},
			} {
				session := s.agent(era, nil, "X-Who", c.who)
				before := turn.calls.Load()
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: map[string]any{}})
				text := ""
				if err != nil {
					text = err.Error()
				} else if result.IsError {
					text = result.Content[0].(*mcp.TextContent).Text
				}
				called := turn.calls.Load() - before
				if c.says == "" && (text != "" || called != 1) || c.says != "" && (called != 0 || !strings.Contains(text, c.says)) {
					t.Errorf("%s calls %s: %d calls, %q", c.who, c.tool, called, text)
				}
				session.Close()
			}
			session := s.agent(era, nil, "X-Who", "user")
			if p, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "turn-work.greet"}); err != nil || len(p.Messages) != 1 {
				t.Errorf("its prompt: %v %v", p, err)
			}
			if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "toolcrib://turn-work/note://1"}); err == nil || !strings.Contains(err.Error(), `ask for "toolcrib://turn/note://1"`) {
				t.Errorf("a resource of it: %v", err)
			}
		})
	}
}
