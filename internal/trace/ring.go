package trace

import (
	"context"
	"sync"
	"sync/atomic"
)

// ringSize is how many entries are remembered.
const ringSize = 1024

// A Ring remembers what was done last. Whoever adds an entry takes no lock and waits
// for nobody; whoever follows the ring keeps a place in it, and loses what was
// overwritten before they came to it. Nil remembers nothing.
type Ring struct {
	slots [ringSize]atomic.Pointer[Entry]
	ids   atomic.Uint64
	seq   atomic.Uint64 // of the newest

	followers atomic.Pointer[[]*Follower]
	mu        sync.Mutex // one changes followers at a time

	totals  counts
	minutes minutes
	servers sync.Map // *counts by name
	named   atomic.Int64
	clients clients

	listing  sync.Mutex
	routines map[string]routine // by server, the last that was remembered
}

// NewID is a name for an entry that others refer to before it is added.
func (r *Ring) newID() uint64 { return r.ids.Add(1) }

// add remembers an entry, which is not to be changed afterwards.
func (r *Ring) add(e *Entry) {
	if e.ID == 0 {
		e.ID = r.newID()
	}
	r.count(e)
	e.Seq = r.seq.Add(1)
	r.slots[e.Seq%ringSize].Store(e)
	if f := r.followers.Load(); f != nil {
		for _, one := range *f {
			select {
			case one.news <- struct{}{}:
			default: // it has not looked since the last
			}
		}
	}
}

// Latest is the place of the newest entry.
func (r *Ring) Latest() uint64 {
	if r == nil {
		return 0
	}
	return r.seq.Load()
}

// Size is how many entries are remembered at most.
func (r *Ring) Size() int { return ringSize }

// Back hands out entries older than a place, 0 being the end, the newest first, until
// want returns false.
func (r *Ring) Back(before uint64, want func(*Entry) bool) {
	if r == nil {
		return
	}
	last := r.seq.Load()
	if before == 0 || before > last+1 {
		before = last + 1
	}
	for at := before - 1; at > 0 && at+ringSize > last; at-- {
		e := r.slots[at%ringSize].Load()
		if e == nil || e.Seq != at {
			continue // it is about to be stored, or was overwritten
		}
		if !want(e) {
			return
		}
	}
}

// Entry is one by its ID, nil if it is not remembered.
func (r *Ring) Entry(id uint64) *Entry {
	var found *Entry
	r.Back(0, func(e *Entry) bool {
		if e.ID == id {
			found = e
		}
		return found == nil
	})
	return found
}

// A Follower sees entries as they are added.
type Follower struct {
	ring *Ring
	news chan struct{} // one slot: there is something after at
	at   uint64        // place of the last that was seen
}

// Follow begins after a place, or after what is there now if that is 0. Close ends it.
func (r *Ring) Follow(after uint64) *Follower {
	f := &Follower{ring: r, news: make(chan struct{}, 1), at: after}
	if r == nil {
		return f
	}
	if last := r.seq.Load(); after == 0 || after > last {
		f.at = last // a place of another life of the gateway is none
	}
	f.news <- struct{}{}
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*Follower
	if old := r.followers.Load(); old != nil {
		all = append(all, *old...)
	}
	all = append(all, f)
	r.followers.Store(&all)
	return f
}

// Close ends following.
func (f *Follower) Close() {
	if f.ring == nil {
		return
	}
	f.ring.mu.Lock()
	defer f.ring.mu.Unlock()
	var left []*Follower
	for _, one := range *f.ring.followers.Load() {
		if one != f {
			left = append(left, one)
		}
	}
	if left == nil {
		f.ring.followers.Store(nil)
		return
	}
	f.ring.followers.Store(&left)
}

// News has something in it when Next may have.
func (f *Follower) News() <-chan struct{} { return f.news }

// Next is the next entry, and how many before it were lost; nil if there is none yet.
func (f *Follower) Next() (e *Entry, missed uint64) {
	if f.ring == nil {
		return nil, 0
	}
	last := f.ring.seq.Load()
	if f.at+ringSize < last {
		missed = last - ringSize - f.at
		f.at += missed
	}
	for f.at < last {
		e := f.ring.slots[(f.at+1)%ringSize].Load()
		if e == nil || e.Seq <= f.at {
			return nil, missed // whoever adds it tells when it is there
		}
		f.at++
		if e.Seq == f.at {
			return e, missed
		}
		missed++ // it was overwritten meanwhile
	}
	return nil, missed
}

// Wait is Next for one who has nothing else to wait for.
func (f *Follower) Wait(ctx context.Context) (e *Entry, missed uint64) {
	for {
		e, lost := f.Next()
		if missed += lost; e != nil {
			return e, missed
		}
		select {
		case <-f.news:
		case <-ctx.Done():
			return nil, missed
		}
	}
}
