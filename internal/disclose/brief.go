package disclose

import (
	"strings"
	"unicode/utf8"
)

// brief is the beginning of a server's description, on one line: as many whole
// sentences as fit into so many tokens, of a longer one its first words.
func brief(description string, tokens int) string {
	text := strings.TrimSpace(plainText.Replace(Line(head(description, briefSource))))
	if Tokens(text) <= tokens {
		return text
	}
	taken := ""
	for rest := text; rest != ""; {
		end := sentenceEnd(rest)
		next := taken + rest[:end]
		if Tokens(next) > tokens {
			break
		}
		taken, rest = next, rest[end:]
	}
	if taken = strings.TrimSpace(taken); taken != "" {
		return taken
	}
	return firstWords(text, tokens)
}

// briefSource is how much of a description is looked at.
const briefSource = 2000

// head is the beginning of a text, not cut inside a character.
func head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// plainText takes the marks of Markdown out that only cost.
var plainText = strings.NewReplacer("**", "", "__", "", "```", "", "### ", "", "## ", "", "# ", "")

// sentenceEnd is where the first sentence ends, with the space behind it.
func sentenceEnd(text string) int {
	for i := 0; i+1 < len(text); i++ {
		switch text[i] {
		case '.', '!', '?':
			if text[i+1] == ' ' && !abbreviated(text[:i]) {
				return i + 2
			}
		}
		for _, stop := range [...]string{"。", "！", "？"} {
			if strings.HasPrefix(text[i:], stop) {
				return i + len(stop)
			}
		}
	}
	return len(text)
}

// abbreviated tells that the point behind a text ends no sentence: e.g. this one.
func abbreviated(before string) bool {
	word := before[strings.LastIndexByte(before, ' ')+1:]
	word = strings.TrimLeft(word, "(")
	return len(word) == 1 || word == "e.g" || word == "i.e" || word == "etc" || word == "vs"
}

// firstWords is as much of a text as fits, at least its first word.
func firstWords(text string, tokens int) string {
	end := len(text)
	for end > 0 && Tokens(text[:end])+1 > tokens {
		space := strings.LastIndexByte(text[:end], ' ')
		if space <= 0 {
			return Cut(text[:end], max(8, tokens))
		}
		end = space
	}
	if end == len(text) {
		return text
	}
	return strings.TrimRight(text[:end], " ,;:(") + "…"
}
