package index

import "math"

// pooled says how many words of each field go into the vector of a tool, and
// what they weigh.
var pooled = [fieldCount]struct {
	words  int
	weight float32
}{
	inName:        {maxNameWords, 2},
	inDescription: {60, 1},
	inParameters:  {20, .4},
	inServer:      {6, .7},
}

// ofServer is how much of its server's direction a tool's vector gets.
const ofServer = .6

// pool keeps of the words that were seen those that the vector is made of, and
// adds up their vectors.
func (d *documenter) pool() {
	d.bag = d.bag[:0]
	var counts [fieldCount]int
	var sum [dimensions]float32
	for _, o := range d.seen {
		if counts[o.field]++; counts[o.field] > pooled[o.field].words {
			continue
		}
		d.bag = append(d.bag, o)
		m := &d.words.meanings[o.stem]
		add(&sum, &m.vector, pooled[o.field].weight*m.inMean*m.scale)
	}
	normalise(&sum)
	d.sums = append(d.sums, sum)
}

// settle gives each tool of the part its vector: its own direction and some of
// that of all its server's tools.
func (d *documenter) settle() {
	var all [dimensions]float32
	for i := range d.sums {
		for j, x := range d.sums[i] {
			all[j] += x
		}
	}
	normalise(&all)
	d.part.vectors = make([]vector, len(d.sums))
	d.part.scales = make([]float32, len(d.sums))
	for i := range d.sums {
		v := &d.sums[i]
		for j := range v {
			v[j] += ofServer * all[j]
		}
		d.part.vectors[i].set(v)
		d.part.scales[i] = d.part.vectors[i].scale()
	}
}

func add(to *[dimensions]float32, v *vector, weight float32) {
	for i, x := range v {
		to[i] += weight * float32(x)
	}
}

func normalise(v *[dimensions]float32) {
	var sum float32
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		return
	}
	scale := 1 / float32(math.Sqrt(float64(sum)))
	for i := range v {
		v[i] *= scale
	}
}

// mean is the vector of a query.
func mean(terms []term) (v vector, scale float32) {
	var sum [dimensions]float32
	for i := range terms {
		m := terms[i].meaning
		add(&sum, &m.vector, m.inMean*m.scale)
	}
	v.set(&sum)
	return v, v.scale()
}
