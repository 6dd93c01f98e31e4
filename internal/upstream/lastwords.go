package upstream

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	lastLines = 3   // of what a server wrote go into an error
	lastBytes = 400 // at most
)

// addTo adds a server's last words to an error: they often say what is missing.
func (t *tail) addTo(err error) error {
	if last := lastWords(t.text()); last != "" {
		return fmt.Errorf("%w; it wrote: %s", err, last)
	}
	return err
}

// lastWords are the last lines that say something, as one line of plain text.
func lastWords(text string) string {
	var words []string
	lines := strings.Split(text, "\n")
	for _, line := range slices.Backward(lines) {
		line = plain(line)
		if line == "" || strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "Node.js v") {
			continue // the places of an exception say less than its message
		}
		words = append(words, line)
		if len(words) == lastLines {
			break
		}
	}
	slices.Reverse(words)
	last := strings.Join(words, " / ")
	if len(last) > lastBytes {
		last = "..." + strings.ToValidUTF8(last[len(last)-lastBytes:], "")
	}
	return last
}

var terminalCodes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// plain is a line without what only a terminal understands.
func plain(line string) string {
	line = terminalCodes.ReplaceAllString(strings.ToValidUTF8(line, ""), "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1
	}, line))
}
