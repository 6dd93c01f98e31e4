package index

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sync"
)

// The order in the end is by a small network over the features, trained on
// requests whose answers are known. What a name and shared words say is
// added outside of it, so that no training can unlearn that it speaks for a tool.
const (
	keptOfBest      = 2
	keptNameCovered = .6
)

// How large the networks are.
const (
	Networks = 3
	Hidden   = 16
)

// Weights are those of the ranking networks.
type Weights struct {
	Mean, Scale [featureCount]float32
	Linear      [featureCount]float32
	First       [Networks][featureCount][Hidden]float32
	Bias        [Networks][Hidden]float32
	Second      [Networks][Hidden]float32
}

//go:embed rank.bin
var rankFile []byte

var defaultWeights = sync.OnceValue(func() *Weights {
	w, err := LoadWeights(rankFile)
	if err != nil {
		panic("the ranking weights of this binary: " + err.Error()) // a broken build, found by any test
	}
	return w
})

// LoadWeights reads weights as the training writes them.
func LoadWeights(data []byte) (*Weights, error) {
	w := new(Weights)
	if len(data) != binary.Size(w) {
		return nil, errors.New("they are of another version")
	}
	return w, binary.Read(bytes.NewReader(data), binary.LittleEndian, w)
}

// KeptFeatures are those that may not be learned to speak against a tool.
var KeptFeatures = []int{ofBest, nameCovered, nameShared, verb}

// KeptScore is the part of a score that is not learned.
func KeptScore(f []float32) float32 { return keptOfBest*f[ofBest] + keptNameCovered*f[nameCovered] }

// Score is what features are worth, for training.
func (w *Weights) Score(f []float32) float32 {
	var x features
	copy(x[:], f)
	return w.score(&x)
}

// score is what a candidate is ordered by.
func (w *Weights) score(f *features) float32 {
	score := KeptScore(f[:])
	var x features
	for i := range f {
		x[i] = (f[i] - w.Mean[i]) * w.Scale[i]
		score += w.Linear[i] * x[i]
	}
	for n := range Networks {
		sums := w.Bias[n]
		for i := range x { // sums grow side by side, which a processor does at once
			one, column := x[i], &w.First[n][i]
			for h := range sums {
				sums[h] += one * column[h]
			}
		}
		for h, sum := range sums {
			score += w.Second[n][h] * max(sum, 0)
		}
	}
	return score
}

// uncertain is what a tool loses that no server listed: it may not be there.
const uncertain = 4

// favoured is what a tool gains that experience fully speaks for: enough to decide
// between equals.
const favoured = .7

// order scores the candidates and puts the best first.
func (s *search) order() {
	nearest := float32(0)
	for _, cosine := range s.cosines {
		nearest = max(nearest, cosine)
	}
	for _, all := range [][]candidate{s.ranked, s.withheld} {
		for i := range all {
			c := &all[i]
			if c.named != "" {
				c.score = math.MaxFloat32
				continue
			}
			c.score = s.weights.score(&c.features)
			if s.cosines != nil {
				c.score += ownScore * (s.cosines[c.tool] - nearest)
			}
			t := s.tool(c.tool)
			if s.query.Favour != nil {
				c.score += favoured * min(max(s.query.Favour(t), 0), 1)
			}
			if !t.Callable() {
				c.score -= uncertain
			}
		}
		slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	}
}
