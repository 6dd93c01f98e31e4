package app

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
)

// ourTools are the names of our own tools, as a text has them that is not about a tool
// of a server.
var ourTools = regexp.MustCompile(`(?:^|[^.\w])(search_tools|tool_details|call_tool|execute|list_servers|list_server_tools|inspect_tool_response|list_tools|list_categories|find_by_tags|get_related_tools)\b`)

// questions are what agents ask of a gateway so that they get every kind of answer and
// advice: each tool of ours, rightly and wrongly.
var questions = []struct {
	tool string
	with arguments
}{
	{"search_tools", arguments{"query": "create an issue"}},
	{"search_tools", arguments{"query": "create an issue", "detail_level": "full"}},
	{"search_tools", arguments{"query": "issues perhaps of a kind"}},
	{"search_tools", arguments{"query": "book a flight to Paris"}},
	{"search_tools", arguments{"query": "forecast the weather"}},
	{"search_tools", arguments{"query": "wipe a disk", "server": "turn"}},
	{"search_tools", arguments{"query": " "}},
	{"search_tools", arguments{"query": "issue", "category": "nosuch"}},
	{"search_tools", arguments{"query": "issue", "server": "nosuch"}},
	{"search_tools", arguments{"query": "issue", "server": " "}},
	{"search_tools", arguments{"query": "issue", "server": "off"}},
	{"search_tools", arguments{"query": "issue", "server": "gone"}},
	{"search_tools", arguments{"query": "issue", "server": "strange"}},
	{"search_tools", arguments{"query": "issue", "max_results": "many"}},
	{"tool_details", nil},
	{"tool_details", arguments{"tools": "turn.create_issue"}},
	{"tool_details", arguments{"tools": "turn.nosuch"}},
	{"tool_details", arguments{"tools": "nosuch"}},
	{"tool_details", arguments{"tools": "strange.look"}},
	{"tool_details", arguments{"tools": "turn.wipe"}},
	{"tool_details", arguments{"tools": strings.Repeat("turn.create_issue,", 11)}},
	{"tool_details", arguments{"server": "nosuch", "tool": "look"}},
	{"call_tool", arguments{"tool": "turn.create_issue", "arguments": arguments{"title": "x"}}},
	{"call_tool", arguments{"tool": "turn.create_issue", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.long", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.method", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.params", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.internal", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.wipe", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.rare", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.rare", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "turn.nosuch", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "look", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "gone.look", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "off.look", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "strange.look", "arguments": arguments{}}},
	{"call_tool", arguments{"tool": "toolcrib://results/nosuch"}},
	{"execute", arguments{"script": ""}},
	{"execute", arguments{"script": "return ("}},
	{"execute", arguments{"script": "return turn.nosuch({}):await()"}},
	{"execute", arguments{"script": "return nosuch.look({}):await()"}},
	{"execute", arguments{"script": "return strange.look({}):await()"}},
	{"execute", arguments{"script": "return turn.internal({}):await()"}},
	{"execute", arguments{"script": "return turn.create_issue({title='x'}):await()", "dry_run": true}},
	{"list_servers", nil},
	{"list_server_tools", arguments{"server": "turn"}},
	{"list_server_tools", arguments{"server": "nosuch"}},
	{"list_server_tools", nil},
	{"inspect_tool_response", arguments{"tool": "turn.create_issue", "sample_args": arguments{"title": "x"}}},
	{"inspect_tool_response", arguments{"tool": "turn.create_issue", "sample_args": arguments{"title": "x"}, "allow_side_effects": true}},
	{"list_tools", nil},
	{"list_tools", arguments{"page_size": 1}},
	{"list_tools", arguments{"page": 99}},
	{"list_tools", arguments{"category": "nosuch"}},
	{"list_tools", arguments{"tags": "nosuch"}},
	{"list_categories", nil},
	{"find_by_tags", nil},
	{"find_by_tags", arguments{"tags": "issue"}},
	{"find_by_tags", arguments{"tags": "nosuch"}},
	{"get_related_tools", arguments{"tool": "turn.create_issue"}},
	{"get_related_tools", arguments{"tool": "nosuch"}},
	{"nosuch", nil},
	{"turn__nosuch", nil},
	{"turn__internal", nil},
	{"turn__wipe", nil},
	{"nosuch__look", nil},
	{"gone__look", nil},
	{"strange__look", nil},
	{"create_issue", nil},
	{"wipe", nil},
}

var modernEra = bothEras[:1]

// Whatever an agent asks on whichever surface, what it is told to use is in its list of
// tools.
func TestAdviceNamesToolsThatAreListed(t *testing.T) {
	t.Parallel()
	gone := config.Server{Name: "gone", Type: config.Stdio, Command: "no-such-program"}
	others := []config.Server{
		gone,
		{Name: "off", Type: config.Stdio, Command: "x", Disabled: true},
		{Name: "strange", Type: config.Stdio, Command: "x", Untrusted: true},
	}
	turn := adviser(t)
	for name, c := range map[string]struct {
		show    config.Disclosure
		servers []config.Server
		eras    []string
	}{
		"standard of several":    {surfaces["standard"], append(others, turn), bothEras},
		"standard of none":       {surfaces["standard"], others, modernEra},
		"lean of several":        {surfaces["lean"], append(others, turn), bothEras},
		"lean of one":            {config.Disclosure{Surface: config.Lean, FirstCall: config.FirstCallFull}, []config.Server{turn}, modernEra},
		"lean of none":           {surfaces["lean"], others, modernEra},
		"lean of nothing":        {surfaces["lean"], nil, modernEra},
		"passthrough of several": {surfaces["passthrough"], append(others, turn), bothEras},
		"passthrough of one":     {surfaces["passthrough"], []config.Server{turn}, modernEra},
		"passthrough of none":    {surfaces["passthrough"], others, modernEra},
		"passthrough of nothing": {surfaces["passthrough"], nil, modernEra},
		"auto of few":            {surfaces["auto"], append(others, turn), modernEra},
		"auto of many":           {config.Disclosure{Surface: config.Auto, AutoTokens: 1}, append(others, turn), modernEra},
	} {
		t.Run(name, func(t *testing.T) {
			c.show.MaxResult = 2000
			s := serveHTTP(t, config.Config{
				HTTP: openHTTP, Disclosure: c.show, Servers: c.servers, Policy: config.Policy{
					Rules:  []config.PolicyRule{{Terms: config.Terms{Tools: []string{"turn.wipe"}}, Verdict: "deny", Why: "too dangerous"}},
					Limits: []config.PolicyLimit{{Terms: config.Terms{Tools: []string{"turn.rare"}}, PerMinute: 1}},
				},
			}, Options{StateDir: t.TempDir()})
			s.app.known.Refresh(t.Context()) // auto shows what it shows once it knows what there is
			for _, era := range c.eras {
				walkAdvice(t, s, era)
			}
		})
	}
}

// adviser is a server whose tools fail in the ways that we have advice for.
func adviser(t *testing.T) config.Server {
	turn := newTurncoat(t, "turn")
	turn.offers("create_issue", "Create an issue", nil, "title")
	turn.offers("wipe", "Wipe a disk", nil)
	turn.offers("rare", "Look rarely", nil)
	answers := func(name string, result *mcp.CallToolResult, err error) {
		turn.AddTool(&mcp.Tool{Name: name, Description: "Fail", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result, err
		})
	}
	answers("long", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("long ", 2000)}}}, nil)
	answers("method", nil, &jsonrpc.Error{Code: -32601, Message: "not here"})
	answers("params", nil, &jsonrpc.Error{Code: -32602, Message: "not so"})
	answers("internal", nil, &jsonrpc.Error{Code: -32603, Message: "not now"})
	return turn.entry
}

