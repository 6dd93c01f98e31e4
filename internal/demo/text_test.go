package demo

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestTextTools(t *testing.T) {
	for era, version := range eras() {
		t.Run(era, func(t *testing.T) {
			s := connect(t, version, nil, "text")
			if got := structured[counts](t, call(t, s, "word_count", map[string]any{"text": "zwei Wörter\nhier\n"})); got != (counts{3, 2, 17, 18}) {
				t.Errorf("counted %+v", got)
			}
			if got := structured[counts](t, call(t, s, "word_count", map[string]any{"text": ""})); got != (counts{}) {
				t.Errorf("counted %+v", got)
			}
			for algorithm, want := range map[string]string{
				"sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
				"sha1":   "a9993e364706816aba3e25717850c26c9cd0d89d",
				"md5":    "900150983cd24fb0d6963f7d28e17f72",
				"crc32":  "352441c2",
			} {
				if got := structured[hashed](t, call(t, s, "hash", map[string]any{"text": "abc", "algorithm": algorithm})); got.Hex != want {
					t.Errorf("%s: %+v", algorithm, got)
				}
			}
			if got := structured[hashed](t, call(t, s, "hash", map[string]any{"text": ""})); got.Algorithm != "sha256" {
				t.Errorf("default algorithm: %+v", got)
			}
			refused(t, s, "hash", map[string]any{"text": "", "algorithm": "sha3"}, "enum")
			replaced := structured[replaced](t, call(t, s, "find_replace", map[string]any{"text": "a.b.c $1", "find": ".", "replace": "$1"}))
			if replaced.Text != "a$1b$1c $1" || replaced.Count != 2 {
				t.Errorf("replaced %+v", replaced)
			}
			if got := textOf(t, call(t, s, "find_replace", map[string]any{"text": "a1 b22", "find": `([a-z])(\d+)`, "replace": "$2$1", "regex": true})); got != "1a 22b" {
				t.Errorf("replaced %q", got)
			}
			refused(t, s, "find_replace", map[string]any{"text": "a", "find": "(", "replace": "", "regex": true}, "set regex to false")
			refused(t, s, "find_replace", map[string]any{"text": strings.Repeat("a", 1000), "find": "a", "replace": strings.Repeat("b", 9000)}, "shorter")

			done, err := s.Complete(t.Context(), &mcp.CompleteParams{
				Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "rewrite"}, Argument: mcp.CompleteParamsArgument{Name: "tone", Value: "F"},
			})
			if err != nil || !slices.Equal(done.Completion.Values, []string{"formal", "friendly"}) {
				t.Errorf("completed %v, %v", done, err)
			}
			prompt, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "rewrite", Arguments: map[string]string{"text": "Hi", "tone": "formal"}})
			if err != nil || !strings.Contains(prompt.Messages[0].Content.(*mcp.TextContent).Text, "formal") {
				t.Errorf("prompt %v, %v", prompt, err)
			}
			if _, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "rewrite"}); err == nil || !strings.Contains(err.Error(), "text and tone") {
				t.Errorf("prompt without arguments: %v", err)
			}
		})
	}
}

func TestBase64(t *testing.T) {
	s := connect(t, "", nil, "text")
	for _, c := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{"text": "Grüße?>"}, "R3LDvMOfZT8+"},
		{map[string]any{"text": "Grüße?>", "url_safe": true}, "R3LDvMOfZT8-"},
		{map[string]any{"text": "R3LDvMOfZT8+", "direction": "decode"}, "Grüße?>"},
		{map[string]any{"text": "R3LD\nvMOfZT8-", "direction": "decode"}, "Grüße?>"},
		{map[string]any{"text": "YQ", "direction": "decode"}, "a"},
		{map[string]any{"text": "YQ==", "direction": "decode"}, "a"},
	} {
		if got := structured[coded](t, call(t, s, "base64", c.arguments)); got.Text != c.want {
			t.Errorf("%v: %q, want %q", c.arguments, got.Text, c.want)
		}
	}
	refused(t, s, "base64", map[string]any{"text": "!", "direction": "decode"}, "not base64")
	refused(t, s, "base64", map[string]any{"text": base64.StdEncoding.EncodeToString([]byte{0xff}), "direction": "decode"}, "not text")
}

