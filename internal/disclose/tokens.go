package disclose

import (
	_ "embed"
	"strings"
	"sync"
)

// Tokens estimates how many tokens a model's tokenizer makes of a text. It is
// meant never to be too low: budgets hold under any tokenizer of the field, and a
// vocabulary of several megabytes need not be carried along to prove it. On what
// real servers write it is about 1.4 times what cl100k and o200k count
// (TestTokensAreNotUnderestimated prints it); tokenizers of other models count up
// to half as much again as those two.
//
// The rules follow what byte-pair tokenizers do: a common word is one token and
// a longer one a few, a pair of letters that is rare in English is a seam between
// tokens, digits go by threes, a space belongs to the word behind it, a mark of
// punctuation is one token or, between the values of JSON, half of one, and a byte
// that is no ASCII is at most one.
func Tokens(text string) int {
	n := 2
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isLetter(c):
			end := wordEnd(text, i)
			n += wordTokens(text[i:end])
			i = end
		case isDigit(c):
			end := i + 1
			for end < len(text) && isDigit(text[end]) {
				end++
			}
			n += (end - i + 2) / 3
			i = end
		case isJSONMark(c):
			end := i + 1
			for end < len(text) && isJSONMark(text[end]) {
				end++
			}
			n += (end - i + 1) / 2
			i = end
		case c == ' ' && i+1 < len(text) && isLetter(text[i+1]):
			i++ // belongs to the word
		default:
			n++
			i++
		}
	}
	return n
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isJSONMark is for the marks between the values of JSON, which tokenizers know
// by twos and threes.
func isJSONMark(c byte) bool {
	switch c {
	case '"', ',', ':', '{', '}', '[', ']':
		return true
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// wordEnd is where the word that starts at i ends: camelCase is two.
func wordEnd(text string, i int) int {
	end := i + 1
	for end < len(text) && isLetter(text[end]) {
		small, wasSmall := text[end] >= 'a', text[end-1] >= 'a'
		if !small && wasSmall {
			break
		}
		end++
	}
	return end
}

func wordTokens(word string) int {
	if isCommon(word) {
		return 1
	}
	seams := 0
	for i := 1; i < len(word); i++ {
		a, b := (word[i-1]|0x20)-'a', (word[i]|0x20)-'a'
		if commonPairs[a]>>b&1 == 0 {
			seams++
		}
	}
	long := max(0, len(word)-8) / 3 // few words are so long, and strings of letters are
	return min(len(word), 1+(len(word)-1)/4+long+seams)
}

// words.txt has the words that real servers use most and that both cl100k and
// o200k know as one token, small or with a capital, with a space before them or
// without (TestCommonWordsAreOneToken).
//
//go:embed words.txt
var wordList string

var commonWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.Lines(wordList) {
		words[strings.TrimSpace(word)] = true
	}
	return words
})

// longestCommon is the length of the longest common word.
const longestCommon = 20

func isCommon(word string) bool {
	if len(word) > longestCommon {
		return false
	}
	var small [longestCommon]byte
	for i := range len(word) {
		if i > 0 && word[i] < 'a' {
			return false // only the first may be a capital
		}
		small[i] = word[i] | 0x20
	}
	return commonWords()[string(small[:len(word)])]
}

// commonPairs has a bit for each pair of letters that makes up at least one in
// 3,000 of all pairs in the descriptions of real tools: row a, bit b for "ab".
var commonPairs = [26]uint32{
	0x13ebd6e, 0x1164b11, 0x11ecd95, 0x116c919, 0x1efb97f, 0x11a4931, 0x01669d1, 0x0184111,
	0x22ef87f, 0x0040010, 0x0040110, 0x11c4919, 0x014d117, 0x13c6d7d, 0x0feff6f, 0x01ec999,
	0x0100000, 0x13e7d5d, 0x11ccd95, 0x15ed995, 0x00eb95f, 0x0000111, 0x0066191, 0x0088101,
	0x004d000, 0x0000011,
}
