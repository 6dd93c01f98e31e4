package index

// sameClass is what a verb of the query's class is worth in a name, where the
// verb itself is worth 1.
const sameClass = .7

// leastNameWeight is what any word of a name weighs: a word that all tools have
// still has to be explained.
const leastNameWeight = .6

// coverage is how much of a tool's name the query explains, 0 to 1: what is left
// over speaks for another tool. all are all words of the query, classes those of
// its verbs.
func (x *Index) coverage(tool uint32, all []term, classes class) float32 {
	p := &x.parts[x.owner[tool]]
	d := &p.documents[tool-p.start]
	var sum, covered float32
	for _, id := range p.words[d.name.from:d.name.to] {
		w := &x.words.words[id]
		weight := max(leastNameWeight, x.idfs[w.stem])
		sum += weight
		for i := range all {
			if all[i].stem == w.stem {
				covered += weight
				weight = 0
				break
			}
		}
		if w.class&classes != 0 {
			covered += sameClass * weight
		}
	}
	if sum == 0 {
		return 0
	}
	return covered / sum
}
