package call_test

import (
	"testing"

	"toolcrib/internal/call"
)

func TestExample(t *testing.T) {
	for name, test := range map[string]struct{ schema, json, lua string }{
		"placeholders": {
			`{"type":"object","properties":{"owner":{"type":"string"},"imageUrl":{"type":"string"},"limit":{"type":"integer"},"force":{"type":"boolean"},"labels":{"type":"array","items":{"type":"string"}},"x":{}},
				"required":["owner","imageUrl","limit","force","labels","x"]}`,
			`{"owner":"<owner>","imageUrl":"https://example.com","limit":10,"force":false,"labels":["<label>"],"x":"<x>"}`,
			`{owner = "<owner>", imageUrl = "https://example.com", limit = 10, force = false, labels = {"<label>"}, x = "<x>"}`,
		},
		"what the schema gives": {
			`{"properties":{"a":{"const":7},"b":{"default":{"y":[null,true],"x":1.5}},"c":{"type":"string","examples":[3,"three"]},"d":{"enum":[null,"one"]},"e":{"type":"string","default":"two","enum":["one"]},"f":{"type":"string","format":"date"}},
				"required":["a","b","c","d","e","f"]}`,
			`{"a":7,"b":{"x":1.5,"y":[null,true]},"c":"<c>","d":"one","e":"one","f":"2026-01-31"}`,
			`{a = 7, b = {x = 1.5, y = {null, true}}, c = "<c>", d = "one", e = "one", f = "2026-01-31"}`,
		},
		"limits": {
			`{"properties":{"a":{"type":"integer","minimum":5},"b":{"type":"number","exclusiveMinimum":0,"maximum":0.5},"c":{"type":"string","minLength":5,"maxLength":6},"d":{"type":"array","minItems":2,"items":{"type":"integer","maximum":-3}},"e":{"type":"integer","multipleOf":7},"f":{"type":"integer","const":9007199254740993},"g":{"type":"string","maxLength":1}},
				"required":["a","b","c","d","e","f","g"]}`,
			`{"a":5,"b":0.25,"c":"<c>xx","d":[-3,-3],"e":7,"f":9007199254740993,"g":"<"}`,
			`{a = 5, b = 0.25, c = "<c>xx", d = {-3, -3}, e = 7, f = 9007199254740993, g = "<"}`,
		},
		"parts": {
			`{"allOf":[{"$ref":"#/$defs/base"}],"anyOf":[{"required":["url"]},{"required":["path"]}],"properties":{"url":{"type":["null","string"]},"who":{"anyOf":[{"type":"null"},{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}]}},"required":["who"],
				"$defs":{"base":{"properties":{"id":{"type":"string"}},"required":["id"]}}}`,
			`{"who":{"id":1},"id":"<id>","url":"https://example.com"}`,
			`{who = {id = 1}, id = "<id>", url = "https://example.com"}`,
		},
		"names that Lua has not": {
			`{"properties":{"end":{"const":"a\"\\\nb\u00001\u202e"},"x-y":{"const":true},"1":{"const":null},"_ok1":{"const":"ä"}},"required":["end","x-y","1","_ok1"]}`,
			`{"end":"a\"\\\nb\u00001` + "\u202e" + `","x-y":true,"1":null,"_ok1":"ä"}`,
			`{["end"] = "a\"\\\nb\0001\226\128\174", ["x-y"] = true, ["1"] = null, _ok1 = "ä"}`,
		},
		"a tree that never ends": {
			`{"properties":{"a":{"$ref":"#"}},"required":["a"]}`,
			`{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":null}}}}}}}}}`,
			`{a = {a = {a = {a = {a = {a = {a = {a = {a = null}}}}}}}}}`,
		},
		"nothing required": {`{"properties":{"a":{"type":"string"}}}`, `{}`, `{}`},
		"no schema":        {`nonsense`, `{}`, `{}`},
		"no object":        {`7`, `{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(call.Example([]byte(test.schema))); got != test.json {
				t.Errorf("got  %s\nwant %s", got, test.json)
			}
			if got := call.ExampleLua([]byte(test.schema)); got != test.lua {
				t.Errorf("got  %s\nwant %s", got, test.lua)
			}
		})
	}
}

func TestExamplesAreBounded(t *testing.T) {
	for name, test := range hostileSchemas {
		if n := len(call.Example([]byte(test.schema))); n > 64<<10 {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
	wide := `{"properties":{"a":{"type":"array","minItems":1000000,"items":{"type":"string","minLength":1000000}}},"required":["a"]}`
	if n := len(call.Example([]byte(wide))); n > 128<<10 {
		t.Errorf("a wide one: %d bytes", n)
	}
}
