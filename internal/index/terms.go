package index

import "math"

// A term is a word of a query.
type term struct {
	text   string
	word   wordID // among the words of the tools, unknown if none has it
	stem   uint32 // likewise
	weight float32
	idf    float32 // of the stem
	own    float32 // idf of the word as written
	class  class
	stop   bool
	meant  string // what it was taken for, if no tool has it

	meaning *meaning    // of one that counts
	near    []neighbour // of one that counts
}

const unknown = math.MaxUint32

// terms are the distinct words of a text by stem: those that count, and all.
func (x *Index) terms(text string) (counting, all []term) {
	counts := map[string]int{}
	n := 0
	eachWord(text, func(word string) bool {
		root := stem(word)
		if counts[root]++; counts[root] == 1 {
			t := x.term(word, root)
			all = append(all, t)
			if !t.stop {
				counting = append(counting, t)
			}
		}
		n++
		return n < maxQueryWords
	})
	x.correct(counting)
	for i := range counting {
		x.understand(&counting[i])
		counting[i].weight = 1 + .3*float32(math.Log(float64(counts[stem(counting[i].text)])))
	}
	return counting, all
}

func (x *Index) term(text, root string) term {
	t := term{text: text, word: unknown, stem: unknown, class: verbs[text], stop: stopWords[text]}
	if number, ok := x.words.stems[root]; ok && x.tools[number] > 0 {
		t.stem = number
		t.idf = x.idfs[number]
	} else {
		t.idf = x.idf(0)
	}
	if id, ok := x.words.ids[text]; ok {
		t.word = id
		t.own = x.idf(x.from[id+1] - x.from[id])
	}
	return t
}

// idf is how much a word tells that so many tools have.
func (x *Index) idf(tools uint32) float32 {
	n, has := float64(len(x.owner)), float64(tools)
	return float32(math.Log(1 + (n-has+.5)/(has+.5)))
}

// understand finds what has to do with a word.
func (x *Index) understand(t *term) {
	if t.stem != unknown {
		t.meaning, t.near = &x.words.meanings[t.stem], x.neighbours(t.stem)
		return
	}
	m := x.table.meaningOf(stem(t.text))
	t.meaning, t.near = &m, x.near(&m)
}
