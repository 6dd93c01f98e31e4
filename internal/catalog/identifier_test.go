package catalog

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIdentifier(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct{ name, want string }{
		{"create_issue", "create_issue"},
		{"CreateIssue", "CreateIssue"},
		{"create-issue", "create_issue"},
		{"a.b/c d", "a_b_c_d"},
		{"elicit (form)", "elicit__form_"},
		{"", "_unnamed"},
		{"_", "_"},
		{"-", "_"},
		{"2fa", "_2fa"},
		{"٣", "_"}, // a digit, but not one of Lua's
		{"end", "_end"},
		{"goto", "_goto"},
		{"End", "End"},
		{"end-", "end_"},
		{"größe", "gr__e"},
		{"搜索", "__"},
		{"🔍search", "_search"},
		{"a\x00b\n", "a_b_"},
		{"bad\xff\xfeutf8", "bad__utf8"},
		{strings.Repeat("y", 128), strings.Repeat("y", 128)},
	} {
		if got := Identifier(c.name); got != c.want {
			t.Errorf("Identifier(%q) = %q, want %q", c.name, got, c.want)
		}
	}
	for _, word := range strings.Fields("and break do else elseif end false for function goto if in local nil not or repeat return then true until while") {
		if got := Identifier(word); got != "_"+word {
			t.Errorf("Identifier(%q) = %q", word, got)
		}
	}
	for _, name := range []string{long, long + "y", strings.Repeat("語", 10_000), "1" + strings.Repeat("z", 127)} {
		got := Identifier(name)
		if len(got) > maxIdentifier || !isIdentifier(got) {
			t.Errorf("Identifier of %d bytes has %d: %q", len(name), len(got), got)
		}
	}
	if Identifier(long) == Identifier(long+"y") {
		t.Error("two long names have the same identifier")
	}
}

func FuzzIdentifier(f *testing.F) {
	for _, seed := range []string{"", "a-b", "1", "end", "语", "\xff", "__index", strings.Repeat("k", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id := Identifier(name)
		if !isIdentifier(id) {
			t.Fatalf("Identifier(%q) = %q is none", name, id)
		}
		if Identifier(id) != id {
			t.Fatalf("Identifier(%q) = %q is not its own identifier", name, id)
		}
		if utf8.RuneCountInString(name) < maxIdentifier && len(id) > utf8.RuneCountInString(name)+1 && name != "" {
			t.Fatalf("Identifier(%q) = %q has grown", name, id)
		}
	})
}