func TestToCase(t *testing.T) {
	for _, c := range [][3]string{
		{"upper", "grün é", "GRÜN É"},
		{"lower", "ÄBC", "äbc"},
		{"title", "the QUICK brown-fox can't", "The Quick Brown-Fox Can't"},
		{"sentence", "HELLO there. how are you? fine\nnew LINE", "Hello there. How are you? Fine\nNew line"},
		{"snake", "HTTPServer requestID", "http_server_request_id"},
		{"kebab", "some_snake_case", "some-snake-case"},
		{"camel", "Some words here", "someWordsHere"},
		{"pascal", "some-kebab v2", "SomeKebabV2"},
		{"snake", "", ""},
		{"title", "ǆ", "ǅ"},
	} {
		got, err := toCase(c[1], c[0])
		if want := c[2]; err != nil || got != want {
			t.Errorf("%s %q: %q, %v, want %q", c[0], c[1], got, err, want)
		}
	}
	if _, err := toCase("x", "sarcastic"); err == nil || !strings.Contains(err.Error(), "use one of") {
		t.Errorf("unknown case: %v", err)
	}
}

func TestDiff(t *testing.T) {
	s := connect(t, "", nil, "text")
	got := structured[compared](t, call(t, s, "diff", map[string]any{"before": "a\nb\nc\nd\ne\nf\ng\nh\n", "after": "a\nB\nc\nd\ne\nf\ng\nh\ni\n", "context": 1}))
	want := "--- before\n+++ after\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -8 +8,2 @@\n h\n+i\n"
	if got.Diff != want || got.Added != 2 || got.Removed != 1 || got.Equal {
		t.Errorf("got %+v, want %s", got, want)
	}
	if got := structured[compared](t, call(t, s, "diff", map[string]any{"before": "a\n", "after": "a\n"})); !got.Equal || got.Diff != "" {
		t.Errorf("equal texts: %+v", got)
	}
	if got := structured[compared](t, call(t, s, "diff", map[string]any{"before": "a\r\n", "after": "a\n"})); got.Equal {
		t.Errorf("texts with other line ends: %+v", got)
	}
	if got := structured[compared](t, call(t, s, "diff", map[string]any{"before": "", "after": "a\nb"})); got.Diff != "--- before\n+++ after\n@@ -0,0 +1,2 @@\n+a\n+b\n" {
		t.Errorf("from nothing: %+v", got)
	}
	refused(t, s, "diff", map[string]any{"before": strings.Repeat("a\n", 1500), "after": strings.Repeat("b\n", 1500)}, "compare parts")
	refused(t, s, "diff", map[string]any{"before": strings.Repeat("a\n", maxDiffLines+1), "after": ""}, "compare parts")
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd")
	f.Add("", "x")
	f.Add("x\nx\ny", "y\nx\nx")
	f.Fuzz(func(t *testing.T, before, after string) {
		a, b := splitLines(before), splitLines(after)
		edits, err := diffLines(t.Context(), a, b)
		if err != nil {
			return
		}
		// Keeping what stays and goes gives the first text, what stays and comes
		// the second.
		var gotA, gotB []string
		for _, e := range edits {
			if e.kind != '+' {
				gotA = append(gotA, e.line)
			}
			if e.kind != '-' {
				gotB = append(gotB, e.line)
			}
		}
		if !slices.Equal(gotA, a) || !slices.Equal(gotB, b) {
			t.Errorf("%q to %q: %v", a, b, edits)
		}
		_ = unified(edits, 3)
	})
}
