package cli

import (
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 10, "short"},
		{"exactly ten", 11, "exactly ten"},
		{"more than that", 10, "more th..."},
		{"ends in a blank", 12, "ends in a..."},
		{"日本語のテキスト", 16, "日本語のテキスト"},
		{"日本語のテキスト", 10, "日本語..."},
		{"e\u0301e\u0301e\u0301e\u0301", 4, "e\u0301e\u0301e\u0301e\u0301"},
		{"", 5, ""},
	} {
		if got := cut(c.text, c.width); got != c.want || cells(got) > c.width {
			t.Errorf("cut(%q, %d) = %q of %d columns, want %q", c.text, c.width, got, cells(got), c.want)
		}
	}
}

func TestTable(t *testing.T) {
	table := &table{width: 30}
	table.add("NAME", "N", "TEXT")
	table.add("日本", "1", "a text that is longer than the line")
	table.add("plain", "22", "")
	var b strings.Builder
	if err := table.print(&b); err != nil {
		t.Fatal(err)
	}
	want := "NAME   N   TEXT\n日本   1   a text that is l...\nplain  22\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// On a narrow terminal no line is longer than it, whatever the columns hold.
func TestTableFitsNarrowTerminals(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120} {
		table := &table{width: width}
		for range 3 {
			table.add(strings.Repeat("server", 9), strings.Repeat("日", 30), "12", strings.Repeat("text ", 40))
		}
		var b strings.Builder
		if err := table.print(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if got := cells(strings.TrimRight(line, "\n")); got > width {
				t.Errorf("%d wide, not %d: %s", got, width, line)
			}
		}
	}
}

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"files": "files", "/etc/tool-crib.yaml": "/etc/tool-crib.yaml", "": "''",
		"my files": "'my files'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'",
	} {
		if got := quoted(word); got != want {
			t.Errorf("quoted(%q) = %s, want %s", word, got, want)
		}
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 59 * time.Second: "59s", 90 * time.Second: "1m", 47 * time.Hour: "47h", 49 * time.Hour: "2d",
	} {
		if got := ago(d); got != want {
			t.Errorf("ago(%s) = %s, want %s", d, got, want)
		}
	}
}

// A text of a server's cannot move the cursor, name the window, colour what
// follows, turn the direction of reading or start a line.
func FuzzClean(f *testing.F) {
	for _, text := range []string{
		"plain", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07rest", "a\r\nb\tc", "\u202eback", "\u200bhidden", "\xff\xfe", "\x9b31m", "\x1b[", "\x1bM",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := clean(text)
		for _, r := range got {
			if r != ' ' && !unicode.IsPrint(r) {
				t.Errorf("%q in %q of %q", r, got, text)
			}
		}
		if again := clean(got); again != got {
			t.Errorf("clean again: %q, not %q", again, got)
		}
	})
}
