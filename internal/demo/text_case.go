package demo

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

func cases() []string {
	return []string{"upper", "lower", "title", "sentence", "snake", "kebab", "camel", "pascal"}
}

func changeCase(_ context.Context, in struct {
	Text string `json:"text"`
	To   string `json:"to"`
},
) (string, coded, error) {
	out, err := toCase(in.Text, in.To)
	return out, coded{Text: out}, err
}

func toCase(text, to string) (string, error) {
	switch to {
	case "upper":
		return strings.ToUpper(text), nil
	case "lower":
		return strings.ToLower(text), nil
	case "title":
		return eachWord(strings.ToLower(text), func(rune) bool { return true }), nil
	case "sentence":
		begins := true
		return eachWord(strings.ToLower(text), func(before rune) bool {
			begins = begins || strings.ContainsRune(".!?\n", before)
			first := begins
			begins = false
			return first
		}), nil
	}
	words := nameWords(text)
	for i, w := range words {
		words[i] = strings.ToLower(w)
		if to == "pascal" || to == "camel" && i > 0 {
			words[i] = capitalize(words[i])
		}
	}
	switch to {
	case "snake":
		return strings.Join(words, "_"), nil
	case "kebab":
		return strings.Join(words, "-"), nil
	case "camel", "pascal":
		return strings.Join(words, ""), nil
	}
	return "", fmt.Errorf("no case %q: use one of %s", shorten(to), strings.Join(cases(), ", "))
}

// eachWord capitalizes the words that wanted picks, given the last mark before
// each that was no space.
func eachWord(text string, wanted func(before rune) bool) string {
	var b strings.Builder
	inWord, before := false, rune(0)
	for _, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || inWord && (r == '\'' || r == '’')
		if letter && !inWord && wanted(before) {
			r = unicode.ToTitle(r)
		}
		inWord = letter
		if !unicode.IsSpace(r) || r == '\n' {
			before = r
		}
		b.WriteRune(r)
	}
	return b.String()
}

func capitalize(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	if size == 0 {
		return word
	}
	return string(unicode.ToTitle(r)) + word[size:]
}

// nameWords takes a name apart: HTTPServer_id and "http server id" are the same
// three words.
func nameWords(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if len(word) > 0 && unicode.IsUpper(r) {
			before := word[len(word)-1]
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(before) || next {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	return words
}
