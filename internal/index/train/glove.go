package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	"toolcrib/internal/index"
)

const gloveDimensions = 100

// A stemVector is what GloVe knows of a stem: the vectors of its most frequent
// forms, the first weighing most.
type stemVector struct {
	rank   int // of its most frequent form
	forms  int
	vector [gloveDimensions]float64
}

// readGlove reads the first words of the file, by stem.
func readGlove(file string, words int) (map[string]*stemVector, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for { // up to the vectors
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("find the vectors in %s: %w", file, err)
		}
		if t == "vectors" {
			if next, err := d.Token(); err == nil && next == json.Delim('{') {
				break
			}
		}
	}
	stems := map[string]*stemVector{}
	for rank := 0; rank < words && d.More(); rank++ {
		word, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v []float64
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		addForm(stems, word.(string), rank, v)
	}
	for _, s := range stems {
		sum := 0.0
		for _, x := range s.vector {
			sum += x * x
		}
		for i := range s.vector {
			s.vector[i] /= math.Sqrt(sum)
		}
	}
	return stems, nil
}

func addForm(stems map[string]*stemVector, word string, rank int, v []float64) {
	if len(word) < 2 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return
	}
	root := index.Stem(word)
	s := stems[root]
	if s == nil {
		s = &stemVector{rank: rank}
		stems[root] = s
	}
	if s.forms == 4 {
		return
	}
	for i := range s.vector {
		s.vector[i] += v[i] * math.Pow(.5, float64(s.forms))
	}
	s.forms++
}
