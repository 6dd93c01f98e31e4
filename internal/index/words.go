package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestWord is where a run of letters is cut: what is longer is an encoded
// blob, and nobody asks for it.
const longestWord = 40

// eachWord calls yield with the words of a text, in lower case and without
// accents, until it returns false. A word ends where letters do, and where
// createIssue or HTTPServer show a new one. Letters and digits that touch are given
// together and the letters apart: s3 is s3, oauth2 is oauth2 and oauth; a name such
// as GitHub that the table knows is one word. Scripts
// without spaces are given in pairs of letters. Single letters are left out,
// single digits are not.
func eachWord(text string, yield func(word string) bool) {
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case dense(r):
			end := strings.IndexFunc(text, func(r rune) bool { return !dense(r) })
			if end < 0 {
				end = len(text)
			}
			if !eachPair(text[:end], yield) {
				return
			}
			text = text[end:]
		case !wordRune(r):
			text = text[size:]
		default:
			end, whole := twoPartName(text)
			if !whole {
				end = wordEnd(text)
			}
			if word := fold(text[:end]); whole && !yield(word) || !whole && !eachReading(word, yield) {
				return
			}
			text = text[end:]
		}
	}
}

// twoPartName tells whether text begins with a name such as GitHub, OneDrive or
// PostgreSQL that is known as a whole, and where it ends.
func twoPartName(text string) (end int, known bool) {
	if r, _ := utf8.DecodeRuneInString(text); !unicode.IsUpper(r) {
		return 0, false
	}
	first := wordEnd(text)
	if first == len(text) {
		return 0, false
	}
	if r, _ := utf8.DecodeRuneInString(text[first:]); !unicode.IsUpper(r) {
		return 0, false
	}
	end = first + wordEnd(text[first:])
	if end < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[end:]); wordRune(r) && !dense(r) {
			return 0, false
		}
	}
	return end, end <= longestWord && defaultTable().find(stem(fold(text[:end]))) >= 0
}

// wordsOf is eachWord as a slice.
func wordsOf(text string) []string {
	var all []string
	eachWord(text, func(word string) bool {
		all = append(all, word)
		return true
	})
	return all
}

// eachPair yields a run of a script without spaces two letters at a time.
func eachPair(run string, yield func(string) bool) bool {
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		return yield(run)
	}
	for start := 0; start+first < len(run); {
		_, second := utf8.DecodeRuneInString(run[start+first:])
		if !yield(run[start : start+first+second]) {
			return false
		}
		start, first = start+first, second
	}
	return true
}

// eachReading yields the words of a run of letters and digits.
func eachReading(run string, yield func(string) bool) bool {
	if len(run) > longestWord {
		run = strings.ToValidUTF8(run[:longestWord], "")
	}
	letters, digits := false, false
	for _, r := range run {
		if unicode.IsDigit(r) {
			digits = true
		} else {
			letters = true
		}
	}
	if !letters || !digits {
		return letters && single(run) || yield(run)
	}
	if !yield(run) {
		return false
	}
	for part := range strings.FieldsFuncSeq(run, unicode.IsDigit) {
		if !single(part) && !yield(part) {
			return false
		}
	}
	return true
}

func single(word string) bool {
	_, size := utf8.DecodeRuneInString(word)
	return size == len(word)
}

// wordEnd is where the word that text begins with ends.
func wordEnd(text string) int {
	var before, last rune
	lastAt := 0
	for i, r := range text {
		switch {
		case !wordRune(r) || dense(r):
			return i
		case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)):
			return i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before):
			return lastAt // HTTPServer: the S is of the word that follows
		}
		before, last, lastAt = last, r, i
	}
	return len(text)
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// dense tells whether a letter is of a script that writes no spaces.
func dense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// fold makes letters small and takes their accents off.
func fold(word string) string {
	plain := true
	for i := range len(word) {
		if b := word[i]; b >= utf8.RuneSelf || b >= 'A' && b <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return word
	}
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		switch {
		case r < 0xdf:
			return r
		case r <= 0x17f:
			if b := latin[r-0xdf]; b != ' ' {
				return rune(b)
			}
		case unicode.IsMark(r):
			return -1
		}
		return r
	}, word)
}

// latin has the letter without its accent for each from ß on; a space keeps it.
const latin = "saaaaaaaceeeeiiiidnooooo ouuuuy y" + // df-ff
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrsssssssstttttt" +
	"uuuuuuuuuuuuwwyyyzzzzzzs"
