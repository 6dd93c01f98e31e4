package index

// A scratch is memory that one search works in and leaves to the next.
type scratch struct {
	scores  []float32 // of each tool: BM25
	matches []float32 // of each tool: how well the query's words are matched
	best    []best

	termOf  []uint8   // of each stem: which term of the query it is, counted from 1
	rowOf   []uint32  // of each stem: its row in likes, counted from 1
	likes   []float32 // rows of how much a stem has to do with each term
	touched []uint32  // stems in termOf or rowOf
}

func newScratch(x *Index) *scratch {
	n, stems := len(x.owner), len(x.words.forms)
	return &scratch{
		scores: make([]float32, n), matches: make([]float32, n), best: make([]best, n),
		termOf: make([]uint8, stems), rowOf: make([]uint32, stems),
	}
}

func (w *scratch) clear() {
	clear(w.scores)
	clear(w.matches)
	clear(w.best)
}
