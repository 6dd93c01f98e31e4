package probe

import (
	"encoding/json"
	"strings"
	"testing"

	"toolcrib/internal/catalog"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{}}]}}`))
	f.Add([]byte(`{"functions":[{"name":"a","parameters":{}}]} {"tools":["get_it"]}`))
	f.Add([]byte("{\"name\":\"a\",\"description\":\"x\"}\n{ name: 'b', description: 'y' }\n"))
	f.Add([]byte("Available tools:\n - get_it: x\nRegistered tool set_it\ntools: a_b, c_d\n"))
	f.Add([]byte("Error: FOO_BAR is required\n    at x (y.js:1:2)\n{\"level\":\"error\",\"msg\":\"z\"}\nconnect ECONNREFUSED 127.0.0.1:1\n"))
	f.Add([]byte("{{{{[[[[\"\\\"\x1b[31m\xff\xfe"))
	f.Fuzz(func(t *testing.T, text []byte) {
		tools, _ := parse(text)
		if len(tools) > maxTools {
			t.Fatalf("%d tools", len(tools))
		}
		seen := map[string]bool{}
		for i, name := range names(t, tools) {
			if !validName(name) || seen[name] {
				t.Errorf("name %q", name)
			}
			seen[name] = true
			if f := tools[i]; f.Provenance != catalog.Parsed || f.Confidence <= 0 || f.Confidence >= 1 {
				t.Errorf("%q is marked %s with %v", name, f.Provenance, f.Confidence)
			}
		}
		half := len(text) / 2
		d := Diagnose(text[:half], text[half:], Exit{Exited: len(text)%2 == 0, Code: 1})
		if d.Reason == "" || d.Next == "" || strings.ContainsAny(d.Reason+d.Next+d.Says, "\n\r\x1b\x00") || len(d.Reason) > 2*maxReason {
			t.Errorf("diagnosis %+v", d)
		}
	})
}

func FuzzPrediction(f *testing.F) {
	f.Add(`{"tools":[{"name":"get_it","description":"Gets it."}]}`)
	f.Add("```json\n{\"tools\":[]}\n```")
	f.Add(`{"tools":[{"name":"a\u202eb","description":"x"},{"name":"get_it"},{"name":"get_it"}]} `)
	f.Add(`{"tools":null}`)
	f.Add(`I think {"tools":[]}`)
	f.Fuzz(func(t *testing.T, content string) {
		body, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": content}}}})
		if err != nil {
			t.Skip()
		}
		answer, err := readPrediction(body)
		if err != nil {
			return
		}
		tools := answer.tools()
		if len(tools) > maxPredicted {
			t.Fatalf("%d tools", len(tools))
		}
		for i, name := range names(t, tools) {
			if !likelyName(name) || tools[i].Provenance != catalog.Predicted || tools[i].Confidence != confidencePredicted {
				t.Errorf("%q is marked %s with %v", name, tools[i].Provenance, tools[i].Confidence)
			}
		}
	})
}

func FuzzApprovedNames(f *testing.F) {
	f.Add("weather", "get_it\nmcp__weather__set_it\nweather:cut_it\n*")
	f.Add("my-server", "mcp__my_server__a__b\nmcp__other__x\nmcp__my_server__*")
	f.Add("", "mcp__a__b\n:\n__")
	f.Fuzz(func(t *testing.T, server, entries string) {
		seen := map[string]bool{}
		for _, name := range ApprovedNames(server, strings.Split(entries, "\n")) {
			if !validName(name) || strings.ContainsRune(name, '*') || seen[name] || !strings.Contains(entries, name) {
				t.Errorf("name %q of %q", name, entries)
			}
			seen[name] = true
		}
	})
}
