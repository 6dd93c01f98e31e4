package store

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

const (
	unusedFor    = 30 * 24 * time.Hour
	abandonedFor = time.Hour // no write takes that long: its process was killed
)

// Prune removes listings that nobody used for 30 days, and what killed processes
// left half written. Listings that are loaded, saved or touched are in use, so
// it is to be called when those of the configured servers have been: else the
// first start after a long holiday would find none.
func (s *Store) Prune() {
	now := time.Now()
	used := map[string]time.Time{}
	for _, e := range s.entries() {
		k, stem := kindOf(e.Name())
		if k == foreign || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		age := now.Sub(info.ModTime())
		switch k {
		case listingFile, memoFile:
			if info.ModTime().After(used[stem]) {
				used[stem] = info.ModTime()
			}
		case temporaryFile:
			if age > abandonedFor {
				_ = os.Remove(s.path(e.Name()))
			}
		case lockFile, corruptFile:
			if age > unusedFor {
				_ = os.Remove(s.path(e.Name()))
			}
		}
	}
	for stem, last := range used {
		if now.Sub(last) <= unusedFor {
			continue
		}
		if err := s.remove(stem); err == nil {
			s.log.Info("a listing that was not used for 30 days was removed", "file", stem+listingSuffix)
		}
	}
}

// remove deletes a listing and its memo.
func (s *Store) remove(stem string) error {
	var all error
	for _, suffix := range []string{listingSuffix, memoSuffix} {
		if err := os.Remove(s.path(stem + suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	return all
}

// Forget removes the listing of a server as it is configured, which is not to be served
// any more.
func (s *Store) Forget(server, identity string) {
	stem := stemOf(server, identity)
	defer s.lockWriting(stem)()
	s.mu.Lock()
	delete(s.listings, stem)
	s.mu.Unlock()
	if s.dir == "" {
		return
	}
	if err := os.Remove(s.path(stem + listingSuffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("a listing that does not count any more could not be removed", "file", stem+listingSuffix, "error", err)
	}
}

// Delete forgets everything about a server, whatever its identity was.
func (s *Store) Delete(server string) error {
	prefix := serverStem(server) + "-"
	s.mu.Lock()
	for stem := range s.listings {
		if strings.HasPrefix(stem, prefix) {
			delete(s.listings, stem)
		}
	}
	for stem := range s.facts {
		if strings.HasPrefix(stem, prefix) {
			delete(s.facts, stem)
		}
	}
	s.mu.Unlock()
	var all error
	for _, e := range s.entries() {
		if k, stem := kindOf(e.Name()); (k == listingFile || k == memoFile) && strings.HasPrefix(stem, prefix) {
			all = errors.Join(all, s.remove(stem))
		}
	}
	return all
}