func walkAdvice(t *testing.T, s *serving, era string) {
	a := s.agent(era, nil)
	list, err := a.ListTools(t.Context(), nil)
	if err != nil { // there is one server alone, and it cannot be reached
		list = &mcp.ListToolsResult{}
	}
	var listed []string
	for _, tool := range list.Tools {
		listed = append(listed, tool.Name)
	}
	told := 0
	tell := func(where string, value any, err error) {
		raw, _ := json.Marshal(value)
		text := string(raw)
		if err != nil {
			text = err.Error()
		}
		told += checkAdvice(t, listed, where, text)
	}
	tell("the list of tools", nil, err)
	for _, tool := range list.Tools {
		tell("the description of "+tool.Name, tool.Description, nil)
	}
	tell("the instructions", a.InitializeResult().Instructions, nil)
	summary, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "toolcrib://summary"})
	tell("the summary", summary, err)
	for _, c := range questions {
		result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.with})
		if err != nil { // that says the name that was asked for again
			err = errors.New(strings.ReplaceAll(err.Error(), strconv.Quote(c.tool), ""))
		}
		with, _ := json.Marshal(c.with)
		tell(c.tool+" "+string(with), result, err)
	}
	if ours := slices.Contains(listed, "call_tool"); ours != (told > 0) {
		t.Errorf("%s: our tools are listed: %t; told to use them %d times", era, ours, told)
	}
}

// checkAdvice looks for our tools in a text, and returns how many it names.
func checkAdvice(t *testing.T, listed []string, where, text string) int {
	t.Helper()
	named := ourTools.FindAllStringSubmatch(text, -1)
	for _, match := range named {
		if !slices.Contains(listed, match[1]) {
			t.Errorf("%s names %s, which is not listed: %s", where, match[1], text)
		}
	}
	return len(named)
}
