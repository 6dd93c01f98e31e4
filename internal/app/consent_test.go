package app

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
)

// answers is an agent whose user says the same to every question.
func answers(action string, allow bool, asked *atomic.Int64, said *atomic.Value) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked.Add(1)
		said.Store(r.Params.Message)
		result := &mcp.ElicitResult{Action: action}
		if action == "accept" {
			result.Content = map[string]any{"allow": allow}
		}
		return result, nil
	}}
}

// Where the policy says ask, the user is asked in either era, and decides; where nobody
// can be asked nothing is done.
func TestAskedCalls(t *testing.T) {
	for name, show := range map[string]config.Disclosure{"standard": {}, "passthrough": asIs} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				turn := newTurncoat(t, "turn")
				turn.offers("wipe", "Delete", nil)
				turn.offers("list_issues", "List", readOnlyHint)
				c := config.Config{HTTP: openHTTP, Disclosure: show, Servers: []config.Server{turn.entry}, Policy: config.Policy{Rules: []config.PolicyRule{
					{Annotations: []string{"writes"}, Verdict: "ask", Why: "it changes things"},
				}}}
				s := serveHTTP(t, c, Options{})
				tool := map[string]string{"standard": "turn.wipe", "passthrough": "wipe"}[name]
				for _, user := range []struct {
					action string
					allow  bool
					done   bool
				}{{"accept", true, true}, {"accept", false, false}, {"decline", false, false}, {"cancel", false, false}} {
					var asked atomic.Int64
					var said atomic.Value
					session := s.agent(version, answers(user.action, user.allow, &asked, &said))
					before := turn.calls.Load()
					result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"what": "all"}})
					done := err == nil && !result.IsError
					if done != user.done || asked.Load() != 1 || turn.calls.Load()-before != map[bool]int64{true: 1}[user.done] {
						t.Errorf("%+v: done %v (%v, %v), asked %d times, called %d", user, done, err, result, asked.Load(), turn.calls.Load()-before)
					}
					if text, _ := said.Load().(string); !strings.Contains(text, "turn.wipe") || !strings.Contains(text, "it changes things") || !strings.Contains(text, `{"what":"all"}`) {
						t.Errorf("the question: %q", text)
					}
					session.Close()
				}
				mute := s.agent(version, nil)
				before := turn.calls.Load()
				result, err := mute.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{}})
				text := ""
				if err != nil {
					text = err.Error()
				} else if result.IsError {
					text = result.Content[0].(*mcp.TextContent).Text
				}
				if turn.calls.Load() != before || !strings.Contains(text, "policy.rules") || !strings.Contains(text, "toolcrib tools call turn.wipe") {
					t.Errorf("nobody can be asked: %q", text)
				}
			})
		}
	}
}

// S18 and scripts: what really calls asks as any call does.
func TestS18InspectionsAndScriptsAsk(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	turn.offers("wipe", "Delete", nil)
	turn.offers("list_issues", "List", readOnlyHint)
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{turn.entry}, Policy: config.Policy{Rules: []config.PolicyRule{{Annotations: []string{"writes"}, Verdict: "ask"}}}}
	s := serveHTTP(t, c, Options{})
	inspect := map[string]any{"tool": "turn.wipe", "allow_side_effects": true}
	run := map[string]any{"script": "result(turn.wipe({}):await())"}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		session := s.agent(version, nil)
		use(t, session, "list_tools", nil)
		if _, failed := use(t, session, "inspect_tool_response", map[string]any{"tool": "turn.wipe"}); !failed {
			t.Error("a tool that writes was inspected without a word")
		}
		for tool, args := range map[string]map[string]any{"inspect_tool_response": inspect, "execute": run} {
			if texts, failed := use(t, session, tool, args); !failed || !strings.Contains(strings.Join(texts, ""), "consent") {
				t.Errorf("%s %s: %v", version, tool, texts)
			}
		}
	}
	if turn.calls.Load() != 0 {
		t.Errorf("called %d times", turn.calls.Load())
	}
	var asked atomic.Int64
	var said atomic.Value
	session := s.agent("2025-11-25", answers("accept", true, &asked, &said))
	for tool, args := range map[string]map[string]any{"inspect_tool_response": inspect, "execute": run} {
		if texts, failed := use(t, session, tool, args); failed {
			t.Errorf("%s: %v", tool, texts)
		}
	}
	if asked.Load() != 2 || turn.calls.Load() != 2 {
		t.Errorf("asked %d times, called %d", asked.Load(), turn.calls.Load())
	}
	// A modern agent is asked between two requests, which a script cannot wait for.
	session = s.agent("2026-07-28", answers("accept", true, &asked, &said))
	if texts, failed := use(t, session, "execute", run); !failed || turn.calls.Load() != 2 {
		t.Errorf("%v", texts)
	}
}
