package index

// lexical adds to scores what the words of the query are worth in each tool: by
// stem, and again where it has the very word.
func (x *Index) lexical(terms []term, scores []float32) {
	for i := range terms {
		t := &terms[i]
		if t.stem == unknown {
			continue
		}
		shared := t.weight * t.idf / impactSteps
		for _, form := range x.words.forms[t.stem] {
			own := float32(0)
			if form == t.word {
				own = t.weight * t.own / impactSteps
			}
			for _, p := range x.list(form) {
				scores[p.id] += shared*float32(p.shared) + own*float32(p.own)
			}
		}
	}
}
