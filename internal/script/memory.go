package script

import (
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"
)

const pageSize = 1 << 16

// freeMemory is what each script may have without asking the budget.
const freeMemory = 2 * mb

// linearLimit is how large the machine's memory may grow so that Lua can use limit
// bytes of it: the allocator needs some for itself, and leaves gaps.
func linearLimit(limit int) uint64 { return uint64(limit)/4*5 + freeMemory }

func pages(n uint64) uint32 { return uint32((n + pageSize - 1) / pageSize) }

// A budget is the memory that all scripts share.
type budget struct {
	most int64
	used atomic.Int64
}

func (b *budget) take(n int64) bool {
	if b.used.Add(n) > b.most {
		b.used.Add(-n)
		return false
	}
	return true
}

func (b *budget) give(n int64) { b.used.Add(-n) }

// A linearMemory is the memory of one machine.
type linearMemory struct {
	area   *area
	budget *budget
	most   uint64
	taken  int64
	refuse bool // the budget had no more: others have it
}

// allocator makes the memory of one machine, and nothing before it is asked for.
func (l *linearMemory) allocator() experimental.MemoryAllocator {
	return experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory {
		l.area = reserve(l.most)
		return l
	})
}

// Reallocate grows the memory; nil is a refusal.
func (l *linearMemory) Reallocate(size uint64) []byte {
	if size > l.most {
		return nil
	}
	want := max(0, int64(size)-freeMemory)
	if more := want - l.taken; more > 0 {
		if !l.budget.take(more) {
			l.refuse = true
			return nil
		}
		l.taken = want
	}
	return l.area.grow(size)
}

// Free gives all of it back.
func (l *linearMemory) Free() {
	l.area.free()
	l.budget.give(l.taken)
	l.taken = 0
}
