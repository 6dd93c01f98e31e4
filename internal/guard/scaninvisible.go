package guard

import (
	"fmt"
	"strings"
	"unicode"
)

// invisible says what a character is that leaves no mark, "" if it leaves one or
// has its place in ordinary text.
func invisible(r rune) string {
	switch {
	case r >= 0xE0000 && r <= 0xE007F:
		return "tag characters"
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return "marks that turn the direction of writing"
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r >= 0x2061 && r <= 0x2064, r == 0x180E:
		return "characters without width"
	case r == 0x200C, r == 0x200D, r == 0x200E, r == 0x200F, r == 0x061C, r == 0x00AD:
		return "joiners and marks of direction" // ordinary in some scripts, see suspect
	case r >= 0xE0100 && r <= 0xE01EF:
		return "variation selectors"
	case r >= 0xFE00 && r <= 0xFE0F:
		return "variation selectors" // one behind a sign is ordinary
	case r == 0x3164, r == 0xFFA0, r == 0x115F, r == 0x1160, r == 0x034F:
		return "fillers"
	case r == 0x1B, r == 0x9B, r == 0x9D, r == 0x90:
		return "escape sequences"
	case r == '\n', r == '\t', r == '\r':
		return ""
	case unicode.IsControl(r):
		return "control characters"
	case unicode.Is(unicode.Co, r):
		return "private characters"
	}
	return ""
}

// strayZeroWidth is how many characters without width slip into real texts when
// they are copied from a page.
const strayZeroWidth = 2

// invisible finds what cannot be seen, but for what ordinary text has: a selector
// behind a picture, joiners within words of scripts that need them.
func (s *scanner) invisible(where, text string) {
	if plain(text) {
		return
	}
	kinds := map[string]int{}
	var tags strings.Builder
	before := rune(0)
	for _, r := range text {
		kind := invisible(r)
		switch {
		case kind == "":
		case kind == "tag characters":
			kinds[kind]++
			if letter := r - 0xE0000; letter >= ' ' && letter < 0x7f && tags.Len() < maxExcerpt {
				tags.WriteRune(letter)
			}
		case r == 0xFE0F || r == 0xFE0E:
			if before <= 0x7f && !strings.ContainsRune("0123456789#*", before) || invisible(before) != "" {
				kinds[kind]++
			}
		case r == 0x200D && before > 0x2000 && invisible(before) != "variation selectors" || before == 0xFE0F && r == 0x200D:
			// joins pictures
		case (r == 0x200C || r == 0x200D || r == 0x200E || r == 0x200F || r == 0x061C) && before > 0x2ff:
			// Persian, Arabic, Hebrew, Indic scripts
		default:
			kinds[kind]++
		}
		before = r
	}
	for kind, n := range kinds {
		if kind == "characters without width" && n <= strayZeroWidth && len(kinds) == 1 && where != "name" {
			continue
		}
		what := fmt.Sprintf("%d %s", n, kind)
		if tags.Len() > 0 {
			what += ", which spell a message"
			s.f.add(InvisibleText, where, what, tags.String())
			continue
		}
		s.f.add(InvisibleText, where, what, text)
	}
}

// plain tells that a text is printable ASCII, as nearly all are.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
