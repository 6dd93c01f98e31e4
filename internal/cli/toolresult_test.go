package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestToolResultText(t *testing.T) {
	for _, c := range []struct{ result, text, leftOut string }{
		{`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b\n"}]}`, "a\nb\n", ""},
		{`{"content":[{"type":"text","text":"a"}],"structuredContent":{"b":1}}`, "a", ""},
		{`{"content":[],"structuredContent":{"b":18446744073709551616}}`, "{\n  \"b\": 18446744073709551616\n}", ""},
		{`{"content":[],"structuredContent":null}`, "", ""},
		{`{"content":[{"type":"resource_link","uri":"x://y","name":"n"}]}`, "n x://y", ""},
		{`{"content":[{"type":"resource","resource":{"uri":"x://y","text":""}}]}`, "", ""},
		{`{"content":[{"type":"resource","resource":{"uri":"x://y","mimeType":"a/b","blob":"AAAA"}}]}`, "", "resource x://y of type a/b, 3 bytes"},
		{`{"content":[{"type":"image","mimeType":"image/png","data":"AAA="}]}`, "", "image of type image/png, 2 bytes"},
		{`{"content":[{"type":"new\u001b[31m","x":1}]}`, "", "new, 0 bytes"},
		{`{}`, "", ""},
	} {
		r, err := readToolResult(json.RawMessage(c.result))
		if err != nil {
			t.Errorf("%s: %v", c.result, err)
			continue
		}
		text, leftOut := r.text()
		if text != c.text || strings.Join(leftOut, "; ") != c.leftOut {
			t.Errorf("%s: %q, left out %q", c.result, text, leftOut)
		}
	}
	for _, result := range []string{`[]`, `{"content":{}}`, `null x`, ``} {
		if _, err := readToolResult(json.RawMessage(result)); err == nil {
			t.Errorf("%s is no result", result)
		}
	}
}

func TestWriteText(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three four", 12, "  one two\n  three four\n"},
		{"first\n\nsecond \x1b[31mred", 40, "  first\n\n  second red\n"},
		{"averyveryverylongword x", 10, "  averyveryverylongword\n  x\n"},
		{"日本語 テキスト", 12, "  日本語\n  テキスト\n"},
		{strings.Repeat("word ", 30), 0, "  " + strings.Repeat("word ", 18) + "word\n  " + strings.Repeat("word ", 10) + "word\n"},
	} {
		var b strings.Builder
		writeText(&b, "  ", c.text, c.width)
		if b.String() != c.want {
			t.Errorf("%q in %d:\n%q, want\n%q", c.text, c.width, b.String(), c.want)
		}
	}
}
