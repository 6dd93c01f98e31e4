package probe

import (
	"strings"
	"unicode"

	"toolcrib/internal/lazyre"
)

const (
	maxText        = 4 << 20 // read of one stream; the longest line of a real server is 2.1 MB
	maxLine        = 4 << 10 // of a line of text; what comes after it is not read
	maxLines       = 100_000
	maxDescription = 4_000 // bytes of a tool's description
)

var terminalCodes = lazyre.New("\x1b(?:\\[[0-9;?]*[A-Za-z]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")

// plain is text on one line, without what only a terminal understands and
// without characters that do not show (controls, bidi marks, zero widths, tags).
func plain(s string) string {
	if strings.IndexByte(s, '\x1b') >= 0 {
		s = terminalCodes.ReplaceAllString(s, "")
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u00a0':
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
}

// clip cuts text to at most n bytes, never inside a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const dots = "..."
	return strings.TrimSpace(strings.ToValidUTF8(s[:max(0, n-len(dots))], "")) + dots
}

// head is what is read of a stream.
func head(b []byte, n int) []byte { return b[:min(len(b), n):min(len(b), n)] }

// textLines are the lines of text, as plain text, each bounded, the first
// maxLines of them.
func textLines(text []byte) []string {
	var out []string
	for len(out) < maxLines && len(text) > 0 {
		line := text
		if i := indexNewline(text); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		out = append(out, plain(string(head(line, maxLine))))
	}
	return out
}

// indexNewline finds the end of a line; a carriage return that rewinds a
// progress display ends one too.
func indexNewline(b []byte) int {
	for i, c := range b {
		if c == '\n' || c == '\r' {
			return i
		}
	}
	return -1
}
