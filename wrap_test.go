package toolcrib_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib"
)

// mark is how every reference begins.
const mark = "[reference of the tools of "

func wrapped(t testing.TB, o *toolcrib.Options) *mcp.Server {
	t.Helper()
	s := newOffice()
	if err := toolcrib.Wrap(s, o); err != nil {
		t.Fatal(err)
	}
	return s
}

// ways are all that an agent may come by. A stateful handler of the SDK does
// not speak the modern era.
var ways = []struct {
	name, era string
	to        transport
}{
	{"in memory", "modern", inMemory},
	{"in memory", "legacy", inMemory},
	{"pipes", "modern", overPipes},
	{"pipes", "legacy", overPipes},
	{"sse", "legacy", overSSE},
	{"stateless", "modern", overHTTP(true, nil)},
	{"stateless", "legacy", overHTTP(true, nil)},
	{"stateful", "legacy", overHTTP(false, nil)},
}

// The first result of a caller has the reference in front, the second has not,
// and what the tool returned is there both times as it was.
func TestFirstCall(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name+" "+way.era, func(t *testing.T) {
			plain := connect(t, way.to(t, newOffice()), "agent", way.era)
			agent := connect(t, way.to(t, wrapped(t, nil)), "agent", way.era)
			for i, tool := range []string{"search_wiki", "search_wiki", "send_mail"} {
				arguments := map[string]any{"query": "cats"}
				if tool == "send_mail" {
					arguments = nil
				}
				want, got := callTool(t, plain, tool, arguments), callTool(t, agent, tool, arguments)
				if i == 0 {
					if !strings.HasPrefix(text(t, got, 0), mark) {
						t.Errorf("the first block is %q", text(t, got, 0))
					}
					got.Content = got.Content[1:]
				}
				if diff := cmp.Diff(marshal(t, want), marshal(t, got)); diff != "" {
					t.Errorf("call %d (-unwrapped +wrapped):\n%s", i, diff)
				}
			}
		})
	}
}

// A tool that fails answers with a result, and that carries the reference; a
// call that fails before it does not, and leaves it to the next.
func TestFirstCallFails(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name+" "+way.era, func(t *testing.T) {
			agent := connect(t, way.to(t, wrapped(t, nil)), "agent", way.era)
			if _, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil {
				t.Fatal("a tool that is not there was called")
			}
			result := callTool(t, agent, "read_wiki_page", map[string]any{"title": "Cats"})
			if !result.IsError || !strings.HasPrefix(text(t, result, 0), mark) || text(t, result, 1) != "there is no page Cats" {
				t.Errorf("the result is %s", marshal(t, result))
			}
		})
	}
}

func TestReferenceTexts(t *testing.T) {
	for name, o := range map[string]*toolcrib.Options{
		"reference-brief":     nil,
		"reference-discovery": {Name: "Office", DiscoveryTools: true},
		"reference-full":      {Name: "Office", FirstCall: toolcrib.FirstCallFull},
		"reference-categories": {Category: func(tool *mcp.Tool) string {
			if strings.Contains(tool.Name, "issue") {
				return "Bug Tracker"
			}
			return ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			agent := connect(t, inMemory(t, wrapped(t, o)), "agent", "modern")
			golden(t, name, text(t, callTool(t, agent, "send_mail", nil), 0)+"\n")
		})
	}
}

func TestFirstCallOff(t *testing.T) {
	agent := connect(t, inMemory(t, wrapped(t, &toolcrib.Options{FirstCall: toolcrib.FirstCallOff})), "agent", "modern")
	if result := callTool(t, agent, "send_mail", nil); text(t, result, 0) != "done" {
		t.Errorf("the result is %s", marshal(t, result))
	}
}

// Tools are known that came after Wrap, and those that went are not told of.
func TestToolsThatComeAndGo(t *testing.T) {
	s := wrapped(t, nil)
	s.AddTool(&mcp.Tool{Name: "post_message", Description: "Post a message to a channel.", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	s.RemoveTools("create_issue")
	agent := connect(t, inMemory(t, s), "agent", "legacy")
	reference := text(t, callTool(t, agent, "send_mail", nil), 0)
	if !strings.Contains(reference, "post_message") || strings.Contains(reference, "create_issue") {
		t.Errorf("the reference is\n%s", reference)
	}
}

func TestWrapRefuses(t *testing.T) {
	once := wrapped(t, nil)
	for want, err := range map[string]error{
		"no server to wrap":  toolcrib.Wrap(nil, nil),
		"wrapped already":    toolcrib.Wrap(once, &toolcrib.Options{DiscoveryTools: true}),
		`FirstCall is "all"`: toolcrib.Wrap(newOffice(), &toolcrib.Options{FirstCall: "all"}),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "toolcrib.Wrap: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, and should say %s", err, want)
		}
	}
	// It is left as it was by the second Wrap.
	agent := connect(t, inMemory(t, once), "agent", "modern")
	result := callTool(t, agent, "send_mail", nil)
	if len(result.Content) != 2 || !strings.HasPrefix(text(t, result, 0), mark) {
		t.Errorf("the result is %s", marshal(t, result))
	}
}

func TestServerWithoutTools(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	if err := toolcrib.Wrap(s, &toolcrib.Options{DiscoveryTools: true}); err != nil {
		t.Fatal(err)
	}
	agent := connect(t, inMemory(t, s), "agent", "modern")
	list, err := agent.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 0 {
		t.Errorf("it lists %d tools, and %v", len(list.Tools), err)
	}
	if _, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_tools"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("the error is %v", err)
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
