package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is shown is a file that says the same, in every syntax, but for secrets.
func TestShownIsAFileOfOurs(t *testing.T) {
	const scripts = "scripts:\n  report:\n    source: |\n      return args.n\n    description: 'a: b'\n" +
		"    parameters: {n: {type: integer, default: 3, enum: [1, 3]}, any: {}, list: {type: array, required: true}}\n  other: {file: /srv/x.lua}\n"
	c := parse(t, "a.yaml", fullYAML+discoveryYAML[:strings.Index(discoveryYAML, "servers:")]+scripts)
	for i := range c.Scripts {
		c.Scripts[i].At = Position{}
	}
	want := c
	want.Servers = nil
	for _, s := range c.Servers {
		s = s.Masked()
		s.At = Position{}
		want.Servers = append(want.Servers, s)
	}
	want.Used, want.Private = nil, nil
	for file, text := range map[string]string{"a.yaml": c.YAML(), "a.json": c.JSON()} {
		got := parse(t, file, text)
		got.File, got.Used, got.Private = "a.yaml", nil, nil
		for i := range got.Scripts {
			got.Scripts[i].At = Position{}
		}
		for i := range got.Servers {
			got.Servers[i].At = Position{}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", file, diff, text)
		}
	}
}

// Any text survives being written in any syntax.
func TestWrittenTextIsReadBack(t *testing.T) {
	odd := []string{
		"", " ", "plain", "two words", "true", "no", "007", "1e3", ".5", "~", "null", "a: b", "a:b", "a #b", "- x", "#", "é", "\t", "line\nbreak", `quote"s`, `back\slash`,
		"'", "{", "[x]", "*a", "&a", "!t", "%", "@", "`", "=", "https://h/p?q=1", "C:\\x", "0x1F", "1_000", "\u007f", "\u2028", "<b>", ",", "a,b", "-", "--x", "a ", "2026-01-01", ".inf",
	}
	entry := part(pair{"command", text("x")}, pair{"args", texts(odd)}, pair{"env", mapping(func() map[string]string {
		m := map[string]string{}
		for _, o := range odd {
			if o != "" && !strings.ContainsAny(o, "=\n") {
				m[o] = o
			}
		}
		return m
	}())})
	all := part(pair{"servers", part(pair{"a.b c", entry})})
	for file, text := range map[string]string{"a.yaml": all.yaml(""), "a.json": all.json("", "  "), "a.toml": entry.toml("servers", "a.b c")} {
		c, err := testReader(nil).Parse(file, []byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, text)
			continue
		}
		if diff := cmp.Diff(odd, c.Servers[0].Args); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", file, diff, text)
		}
		for name, value := range c.Servers[0].Env {
			if name != value {
				t.Errorf("%s: %q became %q", file, name, value)
			}
		}
	}
}
