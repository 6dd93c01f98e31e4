package disclose

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean is a server's text without what a reader does not see and a terminal or
// a model would act on: control characters and escape sequences, marks that turn
// the direction of writing, characters without width, variation selectors, tags.
// Line ends and tabs stay. The result is valid UTF-8 in normal form C.
func Clean(text string) string {
	if isPlain(text) {
		return text
	}
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f':
			return '\n'
		case hidden(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	return norm.NFC.String(text)
}

// isPlain tells that a text is printable ASCII, as nearly all are.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// escapes are the sequences that a terminal acts on, with what they enclose.
var escapes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-9;:?<=>]*[ -/]*[@-~]|(?:\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\x07\x1b\u009c]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[ -/]*[0-~]")

// hidden are characters that leave no mark.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r):
		return true // among Cf: bidi marks, zero width, soft hyphen, tags
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF: // variation selectors, and all that is near tags
		return true
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFFA0, r >= 0x180B && r <= 0x180F, r == 0x2065:
		return true // fillers, joiners
	case r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF:
		return true // no characters
	}
	return false
}

// Line is Clean on one line.
func Line(text string) string { return strings.Join(strings.Fields(Clean(text)), " ") }

// Cut is text in at most so many characters, at the end of a word where there
// is one, and shows that it was cut.
func Cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	end, n := 0, 0
	for i := range text {
		if n == most-1 {
			end = i
			break
		}
		n++
	}
	if space := strings.LastIndexAny(text[:end], " \n\t"); space > end*2/3 {
		end = space
	}
	return strings.TrimRight(text[:end], " \n\t,;:") + "…"
}

// cleanJSON is a server's JSON with all its strings cleaned, compact, and
// otherwise as it was; nil if it is none.
func cleanJSON(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return nil
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := stringEnd(raw, i)
			out = append(out, cleanString(raw[i:end])...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// stringEnd is where the string that starts at i ends, in valid JSON.
func stringEnd(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func cleanString(quoted []byte) []byte {
	plain := true
	for _, c := range quoted {
		if c >= 0x7f || c == '\\' {
			plain = false
			break
		}
	}
	if plain {
		return quoted
	}
	var text string
	if json.Unmarshal(quoted, &text) != nil { // it is valid
		return []byte(`""`)
	}
	return quote(Clean(text))
}

// quote is text as a JSON string that is as short as can be.
func quote(text string) []byte { return JSON(text) }
