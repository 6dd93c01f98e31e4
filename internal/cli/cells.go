package cli

import (
	"strings"
	"unicode"
)

// cells is how many columns of a terminal a text takes.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2 // what East Asian scripts and pictures take
	}
	return 1
}

// cut shortens a text to width columns, and shows that it did.
func cut(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	var b strings.Builder
	left := width - 3
	for _, r := range text {
		if left -= cellsOf(r); left < 0 {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimRight(b.String(), " ") + "..."
}
