package index

import "toolcrib/internal/catalog"

// What follows is for the program that trains the table and the re-ranker: it has
// to see tools and queries exactly as the index does.

// A Reading is what the index reads of a tool.
type Reading struct {
	Start    []uint32  // the words that vectors are matched with
	Fields   []uint8   // of each of Start, the most telling field it is in
	Bag      []uint32  // the words of the pooled vector
	Weights  []float32 // of each of Bag, by its field
	Postings []Posting
}

// A Posting is a word of a tool and what it weighs.
type Posting struct {
	Word        uint32
	Own, Shared uint8
}

// Words are the words of all tools, with the number of each one's stem.
func (x *Index) Words() (texts []string, stems []uint32) {
	for _, w := range x.words.words {
		texts, stems = append(texts, w.text), append(stems, w.stem)
	}
	return texts, stems
}

// Read is what the index reads of a tool of its snapshot.
func (x *Index) Read(t *catalog.Tool) Reading {
	var r Reading
	words := &lexicographer{dictionary: x.words, table: x.table}
	d := documenter{words: words, part: &part{}}
	d.add(t, serverText(t.Server()))
	doc := &d.part.documents[0]
	r.Start = d.part.words[doc.start.from:doc.start.to]
	for _, f := range d.part.fields {
		r.Fields = append(r.Fields, uint8(f))
	}
	for _, o := range d.bag {
		r.Bag, r.Weights = append(r.Bag, o.word), append(r.Weights, pooled[o.field].weight)
	}
	for _, p := range d.part.postings {
		r.Postings = append(r.Postings, Posting{p.id, p.own, p.shared})
	}
	return r
}

// A QueryWord is a word of a query; Word and Stem are -1 if no tool has it.
type QueryWord struct {
	Text       string
	Word, Stem int
	Weight     float32
}

// ReadQuery are the words of a query that count.
func (x *Index) ReadQuery(text string) []QueryWord {
	terms, _ := x.terms(text)
	var out []QueryWord
	for _, t := range terms {
		q := QueryWord{t.text, -1, -1, t.weight}
		if t.word != unknown {
			q.Word = int(t.word)
		}
		if t.stem != unknown {
			q.Stem = int(t.stem)
		}
		out = append(out, q)
	}
	return out
}

// Stem is what all forms of a word have in common.
func Stem(word string) string { return stem(word) }

// An Examined is a tool that was looked at closely, and what was seen.
type Examined struct {
	Tool     *catalog.Tool
	Features []float32
}

// Examine are the tools that a search for a text looks at closely, before they
// are put in order.
func (x *Index) Examine(text string) []Examined {
	s := x.begin(&Query{Text: text})
	s.closely(func(*examiner) {})
	out := make([]Examined, len(s.ranked))
	for i := range s.ranked {
		out[i] = Examined{x.tool(s.ranked[i].tool), s.ranked[i].features[:]}
	}
	return out
}

// Weigh is what the verdict on a query rests on, nil if no word of it counts.
func (x *Index) Weigh(q *Query) []float32 {
	s := x.begin(q)
	var found []float32
	s.closely(func(e *examiner) {
		if s.order(); len(s.ranked) > 0 {
			v := e.evidence(s.ranked)
			found = v[:]
		}
	})
	return found
}
