package probe

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

func TestPatterns(t *testing.T) {
	const result = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub"}]}}`
	tests := []struct {
		name, text string
		pattern    pattern
		want       string
	}{
		{"result", result, resultPattern, "add sub"},
		{"result among noise", "Starting...\n[info] {ready}\n" + result + "\ndone {\n", resultPattern, "add sub"},
		{"result behind a log's prefix", "2026-01-01 out: " + result, resultPattern, "add sub"},
		{"result in a batch", "[" + result + "]", resultPattern, "add sub"},
		{"result over lines", strings.ReplaceAll(result, ",", ",\n  "), resultPattern, "add sub"},
		{"two results", result + "\n" + strings.ReplaceAll(result, "sub", "mul"), resultPattern, "add sub mul"},
		{"result before arrays", `{"tools":[{"name":"other_one","description":"x"}]}` + "\n" + result, resultPattern, "add sub"},
		{"result with a name of spaces and brackets", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"Get it (beta)"}]}}`, resultPattern, "Get it (beta)"},
		{"functions", `{"functions":[{"name":"get_it","description":"Gets it.","parameters":{"type":"object"}}]}`, functionsPattern, "get_it"},
		{"functions before tools", `{"tools":[{"name":"b","description":"x"}],"functions":[{"name":"a","description":"x"}]}`, functionsPattern, "a"},
		{"functions in a wrapper", `{"data":{"functions":[{"name":"a","description":"x"}]}}`, functionsPattern, "a"},
		{"functions over lines", "{\n  \"functions\": [\n    {\"name\": \"a\", \"description\": \"x\"}\n  ]\n}", functionsPattern, "a"},
		{"tools", `{"tools":[{"name":"a","description":"x"},{"name":"b","inputSchema":{}}]}`, toolsPattern, "a b"},
		{"tools of mere names in objects", `{"tools":[{"name":"a"},{"name":"b"}]}`, toolsPattern, "a b"},
		{"tools of a model's interface", `{"tools":[{"type":"function","function":{"name":"a","description":"x","parameters":{}}}]}`, toolsPattern, "a"},
		{"tools by name", `{"capabilities":{"tools":{"mysql_query":{"description":"Runs SQL.","inputSchema":{"type":"object"}}}}}`, toolsPattern, "mysql_query"},
		{"tools of a result without a version", `{"result":{"tools":[{"name":"a","description":"x"}]}}`, toolsPattern, "a"},
		{"lines", `{"name":"a","description":"x"}` + "\nnoise\n" + `{"name":"b","description":"y"}` + "\n", linesPattern, "a b"},
		{"lines of an array", "[\n" + `{"name":"a","description":"x"},` + "\n" + `{"name":"b","description":"y"}` + "\n]", linesPattern, "a b"},
		{"one name twice", `{"name":"a","description":"x"}` + "\n" + `{"name":"a","description":"y"}`, linesPattern, "a"},
		{"function declared", `registered: "function": "get_it" and 'function': 'set_it'`, declarationPattern, "get_it set_it"},
		{"name declared as Node prints it", "[\n  {\n    name: 'get_it',\n    description: 'Gets it.',\n    inputSchema: { type: 'object' }\n  }\n]", declarationPattern, "get_it"},
		{"name declared as Python prints it", `[{'name': 'get_it', 'description': 'Gets it.'}, {'name': 'set_it', 'description': 'Sets it.'}]`, declarationPattern, "get_it set_it"},
		{"name declared as a class of Python prints", `[FunctionTool(name='get_it', description='Gets it.'), Tool(name='set_it', description='Sets it.')]`, declarationPattern, "get_it set_it"},
		{"result cut off", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"get_it","description":"Gets it.","inputSchema":{"type":"object"}},{"name":"set_it","descri`, declarationPattern, "get_it"},
		{"tool of a log record", `{"level":"info","message":"ready","tool":"get_it"}`, declarationPattern, "get_it"},
		{"names of a log record", `{"level":"info","message":"ready","tools":["get_it","set_it"]}`, declarationPattern, "get_it set_it"},
		{"tool of a record of another form", `{"event":"loaded","function":"get_it"}`, declarationPattern, "get_it"},
		{"announced in a log record", `{"level":"info","msg":"Registered tools: get_it, set_it"}`, identifierPattern, "get_it set_it"},
		{"announced", "Registered tools: get_it, set_it", identifierPattern, "get_it set_it"},
		{"announced with a count", "[INFO] Available tools (2): [get_it, set_it]", identifierPattern, "get_it set_it"},
		{"announced by names that say what is done", "tools: get_it, set_it", identifierPattern, "get_it set_it"},
		{"announced, with other names", "Available tools: weather_forecast", identifierPattern, "weather_forecast"},
		{"registered one by one", "Registered tool: get_it\nLoaded tool set_it\nTool registered: cut_it", identifierPattern, "get_it set_it cut_it"},
		{"listed", "Available tools:\n  - get_it: Gets it.\n  * set_it - Sets it.\n  3. `cut_it`\n\nReady, call_me anytime.", identifierPattern, "get_it set_it cut_it"},
		{"bare list", "get_it\nset_it\ncut_it\n", identifierPattern, "get_it set_it cut_it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tools, p := parse([]byte(test.text))
			if got := joined(t, tools); got != test.want {
				t.Fatalf("found %q, want %q", got, test.want)
			}
			if p != test.pattern {
				t.Errorf("found by %s, want %s", p, test.pattern)
			}
			for _, f := range tools {
				if f.Provenance != catalog.Parsed || f.Confidence != test.pattern.confidence() {
					t.Errorf("marked %s with %v, want %s with %v", f.Provenance, f.Confidence, catalog.Parsed, test.pattern.confidence())
				}
			}
		})
	}
}

