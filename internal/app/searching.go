package app

import (
	"sync"
	"sync/atomic"

	"toolcrib/internal/catalog"
	"toolcrib/internal/index"
)

// searching keeps the index in step with the snapshot. What was published can be
// listed at once; its index is made behind it, and whoever searches before it is
// ready waits for it.
type searching struct {
	snapshot func() *catalog.Snapshot
	current  atomic.Pointer[indexing]
	last     atomic.Pointer[index.Index] // the latest that is ready
	work     sync.WaitGroup
	with     *experience
}

// An indexing is the index of one snapshot, or the promise of it.
type indexing struct {
	of    *catalog.Snapshot
	index func() *index.Index
}

// prepare begins to index what is known now.
func (s *searching) prepare() {
	s.work.Go(func() { s.Index() })
	s.with.learn(s.snapshot(), s.again)
}

// again makes the index anew, though the snapshot is the same.
func (s *searching) again() { s.current.Store(s.promise(s.snapshot())) }

// Index is the index of what is known now.
func (s *searching) Index() *index.Index {
	for {
		snapshot, current := s.snapshot(), s.current.Load()
		if current != nil && current.of == snapshot {
			return current.index()
		}
		s.current.CompareAndSwap(current, s.promise(snapshot))
	}
}

func (s *searching) promise(snapshot *catalog.Snapshot) *indexing {
	return &indexing{of: snapshot, index: sync.OnceValue(func() *index.Index {
		made := index.New(s.last.Load(), snapshot, s.with.options())
		s.last.Store(made)
		return made
	})}
}

// close waits for what is being made.
func (s *searching) close() { s.work.Wait() }
