package index

import "unicode/utf8"

// Typing errors are looked for in words that neither a tool nor the table has.
const (
	shortestTypo = 4  // letters
	longTypo     = 8  // letters from which on two may be wrong
	mostTypos    = 3  // words of a query that are looked at
	afterTypo    = .8 // what a word that was meant counts, one that was written being 1
)

// meant is the word of the tools that somebody may have meant by one that is
// like it; of several that are equally near, the one that most tools have.
func (x *Index) meant(text string) (wordID, bool) {
	length := utf8.RuneCountInString(text)
	if length < shortestTypo || length > longestWord || x.table.find(stem(text)) >= 0 {
		return 0, false
	}
	most := 1
	if length >= longTypo {
		most = 2
	}
	found, nearest, tools := wordID(0), most+1, uint32(0)
	for id := range x.words.words {
		w := &x.words.words[id]
		if len(w.text)-len(text) > most || len(text)-len(w.text) > most || w.stop || x.tools[w.stem] == 0 {
			continue
		}
		d := distance(text, w.text, min(most, nearest))
		if d < nearest || d == nearest && d <= most && x.tools[w.stem] > tools {
			found, nearest, tools = wordID(id), d, x.tools[w.stem]
		}
	}
	return found, nearest <= most
}

// correct gives unknown words of a query the meaning of those that were meant.
func (x *Index) correct(terms []term) {
	looked := 0
	for i := range terms {
		t := &terms[i]
		if t.stem != unknown || looked == mostTypos {
			continue
		}
		looked++
		if id, ok := x.meant(t.text); ok {
			w := &x.words.words[id]
			t.word, t.stem, t.meant = id, w.stem, w.text
			t.idf = afterTypo * x.idfs[w.stem]
			t.own = 0
		}
	}
}
