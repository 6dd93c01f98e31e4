//go:build !unix

package script

// An area is memory on the heap.
type area struct{ bytes []byte }

func reserve(uint64) *area { return &area{} }

func (a *area) grow(size uint64) []byte {
	a.bytes = append(a.bytes, make([]byte, size-uint64(len(a.bytes)))...)
	return a.bytes
}

func (a *area) free() { a.bytes = nil }
