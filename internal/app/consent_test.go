package app

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
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
	t.Parallel()
	for name, show := range map[string]config.Disclosure{"standard": {}, "passthrough": asIs} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				turn := newTurncoat(t, "turn")
				turn.offers("wipe", "Delete", nil)
				turn.offers("list_issues", "List", readOnlyHint)
				c := config.Config{HTTP: openHTTP, Disclosure: show, Servers: []config.Server{turn.entry}, Policy: config.Policy{Rules: []config.PolicyRule{
					{Terms: config.Terms{Annotations: []string{"writes"}}, Verdict: "ask", Why: "it changes things"},
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
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{turn.entry}, Policy: config.Policy{Rules: []config.PolicyRule{{Terms: config.Terms{Annotations: []string{"writes"}}, Verdict: "ask"}}}}
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

// A call that its server interrupts with questions of its own is asked about once, in
// every pairing of eras; and once more if it goes on with other arguments.
func TestAskedOnceWhereServersAskToo(t *testing.T) {
	t.Parallel()
	for server, eras := range map[string]mcptest.Eras{"old": mcptest.LegacyOnly, "new": mcptest.ModernOnly} {
		c := config.Config{HTTP: openHTTP, Servers: []config.Server{{Name: "one", Type: config.Streamable, URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Eras: eras}).URL}}, Policy: config.Policy{Default: "ask"}}
		for name, show := range map[string]config.Disclosure{"standard": {}, "passthrough": asIs} {
			c.Disclosure = show
			s := serveHTTP(t, c, Options{})
			tool := map[string]string{"standard": "one.elicit", "passthrough": "elicit"}[name]
			for _, version := range []string{"2025-11-25", "2026-07-28"} {
				var consents, questions atomic.Int64
				session := s.agent(version, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					if strings.HasPrefix(r.Params.Message, "May the agent call") {
						consents.Add(1)
						return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, nil
					}
					questions.Add(1)
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
				}})
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"rounds": 2}})
				if err != nil || result.IsError {
					t.Errorf("%s agent, %s server, %s: %v %v", version, server, name, err, result)
				}
				if consents.Load() != 1 || questions.Load() == 0 {
					t.Errorf("%s agent, %s server, %s: the user was asked %d times by us and %d times by the server", version, server, name, consents.Load(), questions.Load())
				}
				session.Close()
			}
		}
	}
}

// What a user allowed holds for the arguments that they saw.
func TestAskedAgainForOtherArguments(t *testing.T) {
	c := config.Config{HTTP: openHTTP, Disclosure: asIs, Policy: config.Policy{Default: "ask"}, Servers: []config.Server{
		{Name: "one", Type: config.Streamable, URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Eras: mcptest.ModernOnly}).URL},
	}}
	s := serveHTTP(t, c, Options{})
	post := func(arguments, more string) (question, next string) {
		t.Helper()
		_, answer, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"elicit","arguments":`+arguments+more+
			`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`,
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "elicit")
		result := wire.Find([]byte(answer), "result")
		asked, err := wire.ParseObject(wire.Find(result, "inputRequests"))
		if err != nil {
			return answer, ""
		}
		m := asked.Members()[0]
		return string(m.Value), `,"inputResponses":{"` + m.Name + `":{"action":"accept","content":{"allow":true,"name":"Ada"}}},"requestState":` + string(wire.Find(result, "requestState"))
	}
	const shown = `{"rounds":1}`
	consent, next := post(shown, "")
	question, next := post(shown, next)
	if !strings.Contains(consent, "May the agent call") || strings.Contains(question, "May the agent call") || next == "" {
		t.Fatalf("%s\n%s", consent, question)
	}
	if again, _ := post(`{"rounds":1,"more":true}`, next); !strings.Contains(again, "May the agent call") {
		t.Errorf("with other arguments it goes on: %s", again)
	}
	if end, _ := post(shown, next); !strings.Contains(end, "Ada") {
		t.Errorf("with those it does not: %s", end)
	}
}
