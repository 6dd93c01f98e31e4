package index

import (
	"math"

	"toolcrib/internal/catalog"
)

// Vectors of somebody's own model, where there are some, are one more voice: they
// bring tools among the candidates and move them, but do not outvote all others.
const (
	ownEarly = 3  // what a cosine of 1 adds to what candidates are chosen by
	ownScore = 10 // what being behind the best by a cosine of 1 costs in the end
)

// ownVectors are those of all tools that have one.
type ownVectors struct {
	numbers int // in a vector
	rows    [][]int8
	scales  []float32
}

func collectOwn(tools []*catalog.Tool, vectorOf func(*catalog.Tool) []float32) *ownVectors {
	if vectorOf == nil {
		return nil
	}
	o := &ownVectors{rows: make([][]int8, len(tools)), scales: make([]float32, len(tools))}
	lengths := map[int]int{}
	for i, t := range tools {
		if v := vectorOf(t); len(v) > 0 {
			o.rows[i], o.scales[i] = shrink(v)
			lengths[len(v)]++
		}
	}
	for numbers, n := range lengths { // those of another length are of another model
		if n > lengths[o.numbers] || n == lengths[o.numbers] && numbers > o.numbers {
			o.numbers = numbers
		}
	}
	for i, row := range o.rows {
		if len(row) != o.numbers {
			o.rows[i] = nil
		}
	}
	if o.numbers == 0 {
		return nil
	}
	return o
}

// shrink makes whole numbers of v; scale makes a vector of length 1 of them.
func shrink(v []float32) (row []int8, scale float32) {
	most := float32(1e-9)
	for _, x := range v {
		most = max(most, x, -x)
	}
	row = make([]int8, len(v))
	var sum float64
	for i, x := range v {
		row[i] = int8(math.RoundToEven(float64(x / most * 127)))
		sum += float64(row[i]) * float64(row[i])
	}
	if sum == 0 {
		return row, 0
	}
	return row, float32(1 / math.Sqrt(sum))
}

// cosines are how near each tool is to a query by its own vector, nil if that is
// not known.
func (o *ownVectors) cosines(query []float32) []float32 {
	if o == nil || len(query) != o.numbers {
		return nil
	}
	q, scale := shrink(query)
	all := make([]float32, len(o.rows))
	for i, row := range o.rows {
		if row == nil {
			continue
		}
		var sum int32
		for j, x := range row {
			sum += int32(x) * int32(q[j])
		}
		all[i] = max(0, float32(sum)*scale*o.scales[i])
	}
	return all
}
