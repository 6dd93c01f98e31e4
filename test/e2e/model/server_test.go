package model

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// Requests as the agents write them, shortened.
const (
	messagesRequest = `{
"system":[{"type":"text","text":"You are Claude Code."}],
"tools":[{"name":"mcp__gw__evaluate","description":"reckon","input_schema":{"required":["expression"]}}],
"messages":[
{"role":"user","content":[{"type":"text","text":"<system-reminder>be brief</system-reminder>"},{"type":"text","text":"Task: evaluate \"1\" \"2\""}]},
{"role":"system","content":"# MCP Server Instructions"},
{"role":"user"},
{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"mcp__gw__evaluate","input":{"expression":"1"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"docs"},{"type":"text","text":"one"}]}]}
]}`
	responsesRequest = `{
"instructions":"You are Codex.",
"tools":[{"type":"function","name":"shell"},{"type":"namespace","name":"mcp__gw","description":"# MCP Server Instructions","tools":[
{"type":"function","name":"evaluate","description":"reckon","parameters":{"required":["expression"]}}]}],
"input":[
{"type":"message","role":"developer","content":[{"type":"input_text","text":"be brief"}]},
{"type":"message","role":"user","content":[{"type":"input_text","text":"Task: evaluate \"1\" \"2\""}]},
{"type":"function_call","namespace":"mcp__gw","name":"evaluate","call_id":"call_1","arguments":"{\"expression\":\"1\"}"},
{"type":"function_call_output","call_id":"call_1","output":"Wall time: 0.1 seconds\nOutput:\ndocs\none"}
]}`
)

func TestBothAPIs(t *testing.T) {
	for _, api := range []struct {
		path, request string
		space         string
		asks          []string // of the next call's stream
		ends          []string // of a stream without one
	}{
		{
			"/v1/messages", messagesRequest, "",
			[]string{`"name":"mcp__gw__evaluate"`, `"partial_json":"{\"expression\":\"2\"}"`, `"stop_reason":"tool_use"`, "event: message_stop\n"},
			[]string{`"text":"ok"`, `"stop_reason":"end_turn"`},
		},
		{
			"/v1/responses", responsesRequest, "mcp__gw",
			[]string{`"name":"evaluate","namespace":"mcp__gw"`, `"arguments":"{\"expression\":\"2\"}"`, "event: response.completed\n"},
			[]string{`"text":"ok"`, `"total_tokens":2`},
		},
	} {
		t.Run(api.path, func(t *testing.T) {
			s, err := Start()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			contains(t, post(t, s.URL()+api.path, api.request, http.StatusOK), api.asks)
			contains(t, post(t, s.URL()+api.path, `{}`, http.StatusOK), api.ends)
			post(t, s.URL()+api.path, `{"tools":3}`, http.StatusBadRequest)
			post(t, s.URL()+"/v1/models", ``, http.StatusOK)

			seen, odd := s.Seen(), s.Odd()
			if len(seen) != 2 || len(odd) != 2 {
				t.Fatalf("%d conversations and besides %q", len(seen), odd)
			}
			c := seen[0]
			if c.Task != `evaluate "1" "2"` || !strings.Contains(c.System, "# MCP Server Instructions") || !strings.Contains(c.System, "be brief") {
				t.Errorf("%+v", c)
			}
			last := c.Tools[len(c.Tools)-1]
			if last.Space != api.space || last.OwnName() != "evaluate" || last.About != "reckon" || !json.Valid(last.Raw) {
				t.Errorf("%+v", last)
			}
			want := []Step{{Tool: last.Name, Arguments: json.RawMessage(`{"expression":"1"}`), Answer: "docs\none"}}
			if !reflect.DeepEqual(c.Steps, want) {
				t.Errorf("steps %+v, want %+v", c.Steps, want)
			}
		})
	}
}

func contains(t *testing.T, text string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

func post(t *testing.T, url, body string, status int) string {
	t.Helper()
	resp, err := http.Post(url, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		t.Fatalf("%s: %s %s %v", url, resp.Status, b, err)
	}
	return string(b)
}
