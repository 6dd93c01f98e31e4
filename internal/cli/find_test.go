package cli

import (
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

func TestServerOf(t *testing.T) {
	c := config.Config{Servers: []config.Server{{Name: "my-files"}, {Name: "my"}, {Name: "a.b", Aliases: []string{"ab", "other-name"}}, {Name: "a"}}}
	for id, want := range map[string][2]string{
		"my-files.read": {"my-files", "read"}, "my_files.read": {"my-files", "read"}, "my.read": {"my", "read"}, "my__read": {"my", "read"},
		"a.b.c": {"a.b", "c"}, "a_b.c": {"a.b", "c"}, "a.c": {"a", "c"}, "ab.c.d": {"a.b", "c.d"}, "other-name__c": {"a.b", "c"},
		"read": {}, "other.read": {}, "": {}, ".": {}, "my-files": {},
	} {
		if server, tool := serverOf(c, id); server != want[0] || tool != want[1] {
			t.Errorf("serverOf(%q) = %q, %q, want %q", id, server, tool, want)
		}
	}
}

func TestCalled(t *testing.T) {
	for _, c := range []struct {
		entry disclose.Entry
		want  string
	}{
		{disclose.Entry{Name: "a.b", Signature: "b(x*: str)"}, "a.b(x*: str)"},
		{disclose.Entry{Name: "a.b"}, "a.b"},
		{disclose.Entry{Name: "odd"}, "odd"},
	} {
		if got := called(c.entry); got != c.want {
			t.Errorf("called(%+v) = %s, want %s", c.entry, got, c.want)
		}
	}
}