func TestDefinitionsKeepWhatIsSaid(t *testing.T) {
	long := strings.Repeat("word ", maxDescription)
	big := `{"type":"object","x":"` + strings.Repeat("y", maxDefinition) + `"}`
	for name, test := range map[string]struct{ element, want string }{
		"as sent":                 {`{"name":"a", "x":9223372036854775807,"inputSchema":{"type": "object"},"annotations":{"readOnlyHint":true}}`, `{"name":"a", "x":9223372036854775807,"inputSchema":{"type": "object"},"annotations":{"readOnlyHint":true}}`},
		"a model's form":          {`{"type":"function","function":{"name":"a","description":"x","parameters":{"type":"object"}}}`, `{"name":"a","description":"x","inputSchema":{"type":"object"}}`},
		"no schema":               {`{"name":"a","description":"x\ny","other":1}`, `{"name":"a","description":"x y"}`},
		"hidden characters":       {`{"name":"a","description":"x\u202e\u200b\u001b[1my\u0007"}`, `{"name":"a","description":"xy"}`},
		"a schema that is none":   {`{"name":"a","description":"x","inputSchema":"y"}`, `{"name":"a","description":"x"}`},
		"too large a schema":      {`{"name":"a","description":"x","inputSchema":` + big + `}`, `{"name":"a","description":"x"}`},
		"too long a description":  {`{"name":"a","description":"` + long + `","inputSchema":{}}`, `{"name":"a","description":"` + clip(long, maxDescription) + `","inputSchema":{}}`},
		"a description cut right": {`{"name":"a","description":"` + strings.Repeat("é", maxDescription) + `"}`, `{"name":"a","description":"` + clip(strings.Repeat("é", maxDescription), maxDescription) + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			tools, _ := parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + test.element + `]}}`))
			if len(tools) != 1 {
				t.Fatalf("found %d tools", len(tools))
			}
			if got := string(tools[0].Raw); got != test.want {
				t.Errorf("kept %.300s\nwant %.300s", got, test.want)
			}
			if !json.Valid(tools[0].Raw) {
				t.Errorf("%.300s is no JSON", tools[0].Raw)
			}
		})
	}
}

func TestAtMostMaxTools(t *testing.T) {
	var lines, array, announced strings.Builder
	for i := range 3 * maxTools {
		fmt.Fprintf(&lines, "{\"name\":\"tool_%d\",\"description\":\"x\"}\n", i)
		fmt.Fprintf(&array, ",{\"name\":\"tool_%d\"}", i)
		fmt.Fprintf(&announced, "Registered tool: tool_%d\n", i)
	}
	for _, text := range []string{
		lines.String(), announced.String(),
		`{"tools":[` + array.String()[1:] + `]}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + array.String()[1:] + `]}}`,
	} {
		if tools, p := parse([]byte(text)); len(tools) != maxTools {
			t.Errorf("found %d tools by %s, want %d", len(tools), p, maxTools)
		}
	}
}

// A text that is made to be slow to read is read in time all the same. Reading
// any of these backwards and forwards again would take minutes.
func TestParseIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	t.Parallel()
	const size = 1 << 17 // enough: its square is 17,000,000,000
	for _, piece := range []string{
		"a_b_", "{", "[{", `{"a":`, `{"a":[`, `{"a":{"b":1},`, `{"name":"`, `{"tools":[`, `"name": "`, `name:'a',`, "\"", "\\", "{\"\\", " ", "\n", "tools:\n", "tools: a_b ",
		"tool ", "a_b\n", "- a_b\n", "registered tool ", "{}", `{"a":{}}`, "{ ", "[", ",", "{\"name\":\"a\"},", "\x1b[", "\x1b]", "\xff", "FOO_BAR is required ", "FOO_BAR\n", "error: ", "at x\n", "::::", "node 1", "https://", "[[[[[]", `{"message":"x"}` + "\n",
	} {
		text := []byte(strings.Repeat(piece, size/len(piece)))
		started := time.Now()
		parse(text)
		parsed := time.Since(started)
		Diagnose(text, text, Exit{})
		if all := time.Since(started); all > 20*time.Second {
			t.Errorf("%d bytes of %q took %s to parse, %s to diagnose", size, piece, parsed, all-parsed)
		} else {
			t.Logf("%-12q parse %4d ms, diagnose %4d ms", piece, parsed.Milliseconds(), (all - parsed).Milliseconds())
		}
	}
}
