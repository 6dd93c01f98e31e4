package index

import (
	"math"
	"math/bits"
)

// A vector is the direction of a word, in whole numbers.
type vector [dimensions]int8

// A code is the signs of a vector: two that point the same way have most in
// common, which is much quicker to see than by multiplying.
type code [dimensions / 64]uint64

// A meaning is what is known of a stem besides its letters.
type meaning struct {
	vector  vector
	code    code
	scale   float32 // what makes a vector one of length 1
	inQuery float32 // what it weighs
	inMean  float32
	known   bool // by the table
}

// meaningOf is the table's word on a stem; a stem that it does not have is spelled.
func (t *Table) meaningOf(stem string) meaning {
	var m meaning
	if i := t.find(stem); i >= 0 {
		row := t.rows[i*dimensions:]
		for j := range m.vector {
			m.vector[j] = int8(row[j])
		}
		m.inQuery, m.inMean = float32(t.queries[i])/weightSteps, float32(t.means[i])/weightSteps
		m.known = true
	} else {
		var v [dimensions]float32
		spell(stem, &v)
		m.vector.set(&v)
		m.inQuery, m.inMean = strangeInQuery, strangeInMean
	}
	m.scale = m.vector.scale()
	m.code = m.vector.code()
	return m
}

// set makes whole numbers of v, as large as fit.
func (u *vector) set(v *[dimensions]float32) {
	most := float32(1e-9)
	for _, x := range v {
		most = max(most, x, -x)
	}
	for i, x := range v {
		u[i] = int8(math.RoundToEven(float64(x / most * 127)))
	}
}

func (u *vector) scale() float32 {
	if sum := u.dot(u); sum > 0 {
		return float32(1 / math.Sqrt(float64(sum)))
	}
	return 0
}

func (u *vector) code() (c code) {
	for i, x := range u {
		if x >= 0 {
			c[i/64] |= 1 << (i % 64)
		}
	}
	return c
}

func (u *vector) dot(v *vector) int32 {
	var a, b, c, d int32
	for i := 0; i < dimensions; i += 4 {
		a += int32(u[i]) * int32(v[i])
		b += int32(u[i+1]) * int32(v[i+1])
		c += int32(u[i+2]) * int32(v[i+2])
		d += int32(u[i+3]) * int32(v[i+3])
	}
	return a + b + c + d
}

// apart is how many signs differ.
func (c *code) apart(d *code) int {
	return bits.OnesCount64(c[0]^d[0]) + bits.OnesCount64(c[1]^d[1])
}

// cosine is how much two stems have to do with each other, 1 for the same.
func (m *meaning) cosine(o *meaning) float32 {
	return float32(m.vector.dot(&o.vector)) * m.scale * o.scale
}
