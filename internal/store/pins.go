package store

import (
	"bytes"
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Pins keep, for each server as it is configured, what was approved of it. What is
// in them is whoever uses them's to say. Unlike listings they cannot be learned
// again, so they are never cleared away; a store that has them has nothing else.
type Pins struct{ s *Store }

// Pins of this store.
func (s *Store) Pins() Pins { return Pins{s} }

const (
	pinsSuffix = ".v1.pins"
	pinsKind   = "pins"

	// pinsPatience is how long another process may take to change the same file.
	pinsPatience = 2 * time.Second
)

// Load gives what is kept of a server, if anything is.
func (p Pins) Load(server, identity string) ([]byte, bool) { return p.load(stemOf(server, identity)) }

func (p Pins) load(stem string) ([]byte, bool) {
	p.s.mu.Lock()
	b, ok := p.s.pins[stem]
	p.s.mu.Unlock()
	if ok || p.s.dir == "" {
		return b, ok
	}
	path := p.s.path(stem + pinsSuffix)
	b, info, err := readAll(path)
	if err == nil {
		_, b, err = readChecked(b, pinsKind)
	}
	if err != nil {
		p.s.failed(path, info, err)
		return nil, false
	}
	return bytes.TrimSuffix(b, newline), true
}

// Update changes what is kept of a server. change gets what is there, and whether
// anything is; what it returns is kept, unless it is nil. Other processes wait for
// it, as long as that makes sense. What cannot be written is kept in memory.
func (p Pins) Update(server, identity string, change func(was []byte, is bool) []byte) {
	stem := stemOf(server, identity)
	defer p.s.lockWriting(stem)()
	defer p.lock(stem)()
	next := change(p.load(stem))
	if next == nil {
		return
	}
	if p.s.dir != "" {
		e := &encoded{header: header{Toolcrib: pinsKind}, pieces: [][]byte{next}}
		err := e.seal()
		if err == nil {
			err = p.s.replace(p.s.path(stem+pinsSuffix), time.Time{}, e.write)
		}
		if err == nil {
			p.s.mu.Lock()
			delete(p.s.pins, stem)
			p.s.mu.Unlock()
			return
		}
		p.s.cannotSave(err)
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.s.pins[stem] = next
}

// lock keeps other processes from changing a file at the same time.
func (p Pins) lock(stem string) (unlock func()) {
	if p.s.dir == "" {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(context.Background(), pinsPatience)
	defer cancel()
	l := flock.New(p.s.path(stem+lockSuffix), flock.SetPermissions(0o600))
	if ok, err := l.TryLockContext(ctx, 5*time.Millisecond); err != nil || !ok {
		p.s.log.Debug("pins are changed without a lock", "error", err)
		return func() {}
	}
	return func() { _ = l.Unlock() }
}

// Changed is when any of the pins last changed, zero if that cannot be told: a file
// is put into its place by a rename, which the directory's time shows.
func (p Pins) Changed() time.Time {
	if p.s.dir == "" {
		return time.Time{}
	}
	info, err := os.Stat(p.s.dir)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
