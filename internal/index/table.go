package index

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sort"
	"sync"
)

// dimensions is how many numbers the vector of a word has.
const dimensions = 128

// A Table has a vector for each of many stems, trained so that the words of a
// request are near those of the tools that answer it. It is read in place.
type Table struct {
	threshold float32             // from which two words have to do with each other
	fields    [fieldCount]float32 // what a match in each field is worth
	ends      []byte              // 4 bytes a word: where its text ends
	texts     []byte              // of the words, sorted
	rows      []byte              // dimensions signed bytes a word
	queries   []byte              // a byte a word: what it weighs in a query
	means     []byte              // likewise in a mean
}

// weightSteps is how many steps of a weight make 1.
const weightSteps = 100

var tableMagic = []byte("toolcrib table 1")

//go:embed table.bin
var tableFile []byte

// defaultTable is the one that the index is shipped with.
var defaultTable = sync.OnceValue(func() *Table {
	t, err := LoadTable(tableFile)
	if err != nil {
		panic(fmt.Sprintf("the table of this binary: %v", err)) // a broken build, found by any test
	}
	return t
})

// LoadTable reads a table as the training writes it.
func LoadTable(data []byte) (*Table, error) {
	rest, ok := bytes.CutPrefix(data, tableMagic)
	head := 4 * (3 + int(fieldCount))
	if !ok || len(rest) < head {
		return nil, errors.New("it is not a table of word vectors")
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(rest[4*i:]) }
	count, size := int(number(0)), int(number(1))
	t := &Table{threshold: math.Float32frombits(number(2))}
	for f := range t.fields {
		t.fields[f] = math.Float32frombits(number(3 + f))
	}
	rest = rest[head:]
	if count <= 0 || len(rest) != 4*count+size+count*(dimensions+2) {
		return nil, fmt.Errorf("it has %d bytes, which do not hold %d words", len(data), count)
	}
	take := func(n int) []byte {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	t.ends, t.texts, t.rows = take(4*count), take(size), take(count*dimensions)
	t.queries, t.means = take(count), take(count)
	return t, nil
}

// find is the number of a stem, -1 if the table does not have it.
func (t *Table) find(stem string) int {
	count := len(t.queries)
	i := sort.Search(count, func(i int) bool { return string(t.text(i)) >= stem })
	if i < count && string(t.text(i)) == stem {
		return i
	}
	return -1
}

func (t *Table) text(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = binary.LittleEndian.Uint32(t.ends[4*i-4:])
	}
	return t.texts[start:binary.LittleEndian.Uint32(t.ends[4*i:])]
}

// What a word weighs that is not in the table.
const (
	strangeInQuery = 1
	strangeInMean  = .9
)
