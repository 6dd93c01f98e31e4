package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

// unseen are the characters of a text that nobody sees or that terminals act on.
func unseen(text string) (found []string) {
	for _, r := range text {
		switch {
		case r == '\n', r == '\t':
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), r >= 0xE0000 && r <= 0xE007F, r == '\u3164', r == '\u115f', r == '\u1160':
			found = append(found, fmt.Sprintf("%U", r))
		}
	}
	return found
}

// texts are all texts of a value, also of JSON that is written in one.
func texts(v any, each func(string)) {
	switch v := v.(type) {
	case string:
		var inner any
		if strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &inner) == nil {
			texts(inner, each)
		}
		each(v)
	case []any:
		for _, one := range v {
			texts(one, each)
		}
	case map[string]any:
		for name, one := range v {
			each(name)
			texts(one, each)
		}
	}
}

// S09: what servers write is in what we say of them without what cannot be seen, in its
// normal form, not at length, and under the name of its server.
func TestS09TextsOfServersAreClean(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	all := strings.Join(mcptest.Unseen, "x")
	turn.offers("list_issues", "List issues "+all+strings.Repeat(" and more", 4_000), &mcp.ToolAnnotations{Title: "A title " + all, ReadOnlyHint: true})
	turn.AddTool(&mcp.Tool{
		Name: "create_issue", Title: "Cre" + all + "ate", Description: "Create an issue e\u0301 " + all, Meta: mcp.Meta{"tags": []string{"iss" + all + "ue"}},
		InputSchema: map[string]any{"type": "object", "properties": map[string]any{
			"ti" + all + "tle": map[string]any{"type": "string", "description": "The title " + all, "enum": []string{"a" + all}, "default": all},
		}},
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Servers: []config.Server{turn.entry}}, Options{})
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		session := s.agent(version, nil)
		check := func(what string, v any) {
			t.Helper()
			raw, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var plain any
			if err := json.Unmarshal(raw, &plain); err != nil {
				t.Fatal(err)
			}
			texts(plain, func(text string) {
				if found := unseen(text); len(found) > 0 || strings.Contains(text, "e\u0301") { // the accent apart is not the normal form
					t.Errorf("%s %s: %v in %.300q", version, what, found, text)
				}
			})
			if len(raw) > 20_000 {
				t.Errorf("%s %s: %d bytes", version, what, len(raw))
			}
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		check("tools/list", list)
		check("instructions", session.InitializeResult())
		summary, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "toolcrib://summary"})
		if err != nil {
			t.Fatal(err)
		}
		check("the summary", summary)
		for _, call := range []struct {
			tool string
			args map[string]any
		}{
			{"list_tools", map[string]any{"detail_level": "full"}},
			{"list_tools", map[string]any{"detail_level": "brief"}},
			{"list_servers", nil},
			{"list_server_tools", map[string]any{"server": "turn"}},
			{"list_categories", nil},
			{"find_by_tags", map[string]any{"tags": "issue"}},
			{"search_tools", map[string]any{"query": "create an issue", "detail_level": "full"}},
			{"search_tools", map[string]any{"query": "issue " + all}},
			{"get_related_tools", map[string]any{"tool": "turn.create_issue"}},
			{"tool_details", map[string]any{"tools": "turn.create_issue,turn.list_issues"}},
			{"call_tool", map[string]any{"tool": "turn.create_issue", "arguments": map[string]any{"nothing" + all: 1}}},
			{"call_tool", map[string]any{"tool": "turn.no" + all}},
			{"execute", map[string]any{"script": "return turn.no()"}},
		} {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: call.args})
			if err != nil {
				t.Fatalf("%s: %v", call.tool, err)
			}
			check(fmt.Sprint(call.tool, call.args), result)
		}
	}
}
