package index

import (
	"cmp"
	"slices"

	"toolcrib/internal/catalog"
)

// The weights of BM25F. Average lengths are fixed: they are those of the real
// servers that the weights were chosen on, and a score does not change because
// another server came.
var bm25 = [fieldCount]struct{ weight, slope, average float32 }{
	inName:           {2, .3, 2.7},
	inDescription:    {1, .75, 20},
	inParameters:     {.5, .75, 5},
	inParameterTexts: {.25, .75, 25},
	inServer:         {1, .3, 2.5},
}

const saturation = 1.2 // BM25's k1

// impactSteps is how many steps an impact, at most saturation+1, is kept in.
const impactSteps = 255 / (saturation + 1)

// A posting says that a word occurs in a tool, and how much that weighs: as this
// word, and as its share of all words that have its stem.
type posting struct {
	id     uint32 // of the word within a part, of the tool within an index
	own    uint8
	shared uint8
	where  places
}

// places are where in a tool a word occurs.
type places uint16

const (
	atName places = 1 << iota
	atDescription
	atParameters
	atParameterTexts
	atServer
	firstForm // of its stem in this tool: counting these counts tools
)

// maxStart is how many distinct stems of a tool vectors are matched with.
const maxStart = 32

// A document is what the index keeps of a tool: ranges in the slices of a part.
type document struct {
	postings span
	name     span   // words of the name, stop words too
	lead     span   // words of the first sentence
	start    span   // the first distinct words
	fields   uint32 // where the fields of those begin
}

type span struct{ from, to uint32 }

// An occurrence is a word in a field.
type occurrence struct {
	word  wordID
	stem  uint32
	field field
	order uint32
}

// A documenter turns tools into documents of a part.
type documenter struct {
	words *lexicographer
	part  *part
	seen  []occurrence
	bag   []occurrence // those that the vector is made of
	sums  [][dimensions]float32
}

func (d *documenter) add(t *catalog.Tool, server string) {
	text := textsOf(t, server)
	p := d.part
	var doc document

	doc.name.from = uint32(len(p.words))
	d.seen = d.seen[:0]
	var lengths [fieldCount]float32
	limits := [fieldCount]int{maxNameWords, maxDescriptionWords, maxParameterWords, maxParameterTexts, maxServerWords}
	for f := range fieldCount {
		left := limits[f]
		eachWord(text[f], func(text string) bool {
			id := d.words.id(text)
			if f == inName {
				p.words = append(p.words, id)
			}
			if w := &d.words.words[id]; !w.stop {
				d.seen = append(d.seen, occurrence{id, w.stem, f, uint32(len(d.seen))})
				lengths[f]++
			}
			left--
			return left > 0
		})
	}
	doc.name.to = uint32(len(p.words))
	doc.lead = d.lead(text[inDescription])
	doc.start = d.start()
	d.pool()
	doc.postings = d.postings(&lengths)
	doc.fields = uint32(len(p.fields))
	for _, id := range p.words[doc.start.from:doc.start.to] {
		for _, o := range p.postings[doc.postings.from:doc.postings.to] {
			if o.id == id {
				p.fields = append(p.fields, o.where.field())
				break
			}
		}
	}
	p.documents = append(p.documents, doc)
}

func (d *documenter) lead(description string) span {
	from := len(d.part.words)
	eachWord(lead(description), func(text string) bool {
		if id := d.words.id(text); !d.words.words[id].stop {
			d.part.words = append(d.part.words, id)
		}
		return len(d.part.words)-from < maxLeadWords
	})
	return span{uint32(from), uint32(len(d.part.words))}
}

// start collects the words that vectors are matched with: of the name, a few of
// the server, the description and the parameters.
func (d *documenter) start() span {
	from := len(d.part.words)
	take := func(f field, most int) {
		for _, o := range d.seen {
			if o.field != f {
				continue
			}
			if most--; most < 0 || len(d.part.words)-from == maxStart {
				return
			}
			if !slices.ContainsFunc(d.part.words[from:], func(w wordID) bool { return d.words.words[w].stem == o.stem }) {
				d.part.words = append(d.part.words, o.word)
			}
		}
	}
	take(inName, maxNameWords)
	take(inServer, 4)
	take(inDescription, 40)
	take(inParameters, 6)
	return span{uint32(from), uint32(len(d.part.words))}
}

// postings weighs the words that were seen.
func (d *documenter) postings(lengths *[fieldCount]float32) span {
	p := d.part
	from := len(p.postings)
	var unit [fieldCount]float32
	for f := range unit {
		b := &bm25[f]
		unit[f] = b.weight / (1 - b.slope + b.slope*lengths[f]/b.average)
	}
	slices.SortFunc(d.seen, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.stem, b.stem), cmp.Compare(a.word, b.word), cmp.Compare(a.order, b.order))
	})
	for i := 0; i < len(d.seen); {
		first, total := len(p.postings), float32(0)
		var frequencies [8]float32
		root := d.seen[i].stem
		for i < len(d.seen) && d.seen[i].stem == root {
			word, frequency, where := d.seen[i].word, float32(0), places(0)
			for ; i < len(d.seen) && d.seen[i].word == word; i++ {
				frequency += unit[d.seen[i].field]
				where |= 1 << d.seen[i].field
			}
			total += frequency
			if n := len(p.postings) - first; n < len(frequencies) {
				frequencies[n] = frequency
				p.postings = append(p.postings, posting{id: word, own: quantise(saturate(frequency)), where: where})
			}
		}
		for n := range p.postings[first:] {
			x := &p.postings[first+n]
			x.shared = quantise(saturate(total) * frequencies[n] / total)
			if n == 0 {
				x.where |= firstForm
			}
		}
	}
	return span{uint32(from), uint32(len(p.postings))}
}

func saturate(frequency float32) float32 {
	return frequency * (saturation + 1) / (frequency + saturation)
}

func quantise(impact float32) uint8 { return uint8(min(max(impact*impactSteps+.5, 1), 255)) }

// field is the most telling field of places.
func (p places) field() field {
	for _, f := range []field{inName, inServer, inDescription, inParameters} {
		if p&(1<<f) != 0 {
			return f
		}
	}
	return inParameterTexts
}

// String names the most telling place.
func (p places) String() string {
	switch p.field() {
	case inName:
		return "name"
	case inServer:
		return "server"
	case inDescription:
		return "description"
	}
	return "parameters"
}
