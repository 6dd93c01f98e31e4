package app

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
)

// guarded is a gateway whose callers are who their header says they are.
func guarded(t *testing.T, c config.Config, o Options) *serving {
	t.Helper()
	a, err := Open(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	h := a.Handler(HandlerOptions{Authenticate: func(r *http.Request) (string, error) {
		if who := r.Header.Get("X-Who"); who != "" {
			return who, nil
		}
		return "", errors.New("nobody")
	}})
	l := httptest.NewServer(http.HandlerFunc(h.ServeHTTP))
	t.Cleanup(func() {
		h.Close(context.Background())
		l.Close()
		a.Close(context.Background())
		http.DefaultClient.CloseIdleConnections()
	})
	return &serving{t: t, url: l.URL, app: a}
}

var readOnlyHint = &mcp.ToolAnnotations{ReadOnlyHint: true}

func policed(t *testing.T, show config.Disclosure, several bool) (config.Config, *turncoat) {
	turn := newTurncoat(t, "turn")
	turn.offers("create_issue", "Create an issue", nil, "title")
	turn.offers("list_issues", "List issues", readOnlyHint)
	turn.offers("wipe", "Delete everything FORBIDDENTEXT", nil)
	c := config.Config{HTTP: openHTTP, Disclosure: show, Servers: []config.Server{turn.entry}, Policy: config.Policy{Rules: []config.PolicyRule{
		{Terms: config.Terms{Who: []string{"guest-*"}, Tools: []string{"wipe"}}, Verdict: "deny", Why: "guests do not delete"},
		{Terms: config.Terms{Who: []string{"reader"}, Annotations: []string{"writes"}}, Verdict: "deny"},
		{Terms: config.Terms{Who: []string{"stranger"}, Servers: []string{"turn"}}, Verdict: "deny", Why: "not for strangers"},
		{Terms: config.Terms{Who: []string{"outsider"}, Tools: []string{"list_issues"}}, Verdict: "allow"},
	}, Profiles: []config.PolicyProfile{{Name: "audit", Who: []string{"auditor"}, ReadOnly: true}, {Name: "outside", Who: []string{"outsider"}, Default: "deny"}}}}
	if several {
		other := newTurncoat(t, "other")
		other.offers("look", "Look around", nil)
		c.Servers = append(c.Servers, other.entry)
	}
	return c, turn
}

// The policy is the same in lists, searches, details, calls, scripts and summaries, on
// every surface, in both eras, for each caller its own.
func TestPolicyHoldsEverywhere(t *testing.T) {
	t.Parallel()
	for name, show := range surfaces {
		for _, several := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " of several"}[several], func(t *testing.T) {
				t.Parallel()
				c, turn := policed(t, show, several)
				s := guarded(t, c, Options{StateDir: t.TempDir()})
				wipe, create := "turn.wipe", "turn.create_issue"
				if name == "passthrough" || name == "auto" {
					wipe, create = "wipe", "create_issue"
					if several {
						wipe, create = "turn__wipe", "turn__create_issue"
					}
				}
				for _, version := range []string{"2025-11-25", "2026-07-28"} {
					for who, may := range map[string]struct{ wipe, create bool }{
						"boss": {true, true}, "guest-1": {false, true}, "reader": {false, false}, "stranger": {false, false},
						"auditor": {false, false}, "outsider": {false, false},
					} {
						all := s.everything(version, nil, "X-Who", who)
						if got := strings.Contains(all, "FORBIDDENTEXT"); got != may.wipe {
							t.Errorf("%s %s: shown: %v:\n%s", who, version, got, all)
						}
						if who == "stranger" && strings.Contains(all, "Create an issue") {
							t.Errorf("a stranger sees the server:\n%s", all)
						}
						session := s.agent(version, nil, "X-Who", who)
						for tool, allowed := range map[string]bool{wipe: may.wipe, create: may.create} {
							before := turn.calls.Load()
							result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"title": "x"}})
							if done := err == nil && !result.IsError; done != allowed || turn.calls.Load()-before != map[bool]int64{true: 1}[allowed] {
								t.Errorf("%s %s calls %s: %v (%v, %v), expected %v", who, version, tool, done, err, result, allowed)
							}
						}
						session.Close()
					}
				}
			})
		}
	}
}

