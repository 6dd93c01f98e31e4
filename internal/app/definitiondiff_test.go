package app

import (
	"strings"
	"testing"
)

func TestDefinitionDiff(t *testing.T) {
	for name, c := range map[string]struct{ before, now, want string }{
		"nothing":   {`{"name":"a","x":1}`, `{"x":2,"name":"a"}`, ""},
		"text":      {`{"name":"a","description":"one\ntwo\nthree"}`, `{"name":"a","description":"one\n2\nthree"}`, "description|- two|+ 2"},
		"new":       {``, `{"name":"a","title":"A"}`, "name|+ a|title|+ A"},
		"gone":      {`{"name":"a","title":"A"}`, `{"name":"a"}`, "title|- A"},
		"schema":    {`{"inputSchema":{"a":1,"b":2}}`, `{"inputSchema":{"a":1,"b":3}}`, `inputSchema|-   "b": 2|+   "b": 3`},
		"invisible": {`{"description":"a"}`, `{"description":"a\u200b\u001b[2J"}`, "description|- a|+ a<U+200B><U+001B>[2J"},
	} {
		if got := strings.Join(DefinitionDiff([]byte(c.before), []byte(c.now)), "|"); got != c.want {
			t.Errorf("%s: %s, expected %s", name, got, c.want)
		}
	}
	long := strings.Repeat(`x\n`, 3000)
	if got := DefinitionDiff([]byte(`{"description":"y`+long+`"}`), []byte(`{"description":"z`+long+`w"}`)); len(got) < 2 {
		t.Errorf("a long text has %d lines of difference", len(got))
	}
}
