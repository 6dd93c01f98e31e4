package cli

import (
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
)

func TestServerOf(t *testing.T) {
	c := config.Config{Servers: []config.Server{{Name: "my-files"}, {Name: "my"}, {Name: "a.b"}, {Name: "a"}}}
	for id, want := range map[string]string{
		"my-files.read": "my-files", "my_files.read": "my-files", "my.read": "my", "my__read": "my", "a.b.c": "a.b", "a_b.c": "a.b", "a.c": "a",
		"read": "", "other.read": "", "": "", ".": "", "my-files": "",
	} {
		if got := serverOf(c, id); got != want {
			t.Errorf("serverOf(%q) = %q, want %q", id, got, want)
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