// A search says that there is something, how much of it, and why it is not shown.
func TestPolicyInASearch(t *testing.T) {
	t.Parallel()
	c, _ := policed(t, config.Disclosure{}, true)
	s := guarded(t, c, Options{})
	session := s.agent("2025-11-25", nil, "X-Who", "guest-1")
	texts, _ := use(t, session, "search_tools", map[string]any{"query": "delete everything"})
	if !strings.Contains(texts[0], `"withheld"`) || !strings.Contains(texts[0], "1: guests do not delete") || strings.Contains(texts[0], "wipe") {
		t.Errorf("%s", texts[0])
	}
	texts, failed := use(t, session, "tool_details", map[string]any{"tools": "turn.wipe"})
	if !failed || !strings.Contains(texts[0], "guests do not delete") || strings.Contains(texts[0], "FORBIDDENTEXT") {
		t.Errorf("%s", texts[0])
	}
	texts, failed = use(t, session, "execute", map[string]any{"script": "result(turn.wipe({}):await())"})
	if !failed || strings.Contains(strings.Join(texts, ""), "done") {
		t.Errorf("%v", texts)
	}
}

// Prompts and resources of a server that is denied are as little there as its tools.
func TestPolicyOfPromptsAndResources(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]config.Disclosure{"standard": {}, "passthrough": asIs} {
		for _, several := range []bool{false, true} {
			c, turn := policed(t, show, several)
			turn.AddPrompt(&mcp.Prompt{Name: "plan", Description: "PROMPTTEXT"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "PROMPTTEXT"}}}}, nil
			})
			turn.AddResource(&mcp.Resource{URI: "file:///secret", Name: "RESOURCETEXT"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "file:///secret", Text: "RESOURCETEXT"}}}, nil
			})
			s := guarded(t, c, Options{})
			prompt, uri := "plan", "file:///secret"
			if several || name == "standard" {
				prompt, uri = "turn.plan", "toolcrib://turn/file:///secret"
			}
			for who, may := range map[string]bool{"boss": true, "stranger": false, "outsider": false} {
				session := s.agent("2025-11-25", nil, "X-Who", who)
				all := s.everything("2025-11-25", nil, "X-Who", who)
				if strings.Contains(all, "PROMPTTEXT") != may || strings.Contains(all, "RESOURCETEXT") != may {
					t.Errorf("%s, %s: lists:\n%s", name, who, all)
				}
				_, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: prompt})
				_, err2 := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				err3 := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
				if (err == nil) != may || (err2 == nil) != may || err3 == nil && !may {
					t.Errorf("%s, %s: %v, %v, %v", name, who, err, err2, err3)
				}
			}
		}
	}
}

// A policy that changes holds from the next request on.
func TestPolicyChanges(t *testing.T) {
	t.Parallel()
	c, turn := policed(t, config.Disclosure{}, false)
	s := guarded(t, c, Options{})
	session := s.agent("2025-11-25", nil, "X-Who", "boss")
	wipe := map[string]any{"tool": "turn.wipe", "arguments": map[string]any{}}
	if texts, failed := use(t, session, "call_tool", wipe); failed {
		t.Fatal(texts)
	}
	c.Policy = config.Policy{ReadOnly: true}
	if err := s.app.Apply(c); err != nil {
		t.Fatal(err)
	}
	if _, failed := use(t, session, "call_tool", wipe); !failed || turn.calls.Load() != 1 {
		t.Error("the policy of before still holds")
	}
	if texts, _ := use(t, session, "list_tools", nil); strings.Contains(texts[0], "wipe") || !strings.Contains(texts[0], "list_issues") {
		t.Errorf("%s", texts[0])
	}
}

// What a server says on its own is not heard by those who may not use it.
func TestPolicyOfLogMessages(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{turn.entry}, Policy: config.Policy{Rules: []config.PolicyRule{{Terms: config.Terms{Who: []string{"stranger"}, Servers: []string{"turn"}}, Verdict: "deny"}}}}
	s := guarded(t, c, Options{})
	heard := map[string]chan string{}
	for _, who := range []string{"boss", "stranger"} {
		ch := make(chan string, 8)
		heard[who] = ch
		s.agent("2025-11-25", &mcp.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			raw, _ := json.Marshal(r.Params.Data)
			ch <- string(raw)
		}}, "X-Who", who)
	}
	s.app.gateway.Event("turn", "notifications/message", []byte(`{"level":"error","data":"of turn"}`), nil)
	s.app.gateway.Event("another", "notifications/message", []byte(`{"level":"error","data":"of another"}`), nil)
	if got := []string{<-heard["boss"], <-heard["boss"]}; got[0] != `"of turn"` || got[1] != `"of another"` {
		t.Errorf("the boss heard %v", got)
	}
	if got := <-heard["stranger"]; got != `"of another"` {
		t.Errorf("the stranger heard %s", got)
	}
}
