//go:build unix

package script

import "syscall"

// An area is address space of its own, so that growing moves nothing and freeing
// gives the memory back at once.
type area struct {
	bytes  []byte
	mapped bool
}

func reserve(most uint64) *area {
	bytes, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return &area{} // no address space to be had: grow on the heap
	}
	return &area{bytes: bytes, mapped: true}
}

func (a *area) grow(size uint64) []byte {
	if a.mapped {
		return a.bytes[:size]
	}
	a.bytes = append(a.bytes, make([]byte, size-uint64(len(a.bytes)))...)
	return a.bytes
}

func (a *area) free() {
	if a.mapped {
		_ = syscall.Munmap(a.bytes)
	}
	a.bytes = nil
}
