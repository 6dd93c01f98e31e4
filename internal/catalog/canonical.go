package catalog

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical JSON is one way of writing a value, so that two ways of writing the
// same one have the same hash: members sorted by the bytes of their names, no
// space, strings with every escape decoded that can be. Numbers stay as they
// were written (1 and 1.0 differ: we would have to choose a precision to say
// otherwise), members that occur twice stay twice in their order, and a half of a
// surrogate pair stays an escape: different things never become the same.

// appendCanonical appends the canonical form of the value at the start of src,
// which has been checked to be JSON, and returns what follows the value.
func appendCanonical(dst, src []byte) (to, rest []byte) {
	src = skipSpace(src)
	switch src[0] {
	case '{':
		return appendCanonicalObject(dst, src)
	case '[':
		return appendCanonicalArray(dst, src)
	case '"':
		return appendCanonicalString(dst, src)
	}
	end := bytes.IndexAny(src, ",]} \t\r\n")
	if end < 0 {
		end = len(src)
	}
	return append(dst, src[:end]...), src[end:]
}

func appendCanonicalArray(dst, src []byte) (to, rest []byte) {
	dst, src = append(dst, '['), skipSpace(src[1:])
	for src[0] != ']' {
		if src[0] == ',' {
			dst, src = append(dst, ','), src[1:]
		}
		dst, src = appendCanonical(dst, src)
		src = skipSpace(src)
	}
	return append(dst, ']'), src[1:]
}

// A written is where a member of an object stands in what was written.
type written struct {
	start, nameEnd, end int
}

func appendCanonicalObject(dst, src []byte) (to, rest []byte) {
	dst, src = append(dst, '{'), skipSpace(src[1:])
	var few [16]written
	members, sorted := few[:0], true
	for src[0] != '}' {
		if src[0] == ',' {
			src = skipSpace(src[1:])
		}
		m := written{start: len(dst)}
		dst, src = appendCanonicalString(dst, src)
		m.nameEnd = len(dst)
		if n := len(members); n > 0 && sorted {
			last := members[n-1]
			sorted = bytes.Compare(dst[last.start:last.nameEnd], dst[m.start:m.nameEnd]) <= 0
		}
		dst, src = append(dst, ':'), skipSpace(src)[1:]
		dst, src = appendCanonical(dst, src)
		dst = append(dst, ',')
		m.end = len(dst)
		members, src = append(members, m), skipSpace(src)
	}
	if !sorted {
		sortMembers(dst, members)
	}
	if len(members) > 0 {
		dst = dst[:len(dst)-1] // the last comma
	}
	return append(dst, '}'), src[1:]
}

// sortMembers puts the members, which end dst, in the order of their names.
func sortMembers(dst []byte, members []written) {
	first := members[0].start
	was := slices.Clone(dst[first:])
	slices.SortStableFunc(members, func(a, b written) int {
		return bytes.Compare(was[a.start-first:a.nameEnd-first], was[b.start-first:b.nameEnd-first])
	})
	at := first
	for _, m := range members {
		at += copy(dst[at:], was[m.start-first:m.end-first])
	}
}

func appendCanonicalString(dst, src []byte) (to, rest []byte) {
	dst = append(dst, '"')
	for i := 1; ; {
		plain := i
		for src[i] != '"' && src[i] != '\\' {
			i++
		}
		dst = append(dst, src[plain:i]...)
		if src[i] == '"' {
			return append(dst, '"'), src[i+1:]
		}
		dst, i = appendCanonicalEscape(dst, src, i)
	}
}

// appendCanonicalText writes a text that is decoded already.
func appendCanonicalText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := range len(text) {
		if c := text[i]; c == '"' || c == '\\' || c < ' ' {
			dst = appendEscaped(dst, rune(c))
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// appendCanonicalEscape writes what the escape at src[i] stands for and returns
// where it ends.
func appendCanonicalEscape(dst, src []byte, i int) ([]byte, int) {
	switch c := src[i+1]; c {
	case 'u':
		return appendCanonicalUnicode(dst, src, i)
	case 'b':
		return appendCanonicalRune(dst, '\b'), i + 2
	case 'f':
		return appendCanonicalRune(dst, '\f'), i + 2
	case 'n':
		return appendCanonicalRune(dst, '\n'), i + 2
	case 'r':
		return appendCanonicalRune(dst, '\r'), i + 2
	case 't':
		return appendCanonicalRune(dst, '\t'), i + 2
	default: // one of " \ /
		return appendCanonicalRune(dst, rune(c)), i + 2
	}
}

// appendCanonicalUnicode does so for \u and, where two of them are one
// character, for both.
func appendCanonicalUnicode(dst, src []byte, i int) ([]byte, int) {
	r := hexRune(src[i+2:])
	if !utf16.IsSurrogate(r) {
		return appendCanonicalRune(dst, r), i + 6
	}
	if next := src[i+6:]; len(next) >= 6 && next[0] == '\\' && next[1] == 'u' {
		if pair := utf16.DecodeRune(r, hexRune(next[2:])); pair != utf8.RuneError {
			return utf8.AppendRune(dst, pair), i + 12
		}
	}
	return appendEscaped(dst, r), i + 6
}

func appendCanonicalRune(dst []byte, r rune) []byte {
	if r == '"' || r == '\\' || r < ' ' {
		return appendEscaped(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

func appendEscaped(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// hexRune reads four hexadecimal digits.
func hexRune(digits []byte) rune {
	var r rune
	for _, c := range digits[:4] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

func skipSpace(src []byte) []byte {
	for len(src) > 0 && (src[0] == ' ' || src[0] == '\n' || src[0] == '\t' || src[0] == '\r') {
		src = src[1:]
	}
	return src
}
