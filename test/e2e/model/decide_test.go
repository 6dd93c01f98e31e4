package model

import (
	"encoding/json"
	"strings"
	"testing"
)

// counter is what an agent offers of a gateway, beside tools of its own.
var counter = []Tool{
	{Name: "Search", About: "search tools of the arithmetic kind"},
	{Name: "mcp__gw__search_tools"},
	{Name: "mcp__gw__tool_details"},
	{Name: "mcp__gw__call_tool"},
}

const someTask = `evaluate the expressions "1 + 1" and "2 + 2"`

// Each row is a conversation with one step more.
func TestDecideWithSearch(t *testing.T) {
	found := `{"tools":[{"name":"calculator.evaluate","signature":"evaluate(expression*: str, digits: int)"},{"name":"x.y","signature":"y()"}]}`
	c := Conversation{Task: someTask, Tools: counter}
	for _, step := range []struct{ tool, arguments, answer string }{
		{"mcp__gw__search_tools", `{"query":"evaluate the expressions and"}`, found},
		{"mcp__gw__tool_details", `{"tools":["calculator.evaluate"]}`, `{}`},
		{"mcp__gw__call_tool", `{"arguments":{"expression":"1 + 1"},"tool":"calculator.evaluate"}`, "two"},
		{"mcp__gw__call_tool", `{"arguments":{"expression":"2 + 2"},"tool":"calculator.evaluate"}`, "four"},
	} {
		m := Decide(c)
		if m.Tool == nil || m.Tool.Name != step.tool || string(m.Arguments) != step.arguments {
			t.Fatalf("after %d steps: %+v, want %s %s", len(c.Steps), m, step.tool, step.arguments)
		}
		c.Steps = append(c.Steps, Step{Tool: m.Tool.Name, Arguments: m.Arguments, Answer: step.answer})
	}
	if m := Decide(c); m.Tool != nil || m.Say != "DONE\ntwo\nfour" {
		t.Errorf("in the end: %+v", m)
	}
}

func TestDecideWithoutSearch(t *testing.T) {
	c := Conversation{Task: `add the numbers "1" "2" and "3" "4.5"`, Tools: []Tool{
		{Name: "add_numbers", About: "an agent's own: add the numbers"},
		{Space: "mcp__gw", Name: "calculator__sub", About: "Subtract", Schema: json.RawMessage(`{}`)},
		{Space: "mcp__gw", Name: "calculator__sum", About: "Sum of the numbers", Schema: json.RawMessage(`{"required":["a","b"],"properties":{"a":{"type":"number"},"b":{"type":["number","string"]}}}`)},
	}}
	for _, want := range []string{`{"a":1,"b":"2"}`, `{"a":3,"b":"4.5"}`} {
		m := Decide(c)
		if m.Tool == nil || m.Tool.Name != "calculator__sum" || string(m.Arguments) != want {
			t.Fatalf("%+v, want %s", m, want)
		}
		c.Steps = append(c.Steps, Step{Tool: m.Tool.Name, Answer: "x"})
	}
	if m := Decide(c); m.Say != "DONE\nx\nx" {
		t.Errorf("in the end: %+v", m)
	}
}

// What the agent hides is asked for once.
func TestDecideLoadsTools(t *testing.T) {
	own := Tool{Name: "ToolSearch"}
	for system, want := range map[string]string{
		"Deferred:\nWebFetch\nmcp__gw__call_tool\nmcp__gw__list_tools\nmcp__gw__search_tools\n": `{"max_results":5,"query":"select:mcp__gw__call_tool,mcp__gw__search_tools"}`,
		"Deferred:\nmcp__gw__calculator__evaluate\n":                                            `{"max_results":5,"query":"evaluate the expressions and"}`,
	} {
		c := Conversation{Task: someTask, System: system, Tools: []Tool{own}}
		m := Decide(c)
		if m.Tool == nil || m.Tool.Name != "ToolSearch" || string(m.Arguments) != want {
			t.Fatalf("%+v, want %s", m, want)
		}
		c.Steps = []Step{{Tool: "ToolSearch"}}
		if m := Decide(c); !strings.HasPrefix(m.Say, "STUCK: ") {
			t.Errorf("asked in vain: %+v", m)
		}
		c.Tools = append(c.Tools, counter...)
		if m := Decide(c); m.Tool == nil || m.Tool.Name != "mcp__gw__search_tools" {
			t.Errorf("loaded: %+v", m)
		}
	}
}

// Whatever goes wrong is said, so that a run shows it.
func TestDecideIsStuck(t *testing.T) {
	searched := func(answer string) Conversation {
		return Conversation{Task: someTask, Tools: counter, Steps: []Step{{Tool: "mcp__gw__search_tools", Answer: answer}}}
	}
	looked := func(answer string) Conversation {
		c := searched(answer)
		c.Steps = append(c.Steps, Step{Tool: "mcp__gw__tool_details"})
		return c
	}
	for name, c := range map[string]Conversation{
		"no tools":            {Task: someTask},
		"no tool for it":      {Task: someTask, Tools: []Tool{{Name: "mcp__gw__x"}}},
		"no answer":           searched(""),
		"an error":            searched("the server is down"),
		"half an answer":      searched(`{"tools":[`),
		"nothing found":       searched(`{"tools":[]}`),
		"a hit without name":  searched(`{"tools":[{"signature":"f()"}]}`),
		"no signature":        looked(`{"tools":[{"name":"a.b"}]}`),
		"nothing to put in":   looked(`{"tools":[{"name":"a.b","signature":"f(x: str)"}]}`),
		"a schema that isn't": {Task: someTask, Tools: []Tool{{Name: "mcp__gw__evaluate", Schema: json.RawMessage(`[]`)}}},
	} {
		if m := Decide(c); m.Tool != nil || !strings.HasPrefix(m.Say, "STUCK: ") {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m := Decide(Conversation{}); m.Say != "ok" {
		t.Errorf("no task: %+v", m)
	}
}

func TestToolNames(t *testing.T) {
	for _, c := range []struct {
		tool        Tool
		server, own string
	}{
		{Tool{Name: "mcp__gw__search_tools"}, "gw", "search_tools"},
		{Tool{Name: "mcp__gw__files__read"}, "gw", "files__read"},
		{Tool{Space: "mcp__gw", Name: "search_tools"}, "gw", "search_tools"},
		{Tool{Name: "Bash"}, "", "Bash"},
	} {
		if c.tool.Server() != c.server || c.tool.OwnName() != c.own {
			t.Errorf("%+v is %q of %q", c.tool, c.tool.OwnName(), c.tool.Server())
		}
	}
}
