package index

import "math"

// Words that are not in the table get a vector made of their letters, so that
// those that differ little are near each other, and others are not.

// spell gives a word's vector by its runs of three to five letters.
func spell(word string, to *[dimensions]float32) {
	clear(to[:])
	marked := "<" + word + ">"
	for n := 3; n <= 5; n++ {
		for i := 0; i == 0 || i+n <= len(marked); i++ {
			addNoise(marked[i:min(i+n, len(marked))], to)
		}
	}
	var sum float32
	for _, x := range to {
		sum += x * x
	}
	scale := 1 / float32(math.Sqrt(float64(sum)))
	for i := range to {
		to[i] *= scale
	}
}

// addNoise adds a vector that is the same for the same letters and has nothing
// to do with any other.
func addNoise(letters string, to *[dimensions]float32) {
	state := uint64(14695981039346656037) // FNV-1a
	for i := range len(letters) {
		state = (state ^ uint64(letters[i])) * 1099511628211
	}
	for i := 0; i < len(to); i += 8 {
		state += 0x9e3779b97f4a7c15 // SplitMix64
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		for j := range 8 {
			to[i+j] += float32(int8(z >> (8 * j)))
		}
	}
}

// Spell is the vector of a word that is not in the table, for training.
func Spell(word string) []float32 {
	var v [dimensions]float32
	spell(word, &v)
	return v[:]
}
