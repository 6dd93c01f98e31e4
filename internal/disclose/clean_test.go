package disclose

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"plain":               {"Reads a file.\n\tThen another.", "Reads a file.\n\tThen another."},
		"colours":             {"a \x1b[31mred\x1b[0m word", "a red word"},
		"window title":        {"a\x1b]0;title\x07b", "ab"},
		"link of a terminal":  {"a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c", "abc"},
		"unended sequence":    {"a\x1b]0;all the rest", "a"},
		"device control":      {"a\x1bPq\x1b\\b", "ab"},
		"C1 control":          {"a\u009b31mb", "ab"},
		"bell and backspace":  {"a\x07b\bc\x00d", "abcd"},
		"bidi":                {"a\u202eb\u2066c\u200fd", "abcd"},
		"zero width":          {"a\u200bb\u200cc\u200dd\ufeffe\u2060f", "abcdef"},
		"tags":                {"a\U000E0041\U000E0042b", "ab"},
		"variation selectors": {"a\ufe0fb\U000E0100c", "abc"},
		"soft hyphen, filler": {"a\u00adb\u3164c\u115fd", "abcd"},
		"private use":         {"a\ue000b\U000F0000c", "abc"},
		"not UTF-8":           {"a\xffb", "a\uFFFDb"},
		"line ends":           {"a\r\nb\u2028c\u0085d", "a\nb\nc\nd"},
		"normal form":         {"cafe\u0301", "café"},
		"other scripts stay":  {"файл 文件 ไฟล์ ملف 🧰", "файл 文件 ไฟล์ ملف 🧰"},
	} {
		if got := Clean(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31mb\u202e\U000E0041")
	f.Fuzz(func(t *testing.T, text string) {
		got := Clean(text)
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r != '\n' && r != '\t' && hidden(r) {
				t.Fatalf("%U is left in %q", r, got)
			}
		}
		if !norm.NFC.IsNormalString(got) {
			t.Fatalf("not in normal form: %q", got)
		}
		if again := Clean(got); again != got {
			t.Fatalf("%q, and again %q", got, again)
		}
		if line := Line(text); strings.ContainsAny(line, "\n\t") {
			t.Fatalf("several lines: %q", line)
		}
	})
}

func TestCleanJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "plain", "b": [1, 9223372036854775807, 1.50]}`: `{"a":"plain","b":[1,9223372036854775807,1.50]}`,
		`{"a":"\u202ehidden\u0007"}`:                          `{"a":"hidden"}`,
		`{"\u200bkey":"<b>&amp;"}`:                            `{"key":"<b>&amp;"}`,
		`{"a":"\ud800"}`:                                      `{"a":"�"}`,
		`{"quote":"\"\\"}`:                                    `{"quote":"\"\\"}`,
		`{`:                                                   ``,
		``:                                                    ``,
	} {
		if got := string(cleanJSON(json.RawMessage(text))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzCleanJSON(f *testing.F) {
	f.Add(`{"a":["\u202e",{"b":1e400}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		got := cleanJSON(json.RawMessage(text))
		if json.Valid([]byte(text)) != (got != nil) {
			t.Fatalf("%q: %q", text, got)
		}
		if got != nil && !json.Valid(got) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestBrief(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		tokens int
		want   string
	}{
		"whole":         {"Reads a file.", 20, "Reads a file."},
		"sentences":     {"Reads a file. It may be long, and then it takes a while to be read by anybody.", 12, "Reads a file."},
		"abbreviation":  {"Reads a file, e.g. this one. And more, and more, and more, and more.", 16, "Reads a file, e.g. this one."},
		"long sentence": {"Reads a file that was written a long time ago by somebody else entirely", 10, "Reads a file that was written…"},
		"markdown":      {"## Purpose\n**Reads** a `file`.", 20, "Purpose Reads a `file`."},
		"chinese":       {"读取文件。它可能很长，需要一段时间。", 24, "读取文件。"},
		"one long word": {strings.Repeat("x", 300), 20, strings.Repeat("x", 19) + "…"},
		"nothing":       {" \n ", 20, ""},
	} {
		if got := brief(c.text, c.tokens); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func FuzzBrief(f *testing.F) {
	f.Add("Reads a file. And more.", 8)
	f.Fuzz(func(t *testing.T, text string, tokens int) {
		tokens = 4 + int(uint(tokens)%60)
		got := brief(text, tokens)
		if !utf8.ValidString(got) || strings.Contains(got, "\n") {
			t.Fatalf("%q", got)
		}
		if n := utf8.RuneCountInString(got); n > max(8, tokens)*20 {
			t.Fatalf("%d characters for %d tokens: %q", n, tokens, got)
		}
	})
}
