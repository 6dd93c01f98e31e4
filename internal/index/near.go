package index

// mostApart is how many signs two words may differ in and still be compared.
// Words at the threshold differ in fifty or so; of words that have nothing to do
// with each other, three in a hundred differ in no more than these.
const mostApart = 52

// A neighbour is a stem of the tools that has to do with a word of the query.
type neighbour struct {
	stem uint32
	like float32 // 0 to 1
}

// near are the stems that have to do with a word.
func (x *Index) near(m *meaning) []neighbour {
	var all []neighbour
	codes := x.words.codes
	for i := range codes {
		if m.code.apart(&codes[i]) > mostApart || x.tools[i] == 0 {
			continue
		}
		if like := m.cosine(&x.words.meanings[i]); like > x.table.threshold {
			all = append(all, neighbour{uint32(i), (like - x.table.threshold) / (1 - x.table.threshold)})
		}
	}
	return all
}

// neighbours is near for a stem of the tools, worked out once for an index.
func (x *Index) neighbours(stem uint32) []neighbour {
	if known := x.nearby[stem].Load(); known != nil {
		return *known
	}
	all := x.near(&x.words.meanings[stem])
	x.nearby[stem].Store(&all)
	return all
}

// A best is the best match of one word of the query in a tool so far.
type best struct {
	like float32
	term uint32 // which word, counted from 1
}

// match adds to sums, for each tool, how well each word of the query is matched
// by the best of the tool's first words: 0 to 1 over all words.
func (x *Index) match(terms []term, w *scratch) {
	var total float32
	for i := range terms {
		total += terms[i].meaning.inQuery
	}
	for i := range terms {
		t := &terms[i]
		share := t.meaning.inQuery / max(total, 1e-6)
		number := uint32(i + 1)
		for _, n := range t.near {
			for _, s := range x.starts[x.startFrom[n.stem]:x.startFrom[n.stem+1]] {
				tool := s >> startBits
				like := n.like * x.table.fields[s&(1<<startBits-1)]
				b := &w.best[tool]
				if b.term != number {
					*b = best{0, number}
				}
				if like > b.like {
					w.matches[tool] += share * (like - b.like)
					b.like = like
				}
			}
		}
	}
}

// startBits are for the field in an entry of starts.
const startBits = 3
