package store

import (
	"fmt"
	"io"
	"os"
	"time"

	"toolcrib/internal/catalog"
)

// Save remembers a listing, unless one of the same server and identity is there
// that was taken later. It is on disk when Save returns; if the disk refuses, it
// is in memory, which was warned about once and is no error. An error is a
// listing that cannot be saved as it is.
//
// A listing of one authorization alone must have an identity that no other
// authorization shares.
//
// One that is already there is not written again: only its time is noted.
func (s *Store) Save(l catalog.Listing) error {
	e, err := encodeListing(l)
	if err != nil {
		return fmt.Errorf("save the listing of %s: %w", l.Server, err)
	}
	stem := stemOf(l.Server, l.Identity)
	defer s.lockWriting(stem)()
	if s.dir != "" {
		if err = s.saveFile(s.path(stem+listingSuffix), e); err == nil {
			s.mu.Lock()
			delete(s.listings, stem)
			s.mu.Unlock()
			s.touch(stem)
			return nil
		}
		s.cannotSave(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if before, ok := s.listings[stem]; !ok || !before.Taken.After(l.Taken) {
		s.listings[stem] = l
	}
	return nil
}

// lockWriting lets one goroutine at a time write a server's files. Other
// processes are not kept from it: with them, the last rename wins.
func (s *Store) lockWriting(stem string) (unlock func()) {
	m := &s.writing[stem[len(stem)-1]%byte(len(s.writing))] // it ends in a hash
	m.Lock()
	return m.Unlock
}

// saveFile brings a file up to date with as little writing as will do.
func (s *Store) saveFile(path string, e *encoded) error {
	if canStay(path, e.header) {
		return nil
	}
	return s.replace(path, e.header.Taken, e.write)
}

// canStay says whether the file that is there will do: one that was taken later,
// or one with the same content, which then only gets the new time.
func canStay(path string, h header) bool {
	f, info, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close() // held until the end, so that no other file gets its number
	b := make([]byte, maxHeader)
	n, _ := io.ReadFull(f, b)
	there, rest, err := readHeader(b[:n], h.Toolcrib)
	if err != nil || info.Size() != int64(n-len(rest)+there.Size) {
		return false
	}
	taken, believed := there.when(info.ModTime(), time.Now())
	if believed && taken.After(h.Taken) {
		return true
	}
	if there.SHA256 != h.SHA256 {
		return false
	}
	if taken.Equal(h.Taken) {
		return true
	}
	if there.Taken.IsZero() || os.Chtimes(path, time.Time{}, h.Taken) != nil {
		return false
	}
	// If another process replaced the file just now, the time went to a content
	// that nobody compared: then ours is written after all.
	now, err := os.Stat(path)
	return err == nil && os.SameFile(info, now)
}
