package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"toolcrib/internal/config"
)

// printDiff shows what a change does to a file: the lines that go and come, none
// around them, since those are nobody's business. A line that is only changed
// may hold a secret of another entry, so what was there before is hidden; and so is what looks
// like one everywhere.
func printDiff(w io.Writer, c config.Change) error {
	before, after := strings.SplitAfter(string(c.Before), "\n"), strings.SplitAfter(string(c.After), "\n")
	first := 0
	for first < min(len(before), len(after)) && before[first] == after[first] {
		first++
	}
	last := 0
	for last < min(len(before), len(after))-first && before[len(before)-1-last] == after[len(after)-1-last] {
		last++
	}
	gone, come := before[first:len(before)-last], after[first:len(after)-last]
	show := func(line string) string { return line }
	if len(gone) > 0 && len(come) > 0 {
		show = func(line string) string { return hideValues(line, string(c.Before)) }
	}
	var b strings.Builder
	name := c.File
	if c.New {
		name = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", name, c.File, first+1, len(gone), first+1, len(come))
	writeLines(&b, "-", gone, show)
	writeLines(&b, "+", come, show)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeLines(b *strings.Builder, mark string, lines []string, show func(string) string) {
	for _, line := range lines {
		if line != "" {
			b.WriteString(mark + config.MaskText(show(strings.TrimRight(line, "\r\n"))) + "\n")
		}
	}
}

var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(\s*:)?`)

// hideValues hides the texts of a line that were there before, but for keys: what is new
// is ours.
func hideValues(line, before string) string {
	return quotedText.ReplaceAllStringFunc(line, func(text string) string {
		if strings.HasSuffix(text, ":") || !strings.Contains(before, text) {
			return text
		}
		return `"` + config.Masked + `"`
	})
}
