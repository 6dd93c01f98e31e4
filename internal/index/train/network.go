package main

import (
	"math"
	"math/rand/v2"

	"toolcrib/internal/index"
)

// A network is one of those that the ranking adds up, on its way.
type network struct {
	linear []float32
	first  [][]float32
	bias   []float32
	second []float32
}

// A recipe says how to train.
type recipe struct {
	epochs  int
	rate    float64
	decay   float64
	weights map[string]float32 // of groups of lists
	drop    float32            // share of candidates' lists left out of an epoch
}

func newNetwork(random *rand.Rand, features, hidden int) *network {
	n := &network{linear: make([]float32, features), bias: make([]float32, hidden), second: make([]float32, hidden)}
	for range hidden {
		row := make([]float32, features)
		for i := range row {
			row[i] = float32(random.NormFloat64()) * .15
		}
		n.first = append(n.first, row)
	}
	for h := range n.second {
		n.second[h] = float32(random.NormFloat64()) * .15
	}
	return n
}

// parameters are all numbers of the network, to be changed in place.
func (n *network) parameters() [][]float32 {
	return append([][]float32{n.linear, n.bias, n.second}, n.first...)
}

// learn trains a network to put what meets a need above what meets none.
func learn(lists []list, r recipe, seed uint64, mean, scale []float32) *network {
	random := rand.New(rand.NewPCG(seed, 17))
	features := len(mean)
	n := newNetwork(random, features, index.Hidden)
	gradient := newNetwork(random, features, index.Hidden)
	first, second := newNetwork(random, features, index.Hidden), newNetwork(random, features, index.Hidden)
	for _, m := range []*network{gradient, first, second} {
		for _, p := range m.parameters() {
			clear(p)
		}
	}
	const batch = 32
	steps, total := 0, r.epochs*(len(lists)+batch-1)/batch
	w := &worker{n: n, gradient: gradient, mean: mean, scale: scale}
	for range r.epochs {
		order := random.Perm(len(lists))
		for from := 0; from < len(order); from += batch {
			for _, i := range order[from:min(from+batch, len(order))] {
				if len(lists[i].needs) > 0 && random.Float32() >= r.drop {
					w.list(&lists[i], r.weights[lists[i].group]/batch)
				}
			}
			steps++
			rate := r.rate * math.Min(1, float64(steps)/100) * (1 - .95*float64(steps)/float64(total))
			adam(n, gradient, first, second, rate, r.decay, steps)
		}
	}
	return n
}

// adam takes a step and clears the gradient.
func adam(n, gradient, first, second *network, rate, decay float64, step int) {
	const b1, b2 = .9, .99
	c1, c2 := 1-math.Pow(b1, float64(step)), 1-math.Pow(b2, float64(step))
	p, g, m, v := n.parameters(), gradient.parameters(), first.parameters(), second.parameters()
	for i := range p {
		for j := range p[i] {
			x := float64(g[i][j]) + decay*float64(p[i][j])
			m1 := b1*float64(m[i][j]) + (1-b1)*x
			v1 := b2*float64(v[i][j]) + (1-b2)*x*x
			m[i][j], v[i][j], g[i][j] = float32(m1), float32(v1), 0
			p[i][j] -= float32(rate * (m1 / c1) / (math.Sqrt(v1/c2) + 1e-8))
		}
	}
	for _, i := range index.KeptFeatures { // what speaks for a tool may not be learned to speak against it
		n.linear[i] = max(n.linear[i], 0)
	}
}

// A worker adds up gradients.
type worker struct {
	n, gradient *network
	mean, scale []float32
	x, h        [][]float32
	scores      []float64
	slopes      []float64
}

func (w *worker) list(l *list, weight float32) {
	w.forward(l)
	gold := make([]bool, len(l.features))
	for _, need := range l.needs {
		for _, i := range need {
			gold[i] = true
		}
	}
	best := math.Inf(-1)
	for _, s := range w.scores {
		best = max(best, s)
	}
	others := 0.0
	for i, s := range w.scores {
		if !gold[i] {
			others += math.Exp(s - best)
		}
	}
	w.slopes = append(w.slopes[:0], make([]float64, len(w.scores))...)
	for _, need := range l.needs {
		met := 0.0
		for _, i := range need {
			met += math.Exp(w.scores[i] - best)
		}
		sum := met + others
		share := float64(weight) / float64(len(l.needs))
		for _, i := range need {
			p := math.Exp(w.scores[i] - best)
			w.slopes[i] += share * (p/sum - p/met)
		}
		for i, s := range w.scores {
			if !gold[i] {
				w.slopes[i] += share * math.Exp(s-best) / sum
			}
		}
	}
	w.backward()
}

func (w *worker) forward(l *list) {
	w.scores = w.scores[:0]
	for i, f := range l.features {
		if i == len(w.x) {
			w.x, w.h = append(w.x, make([]float32, len(f))), append(w.h, make([]float32, len(w.n.bias)))
		}
		x, h := w.x[i], w.h[i]
		score := float64(index.KeptScore(f))
		for j := range f {
			x[j] = (f[j] - w.mean[j]) * w.scale[j]
			score += float64(w.n.linear[j] * x[j])
		}
		for k, row := range w.n.first {
			sum := w.n.bias[k]
			for j, y := range x {
				sum += row[j] * y
			}
			h[k] = max(sum, 0)
			score += float64(w.n.second[k] * h[k])
		}
		w.scores = append(w.scores, score)
	}
}

func (w *worker) backward() {
	for i, slope := range w.slopes {
		if math.Abs(slope) < 1e-9 {
			continue
		}
		s, x := float32(slope), w.x[i]
		for j, y := range x {
			w.gradient.linear[j] += s * y
		}
		for k, h := range w.h[i] {
			if h <= 0 {
				continue
			}
			w.gradient.second[k] += s * h
			down := s * w.n.second[k]
			w.gradient.bias[k] += down
			row := w.gradient.first[k]
			for j, y := range x {
				row[j] += down * y
			}
		}
	}
}

// standard are the mean and one over the deviation of each feature.
func standard(lists []list) (mean, scale []float32) {
	features := len(lists[0].features[0])
	sums, squares, n := make([]float64, features), make([]float64, features), 0.0
	for _, l := range lists {
		for _, f := range l.features {
			for j, x := range f {
				sums[j] += float64(x)
				squares[j] += float64(x) * float64(x)
			}
			n++
		}
	}
	for j := range features {
		m := sums[j] / n
		mean = append(mean, float32(m))
		scale = append(scale, float32(1/(math.Sqrt(max(squares[j]/n-m*m, 0))+1e-3)))
	}
	return mean, scale
}
