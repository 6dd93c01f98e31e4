package catalog

import "encoding/binary"

// A hashWriter collects values to be hashed so that no two different rows of
// values look alike: each text is preceded by its length.
type hashWriter struct{ b []byte }

func (w *hashWriter) reset() { w.b = w.b[:0] }

func (w *hashWriter) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *hashWriter) flag(set bool) {
	if set {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *hashWriter) text(s string) {
	w.number(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *hashWriter) bytes(b []byte) {
	w.number(uint64(len(b)))
	w.b = append(w.b, b...)
}
