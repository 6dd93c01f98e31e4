package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const argumentsSchema = `{
	"type": "object",
	"$defs": {"colour": {"enum": ["red", "blue"]}, "loop": {"$ref": "#/$defs/loop"}, "point": {"type": "object"}},
	"properties": {
		"text": {"type": "string"}, "count": {"type": "integer"}, "share": {"type": "number"}, "on": {"type": "boolean"},
		"tags": {"type": "array", "items": {"type": "string"}}, "sizes": {"type": ["array", "null"], "items": {"type": "integer"}},
		"maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "either": {"type": ["string", "number"]},
		"list": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
		"colour": {"$ref": "#/$defs/colour"}, "at": {"$ref": "#/$defs/point"}, "loop": {"$ref": "#/$defs/loop"}, "lost": {"$ref": "#/nowhere"},
		"level": {"enum": [1, 2]}, "free": {}
	}
}`

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		pairs string // separated by |
		base  string
		want  string // or, behind an exclamation mark, what the error says
	}{
		{"", "", `{}`},
		{"text=5", "", `{"text":"5"}`},
		{"text=", "", `{"text":""}`},
		{`text="quoted"`, "", `{"text":"\"quoted\""}`},
		{"text=a=b <c>", "", `{"text":"a=b <c>"}`},
		{"text=null", "", `{"text":"null"}`},
		{"count=12345678901234567890", "", `{"count":12345678901234567890}`},
		{"count=many", "", `{"count":"many"}`}, // the check says what is wrong
		{"count=1.5", "", `{"count":1.5}`},
		{"share=1", "", `{"share":1}`},
		{"share=1e3", "", `{"share":1e3}`},
		{"on=true", "", `{"on":true}`},
		{"on=yes", "", `{"on":"yes"}`},
		{"tags=a", "", `{"tags":["a"]}`},
		{"tags=a|tags=5", "", `{"tags":["a","5"]}`},
		{`tags=["a","b"]`, "", `{"tags":["a","b"]}`},
		{"sizes=1|sizes=2", "", `{"sizes":[1,2]}`},
		{"sizes=null", "", `{"sizes":null}`},
		{"list=a|list=b", "", `{"list":["a","b"]}`},
		{"maybe=null", "", `{"maybe":null}`},
		{"maybe=5", "", `{"maybe":"5"}`},
		{"either=5", "", `{"either":5}`},
		{"either=1/3", "", `{"either":"1/3"}`},
		{"colour=red", "", `{"colour":"red"}`},
		{"level=1", "", `{"level":1}`},
		{`at={"x":1}`, "", `{"at":{"x":1}}`},
		{"free=5|other=true|more=text|last=007", "", `{"free":5,"last":"007","more":"text","other":true}`},
		{`free="5"`, "", `{"free":"5"}`},
		{"free=1|free=x", "", `{"free":[1,"x"]}`},
		{"loop=1|lost=1", "", `{"loop":1,"lost":1}`},
		{"", ` {"b": 1.0, "a": "<"} `, `{"b": 1.0, "a": "<"}`},
		{"a=2", `{"b": 1.0, "a": "<"}`, `{"a":2,"b":1.0}`},
		{"text", "", `!--arg text: write NAME=VALUE`},
		{"=x", "", `!write NAME=VALUE`},
		{"text=a|text=b", "", `!--arg text is given 2 times, and it takes no list`},
		{"text=\xff", "", `!--arg text: the value is no UTF-8`},
		{"", `{"a":}`, `!invalid character '}' looking for beginning of value at 1:6`},
		{"", "{\n \"é\": tru}", `!at 2:10`},
		{"", `{"a":1} x`, `!after top-level value at 1:9`},
		{"", `"text"`, `!it is a string`},
		{"", `null`, `!it is null`},
		{"", `12`, `!it is an integer`},
		{"", ` `, `!it is empty`},
		{"", `@nowhere.json`, `!--json-args: open nowhere.json`},
	} {
		f := argumentFlags{json: c.base}
		if c.pairs != "" {
			f.pairs = strings.Split(c.pairs, "|")
		}
		got, err := f.object(strings.NewReader(""), json.RawMessage(argumentsSchema))
		if says, wrong := strings.CutPrefix(c.want, "!"); wrong {
			if err == nil || !isUsage(err) || !strings.Contains(err.Error(), says) {
				t.Errorf("%q %q: %s, %v", c.pairs, c.base, got, err)
			}
			continue
		}
		if err != nil || string(got) != c.want {
			t.Errorf("%q %q: %s, %v; want %s", c.pairs, c.base, got, err, c.want)
		}
	}
}

func TestArgumentsFromElsewhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "args.json")
	if err := os.WriteFile(file, []byte(`{"a": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{"@" + file: `{"a": 1}`, "-": `{"b": 2}`} {
		f := argumentFlags{json: from}
		if got, err := f.object(strings.NewReader(" {\"b\": 2}\n"), nil); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", from, got, err)
		}
	}
	f := argumentFlags{json: "-"}
	if _, err := f.object(strings.NewReader(strings.Repeat(" ", maxArguments+1)), nil); err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Errorf("too much: %v", err)
	}
}

// Whatever is typed for a parameter of whatever schema, it becomes JSON.
func FuzzArgument(f *testing.F) {
	for _, text := range []string{"", "5", "1e999", "tru", "{", `{"a":1}`, "[1,", "\x00", "\u2028", "-", "0x1", " 5 ", "5 5"} {
		f.Add(text, argumentsSchema)
		f.Add(text, `{"properties":{"text":`+text+`}}`)
	}
	f.Fuzz(func(t *testing.T, text, schema string) {
		flags := argumentFlags{pairs: []string{"text=" + text}}
		got, err := flags.object(strings.NewReader(""), json.RawMessage(schema))
		if err == nil && !json.Valid(got) {
			t.Errorf("%q became %q", text, got)
		}
		flags.pairs = append(flags.pairs, "text="+text)
		if got, err := flags.object(strings.NewReader(""), json.RawMessage(schema)); err == nil && !json.Valid(got) {
			t.Errorf("twice %q became %q", text, got)
		}
	})
}
