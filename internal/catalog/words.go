package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is read of a text to learn what a tool is about. Descriptions go on for
// pages, but say that in the beginning.
const (
	maxWords = 64
	maxText  = 1024 // bytes
	maxLead  = 300
)

// words splits names and prose into words, in lower case and in the singular:
// at anything that is no letter or digit, and where createIssue or HTTPServer
// show a new word. Digits part words as well, but where letters touch them both
// readings are given: s3 is s3, and oauth2 is oauth2 and oauth. Words of one
// letter and numbers are left out.
func words(text string) []string { return appendWords(make([]string, 0, 12), text) }

func appendWords(out []string, text string) []string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	before := len(out)
	apart := true // from the word before
	for len(text) > 0 && len(out)-before < maxWords {
		r, size := utf8.DecodeRuneInString(text)
		if !wordRune(r) {
			text, apart = text[size:], true
			continue
		}
		end := wordEnd(text)
		n := len(out)
		out = appendRun(out, strings.ToLower(text[:end]))
		if !apart && n > before && len(out) == n+1 {
			out = joinLast(out)
		}
		text, apart = text[end:], false
	}
	return out
}

// joinLast makes one of the last two words if the table knows them as one: to
// a reader of camel case GitHub, PostgreSQL and OneDrive are two words each.
func joinLast(out []string) []string {
	var space [64]byte
	n := len(out)
	joined := append(append(space[:0], out[n-2]...), out[n-1]...)
	if _, ok := known.inNames[string(joined)]; !ok {
		return out
	}
	out[n-2] = string(joined)
	return out[:n-1]
}

// wordEnd is where the word that text begins with ends.
func wordEnd(text string) int {
	var before, last rune // the two runes before the one looked at
	lastAt := 0
	for i, r := range text {
		switch {
		case !wordRune(r):
			return i
		case unicode.IsUpper(r) && (unicode.IsLower(last) && lastAt > 0 || unicode.IsDigit(last)): // but iOS is one
			return i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before):
			return lastAt // HTTPServer: the S is of the word that follows
		}
		before, last, lastAt = last, r, i
	}
	return len(text)
}

// appendRun appends the words of a run of letters and digits.
func appendRun(out []string, run string) []string {
	if !strings.ContainsAny(run, "0123456789") {
		return appendLetters(out, run)
	}
	parts := strings.FieldsFunc(run, unicode.IsDigit)
	if len(parts) == 0 {
		return out
	}
	out = append(out, run)
	for _, part := range parts {
		out = appendLetters(out, part)
	}
	return out
}

func appendLetters(out []string, word string) []string {
	if utf8.RuneCountInString(word) < 2 {
		return out
	}
	return append(out, singular(word))
}

// lead is the beginning of a description: its first sentence or line. One that
// is a heading ("Purpose:") is followed by more.
func lead(description string) string {
	const heading = 20
	text := strings.TrimSpace(description)
	if len(text) > maxLead {
		text = text[:maxLead]
	}
	for i := heading; i < len(text); i++ {
		if text[i] == '\n' || text[i] == ' ' && text[i-1] == '.' {
			return text[:i]
		}
	}
	return text
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// singular is near enough to group issue and issues: it need not be right for
// every word, only the same each time.
func singular(word string) string {
	if len(word) < 4 || word[len(word)-1] != 's' {
		return word
	}
	if one, odd := oddPlurals[word]; odd {
		return one
	}
	stem := word[:len(word)-1]
	switch {
	case endsIn(word, "ss", "us", "is"):
		return word
	case endsIn(word, "ies"):
		return word[:len(word)-3] + "y"
	case endsIn(word, "sses", "xes", "ches", "shes", "uses"):
		return word[:len(word)-2]
	}
	return stem
}

func endsIn(word string, endings ...string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

// oddPlurals are words that the rules of singular would spoil.
var oddPlurals = map[string]string{
	"aliases": "alias", "apis": "api", "emojis": "emoji", "pois": "poi",
	"analyses": "analysis", "caches": "cache", "causes": "cause", "clauses": "clause",
	"cookies": "cookie", "houses": "house", "indices": "index", "movies": "movie", "pauses": "pause",
	"responses": "response", "uses": "use", "vertices": "vertex", "warehouses": "warehouse",

	"always": "always", "analytics": "analytics", "atlas": "atlas", "canvas": "canvas", "css": "css",
	"devops": "devops", "diagnostics": "diagnostics", "does": "does", "gas": "gas", "graphics": "graphics",
	"has": "has", "jenkins": "jenkins", "kubernetes": "kubernetes", "lens": "lens", "maps": "map", "news": "news",
	"postgres": "postgres", "sales": "sales", "series": "series", "sms": "sms", "statistics": "statistics",
	"teams": "team", "was": "was", "yes": "yes",
}
