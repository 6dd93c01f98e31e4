package app

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
)

// nameless is an answer without the handle that it is about.
func nameless(answer, handle string) string {
	return strings.ReplaceAll(answer, handle[strings.LastIndex(handle, "/")+1:], "H")
}

// S15: a handle of ours is of use to whom it was given alone. To all others it is as one
// that never was: kept results, the states of calls that asked something, of calls that
// wait here, and sessions.
func TestS15HandlesHaveOwners(t *testing.T) {
	t.Parallel()
	turn := newTurncoat(t, "turn")
	turn.AddTool(&mcp.Tool{Name: "long", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("OWNED ", 1000)}}}, nil
	})
	asks := func(name string, eras mcptest.Eras) config.Server {
		return config.Server{Name: name, Type: config.Streamable, URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Eras: eras}).URL}
	}
	s := guarded(t, config.Config{
		Disclosure: config.Disclosure{MaxResult: 500, FirstCall: config.FirstCallOff},
		Servers:    []config.Server{turn.entry, asks("modern", mcptest.ModernOnly), asks("legacy", mcptest.LegacyOnly)},
	}, Options{})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	post := func(who, method, name, params string) string {
		t.Helper()
		_, answer, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`,`+meta+`}}`,
			"X-Who", who, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
		return answer
	}
	elicit := func(server string) func(who, more string) string {
		return func(who, more string) string {
			return post(who, "tools/call", "call_tool", `"name":"call_tool","arguments":{"tool":"`+server+`.elicit","arguments":{"rounds":1}}`+more)
		}
	}
	state := func(ask func(who, more string) string) func(who string) string {
		return func(who string) string {
			text, _ := wire.Text(wire.Find(wire.Find([]byte(ask(who, "")), "result"), "requestState"))
			return text
		}
	}
	resume := func(ask func(who, more string) string) func(who, handle string) string {
		return func(who, handle string) string {
			return ask(who, `,"inputResponses":{},"requestState":`+string(wire.Quote(handle)))
		}
	}
	link := regexp.MustCompile(`toolcrib://results/[A-Z2-7]{26}`)
	for name, kind := range map[string]struct {
		make func(who string) (handle string)
		use  func(who, handle string) (answer string)
		mine string // what only the owner gets to see
	}{
		"a kept result": {
			func(who string) string {
				return link.FindString(post(who, "tools/call", "call_tool", `"name":"call_tool","arguments":{"tool":"turn.long","arguments":{}}`))
			},
			func(who, handle string) string {
				return post(who, "resources/read", handle+"?page=2", `"uri":"`+handle+`?page=2"`)
			}, "OWNED",
		},
		"a kept result by call_tool": {
			func(who string) string {
				return link.FindString(post(who, "tools/call", "call_tool", `"name":"call_tool","arguments":{"tool":"turn.long","arguments":{}}`))
			},
			func(who, handle string) string {
				return post(who, "tools/call", "call_tool", `"name":"call_tool","arguments":{"tool":"`+handle+`?page=2"}`)
			}, "OWNED",
		},
		"the state of a server": {state(elicit("modern")), resume(elicit("modern")), "input_required"},
		"a call that waits":     {state(elicit("legacy")), resume(elicit("legacy")), "input_required"},
		"a session": {
			func(who string) string {
				_, _, header := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, "X-Who", who)
				return header.Get("Mcp-Session-Id")
			},
			func(who, handle string) string {
				status, answer, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "X-Who", who, "Mcp-Session-Id", handle, "MCP-Protocol-Version", "2025-11-25")
				return fmt.Sprint(status, answer)
			}, "search_tools",
		},
	} {
		t.Run(name, func(t *testing.T) {
			owners := []string{"ann", "bob", "Ann", "ann@example.com", "token"}
			seen := map[string]bool{}
			for _, owner := range owners {
				for _, reader := range owners {
					handle := kind.make(owner)
					if len(handle) < 22 || seen[handle] { // 128 bits take as many characters
						t.Fatalf("the handle %q", handle)
					}
					seen[handle] = true
					answer := kind.use(reader, handle)
					if owner == reader {
						if !strings.Contains(answer, kind.mine) {
							t.Errorf("%s cannot use its own: %s", owner, answer)
						}
						continue
					}
					none := strings.Map(func(r rune) rune {
						if r == 'A' || r == 'a' {
							return r + 1
						}
						return r
					}, handle)
					if name == "a kept result" || name == "a kept result by call_tool" {
						none = "toolcrib://results/" + strings.Repeat("B", 26)
					}
					unknown := kind.use(reader, none)
					if strings.Contains(answer, kind.mine) || nameless(answer, handle) != nameless(unknown, none) {
						t.Errorf("%s uses what is %s's:\n%s\nand what nobody has:\n%s", reader, owner, answer, unknown)
					}
				}
			}
		})
	}
}
