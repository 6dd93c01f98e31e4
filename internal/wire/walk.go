package wire

import "bytes"

// A walk goes through the members of an object. It is less than an Object, which remembers
// all of them, and gives up on what only that can judge: names with escapes, doubled ones,
// more than a few, and what is no object.
//
//	for w.open(i); w.next(); w.skip() {
//	}
//	// w.done
type walk struct {
	b      []byte
	levels int // that values may nest

	i     int    // what is next in b: after next the value, at the end what follows the object
	name  []byte // of the member
	tail  int    // where a further member goes
	count int    // of members
	done  bool   // the end was found, and all is well

	begun bool
	seen  [8][]byte
}

// open begins at an object.
func (w *walk) open(i int) {
	if i < len(w.b) && w.b[i] == '{' {
		w.begun, w.i = true, i+1
		w.tail = w.i
	}
}

// next comes to the value of the next member.
func (w *walk) next() bool {
	if !w.begun || w.done {
		return false
	}
	i := skipSpace(w.b, w.i)
	if i >= len(w.b) {
		return false
	}
	switch {
	case w.b[i] == '}':
		if w.count == 0 {
			w.tail = i
		}
		w.i, w.done = i+1, true
		return false
	case w.count == 0:
	case w.b[i] != ',':
		return false
	default:
		if i = skipSpace(w.b, i+1); i >= len(w.b) {
			return false
		}
	}
	if w.b[i] != '"' || w.count == len(w.seen) {
		return false
	}
	end, err := scanString(w.b, i)
	if err != nil {
		return false
	}
	w.name = w.b[i+1 : end-1]
	if bytes.IndexByte(w.name, '\\') >= 0 {
		return false
	}
	for _, other := range w.seen[:w.count] {
		if string(other) == string(w.name) {
			return false
		}
	}
	w.seen[w.count] = w.name
	w.count++
	if i = skipSpace(w.b, end); i >= len(w.b) || w.b[i] != ':' {
		return false
	}
	w.i = skipSpace(w.b, i+1)
	return true
}

// skip goes past the value.
func (w *walk) skip() {
	end, err := scanValue(w.b, w.i, w.levels)
	if err != nil {
		w.begun = false
		return
	}
	w.resume(end)
}

// resume goes on after the value.
func (w *walk) resume(end int) { w.i, w.tail = end, end }
