package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const scriptsYAML = `scripts:
  report:
    file: lua/report.lua
    description: What happened since a day
    parameters:
      since: {type: string, description: a day, required: true}
      limit: {type: integer, default: 20}
      kind: {type: string, enum: [a, b], default: a}
      tags: {type: array, default: [x, {"y": [1, null]}]}
      free:
  one: {source: "return 1"}
`

const scriptsJSON = `{"scripts": {
	"report": {"file": "lua/report.lua", "description": "What happened since a day", "parameters": {
		"since": {"type": "string", "description": "a day", "required": true},
		"limit": {"type": "integer", "default": 20},
		"kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
		"tags": {"type": "array", "default": ["x", {"y": [1, null]}]},
		"free": null,
	}},
	"one": {"source": "return 1"},
}}`

func TestScriptsInBothSyntaxes(t *testing.T) {
	want := []Script{
		{
			Name: "report", File: filepath.Join("etc", "lua", "report.lua"), Description: "What happened since a day",
			Parameters: []ScriptParameter{
				{Name: "since", Type: "string", Description: "a day", Required: true},
				{Name: "limit", Type: "integer", Default: "20"},
				{Name: "kind", Type: "string", Enum: `["a","b"]`, Default: `"a"`},
				{Name: "tags", Type: "array", Default: `["x",{"y":[1,null]}]`},
				{Name: "free"},
			},
		},
		{Name: "one", Source: "return 1"},
	}
	for file, src := range map[string]string{"etc/a.yaml": scriptsYAML, "etc/a.json": scriptsJSON} {
		c := parse(t, file, src)
		for i := range c.Scripts {
			if c.Scripts[i].At.Line == 0 {
				t.Errorf("%s: %s has no position", file, c.Scripts[i].Name)
			}
			c.Scripts[i].At = Position{}
		}
		if diff := cmp.Diff(want, c.Scripts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if s, ok := c.Script("one"); !ok || s.Source != "return 1" {
			t.Errorf("%s: one is %+v", file, s)
		}
		if _, ok := c.Script("two"); ok {
			t.Errorf("%s: there is no two", file)
		}
	}
	absolute := parse(t, "etc/a.yaml", "scripts:\n  a: {file: /srv/a.lua}\n")
	if got := absolute.Scripts[0].File; filepath.IsAbs("/srv") && got != "/srv/a.lua" {
		t.Errorf("absolute file: %s", got)
	}
	if c := parse(t, "a.yaml", "servers: {a: {command: x}}\nscripts:\n"); len(c.Scripts) != 0 {
		t.Errorf("nothing below scripts: %v", c.Scripts)
	}
}

func TestProblemsOfScripts(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a list", "scripts: []\n", `a.yaml:1:10: scripts must be a mapping of names to scripts, not a list`},
		{"a bad name", "scripts:\n  a b: {source: x}\n", `a.yaml:2:3: "a b" cannot be a script's name`},
		{"the name of a file", "scripts:\n  a.lua: {source: x}\n", `a.yaml:2:3: "a.lua" cannot be a script's name`},
		{"an unknown key", "scripts:\n  a: {path: x}\n", `a.yaml:2:7: unknown key "path" in script a`},
		{"no text", "scripts:\n  a: {description: x}\n", `a.yaml:2:3: script a needs a file or a source`},
		{"nothing at all", "scripts:\n  a:\n", `a.yaml:2:3: script a needs a file or a source`},
		{"two texts", "scripts:\n  a: {file: x, source: y}\n", `a.yaml:2:24: script a has a file and a source: remove one of them`},
		{"an empty text", "scripts:\n  a: {source: ' '}\n", `a.yaml:2:15: the source of script a is empty`},
		{"an empty file", "scripts:\n  a: {file: ''}\n", `a.yaml:2:13: the file of script a is empty`},
		{"a long text", "scripts:\n  a: {source: " + strings.Repeat("x", MaxScript+1) + "}\n", `the source of script a is longer than 256 KiB`},
		{"parameters as a list", "scripts:\n  a: {source: x, parameters: [b]}\n", `parameters of script a must be a mapping`},
		{"a parameter as text", "scripts:\n  a: {source: x, parameters: {b: string}}\n", `parameter b must be a mapping, not text`},
		{"an unknown type", "scripts:\n  a: {source: x, parameters: {b: {type: text}}}\n", `type must be string, integer, number, boolean, array, object, not "text"`},
		{"a default of another type", "scripts:\n  a: {source: x, parameters: {b: {type: integer, default: '1'}}}\n", `default must be of the type integer, not text`},
		{"a default that is no integer", "scripts:\n  a: {source: x, parameters: {b: {type: integer, default: 1.5}}}\n", `default must be of the type integer, not 1.5`},
		{"a default that is no JSON", "scripts:\n  a: {source: x, parameters: {b: {default: 0x10}}}\n", `default: write the number 0x10 in digits`},
		{"a default that is required", "scripts:\n  a: {source: x, parameters: {b: {default: 1, required: true}}}\n", `parameter b has a default, so it cannot be required`},
		{"a default that is none of its values", "scripts:\n  a: {source: x, parameters: {b: {default: 1, enum: [2]}}}\n", `default must be one of the values of enum`},
		{"values as text", "scripts:\n  a: {source: x, parameters: {b: {enum: x}}}\n", `enum must be a list of values, not text`},
		{"values of another type", "scripts:\n  a: {source: x, parameters: {b: {type: string, enum: [x, 1]}}}\n", `an item of enum must be of the type string, not 1`},
		{"lists as values", "scripts:\n  a: {source: x, parameters: {b: {enum: [[x]]}}}\n", `an item of enum must be a single value, not a list`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("a.yaml", []byte(c.src))
			if err == nil || !IsError(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant in it:\n%s", err, c.want)
			}
		})
	}
}
