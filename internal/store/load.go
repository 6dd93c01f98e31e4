package store

import (
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/catalog"
)

// maxAll bounds how much LoadAll holds in memory, in bytes of files.
const maxAll = 1 << 30

// Load gives the listing of a server, if there is one of this very identity. A
// time that is still to come (the clock was set back since) reads as now.
//
// Loading counts as use.
func (s *Store) Load(server, identity string) (catalog.Listing, bool) {
	stem := stemOf(server, identity)
	l, _, onDisk := s.read(stem)
	if onDisk {
		s.touch(stem)
	}
	l, ok := s.orInMemory(stem, l, onDisk)
	if !ok || l.Server != server || l.Identity != identity { // two may have one hash
		return catalog.Listing{}, false
	}
	return l, true
}

// LoadAll gives all listings there are, also those of servers that are no longer
// configured, ordered by server. It does not count as use: call Touch for those
// that are kept.
func (s *Store) LoadAll() []catalog.Listing {
	stems := s.inMemory()
	for _, e := range s.entries() {
		if k, stem := kindOf(e.Name()); k == listingFile {
			stems = append(stems, stem)
		}
	}
	slices.Sort(stems)
	stems = slices.Compact(stems)
	all := make([]catalog.Listing, 0, len(stems))
	total := 0
	for _, stem := range stems {
		if total > maxAll {
			s.warnOnce("all", "there are more saved listings than fit in memory: the rest is left out",
				"dir", s.dir, "next_step", "delete files of servers that are not in use")
			break
		}
		l, size, onDisk := s.read(stem)
		total += size
		if l, ok := s.orInMemory(stem, l, onDisk); ok {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b catalog.Listing) int { return strings.Compare(a.Server, b.Server) })
	return all
}

// entries reads the directory. One that is missing or unreadable is empty.
func (s *Store) entries() []fs.DirEntry {
	if s.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		s.failed(s.dir, nil, err)
	}
	return entries
}

// read reads a listing from disk, and says how large its file is. One that is
// damaged is set aside.
func (s *Store) read(stem string) (l catalog.Listing, size int, ok bool) {
	if s.dir == "" {
		return l, 0, false
	}
	path := s.path(stem + listingSuffix)
	b, info, err := readAll(path)
	var h header
	if err == nil {
		l, h, err = decodeListing(b)
	}
	if err != nil {
		s.failed(path, info, err)
		return catalog.Listing{}, 0, false
	}
	now := time.Now()
	taken, believed := h.when(info.ModTime(), now)
	if !believed {
		taken = now.UTC().Round(0)
	}
	l.Taken = taken
	return l, len(b), true
}

// orInMemory gives the later of what disk and memory have.
func (s *Store) orInMemory(stem string, l catalog.Listing, onDisk bool) (catalog.Listing, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.listings[stem]; ok && (!onDisk || !l.Taken.After(m.Taken)) {
		return m, true
	}
	return l, onDisk
}

// inMemory gives the stems of listings that could not be written.
func (s *Store) inMemory() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.listings))
}
