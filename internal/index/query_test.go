package index

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want request
	}{
		{"create an issue", request{text: "create an issue"}},
		{"select:a,b", request{selected: []string{"a", "b"}}},
		{"select: a, b then more", request{selected: []string{"a", "b"}, text: "then more"}},
		{"Server:github open issues", request{servers: []string{"github"}, text: "open issues"}},
		{`category:"two words" x`, request{categories: []string{"two words"}, text: "x"}},
		{"find server:a category:b now", request{servers: []string{"a"}, categories: []string{"b"}, text: "find now"}},
		{"see http://example.com: fine", request{text: "see http://example.com: fine"}},
		{"select:", request{text: "select:"}},
		{`server:"open`, request{servers: []string{`"open`}}},
		{"note: nothing", request{text: "note: nothing"}},
		{"  ", request{}},
	} {
		if got := parse(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
	if n := len(parse("select:" + strings.Repeat("a,", 1000)).selected); n != maxSelected {
		t.Errorf("%d are selected", n)
	}
}

func FuzzSearch(f *testing.F) {
	for _, text := range []string{"create issue", "select:a,b", `server:"x`, "category:email send", "\xff\xfe", "使用必应", "a.b.c", strings.Repeat("word ", 500)} {
		f.Add(text)
	}
	x := build(workshop()...)
	f.Fuzz(func(t *testing.T, text string) {
		r := parse(text)
		if !utf8.ValidString(r.text) && utf8.ValidString(text) {
			t.Errorf("a rune was cut: %q", r.text)
		}
		result := x.Search(t.Context(), &Query{Text: text})
		if len(result.Hits) > defaultLimit || result.Total < len(result.Hits) {
			t.Errorf("%d hits of %d", len(result.Hits), result.Total)
		}
		for _, h := range result.Hits {
			if h.Relevance < 0 || h.Relevance > 100 {
				t.Errorf("relevance %d", h.Relevance)
			}
		}
	})
}
