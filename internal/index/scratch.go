package index

// A scratch is memory that one search works in and leaves to the next.
type scratch struct {
	scores []float32 // of each tool
}

func newScratch(x *Index) *scratch { return &scratch{scores: make([]float32, len(x.owner))} }
