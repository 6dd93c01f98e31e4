package catalog

import "strings"

// A lexicon is a table of words, ready to be asked.
type lexicon struct {
	categories []string       // of each row
	anywhere   map[string]int // a word, or several with a space between, to its row
	inNames    map[string]int
	longest    map[string]int // first words of several, and of how many at most
}

// What this package knows.
var (
	known     = newLexicon(table)
	knownWeak = newLexicon(weak)
)

func newLexicon(rows []row) *lexicon {
	l := &lexicon{anywhere: map[string]int{}, inNames: map[string]int{}, longest: map[string]int{}}
	for i, r := range rows {
		l.categories = append(l.categories, r.category)
		for _, entry := range strings.Fields(r.words) {
			l.enter(l.anywhere, entry, i)
			l.enter(l.inNames, entry, i)
		}
		for _, entry := range strings.Fields(r.names) {
			l.enter(l.inNames, entry, i)
		}
	}
	return l
}

// enter puts a word, or several, into one of the maps, unless an earlier row
// has it.
func (l *lexicon) enter(to map[string]int, entry string, row int) {
	parts := strings.FieldsFunc(strings.ToLower(entry), func(r rune) bool { return !wordRune(r) })
	if len(parts) == 0 {
		return
	}
	for i := range parts {
		parts[i] = singular(parts[i])
	}
	if n := len(parts); n > 1 {
		l.longest[parts[0]] = max(l.longest[parts[0]], n)
	}
	key := strings.Join(parts, " ")
	if _, taken := to[key]; !taken {
		to[key] = row
	}
}

// none is the row of words that no row has.
const none = int(^uint(0) >> 1)

// rowOfName is the first row that has a word of a name.
func (l *lexicon) rowOfName(words []string) int { return l.first(l.inNames, words) }

// rowOfProse is the first row that has a word of a text.
func (l *lexicon) rowOfProse(words []string) int { return l.first(l.anywhere, words) }

func (l *lexicon) first(rows map[string]int, words []string) int {
	best := none
	for i, word := range words {
		if row, ok := rows[word]; ok {
			best = min(best, row)
		}
		for n := 2; n <= l.longest[word] && i+n <= len(words); n++ {
			if row, ok := rows[strings.Join(words[i:i+n], " ")]; ok {
				best = min(best, row)
			}
		}
	}
	return best
}

// together is how many of the words, from the first on, the table has as one
// entry: at least one.
func (l *lexicon) together(words []string) int {
	for n := min(l.longest[words[0]], len(words)); n > 1; n-- {
		if _, ok := l.inNames[strings.Join(words[:n], " ")]; ok {
			return n
		}
	}
	return 1
}

// category is the one of a row, "" for none.
func (l *lexicon) category(row int) string {
	if row == none {
		return ""
	}
	return l.categories[row]
}
