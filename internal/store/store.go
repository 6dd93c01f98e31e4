// Package store remembers on disk what servers offer, so that a gateway that
// starts can answer before any server has.
//
//	DIR/                                              0700
//	  github-3f2a9c1e07-77b0d2aa41.v1.json    0600    one listing
//	  github-3f2a9c1e07-77b0d2aa41.v1.memo    0600    what worked; its time: last use
//	  github-3f2a9c1e07.lock                  0600    who discovers the server now
//	  team-3f2a9c1e07-77b0d2aa41.v1.approval  0600    what a person agreed to
//	  team-3f2a9c1e07-77b0d2aa41.v1.gone      0600    it is for nothing since the file's time
//	  github-...-....v1.json.corrupt          0600    damaged, set aside (8 at most)
//	  .toolcrib-123456.tmp                    0600    being written
//
// A name is the server's, made readable, then a hash of it, then one of the
// identity: another command is another file. The format's version is part of
// the name as well, so that older and newer gateways can share a directory and
// neither reads nor replaces what the other wrote.
//
// Every client of a person starts its own gateway, so many processes work on one
// directory. They need no lock for that: a file is written under another name,
// synced and renamed into place, and the directory is synced. A reader
// sees the old file or the new one, whole, and never waits. Of two listings the
// one taken later stays. A lock is there only so that not all of them discover
// the same server at once.
//
// A file is lines of JSON. The first is a header: what the file is, format,
// when it was taken, size and sha256 of the rest, and a check of the header
// itself. The second is the listing without its definitions but with their sizes. The
// definitions follow, byte for byte as the server sent them. Loading checks the
// sum and cuts the file at those sizes; it decodes no definition.
//
// Servers are asked again every few minutes and mostly answer the same. Then
// nothing is written but the file's modification time: it says when the
// content was last found true, and the later of it and the header's time counts.
// It is not synced. If it is lost, or a copy of the directory has other times,
// a server is asked a little earlier or later than need be.
//
// What is here can all be learned again, so nothing here fails a start: a
// directory that cannot be used means listings are kept in memory, with one
// warning; a damaged file is set aside and is as if it were not there. The disk is
// tried again with each save, so that a full one is used again once it has room.
//
// Whoever starts a gateway opens the store, loads what is configured, and then
// lets Prune remove what nobody used for 30 days.
//
// Replacing a file is written out here instead of taken from renameio: that has
// nothing for Windows and does not sync the directory, which leaves thirty
// lines.
package store

import (
	"log/slog"
	"path/filepath"
	"sync"

	"toolcrib/internal/catalog"
)

// Options of a store. Zero values mean the defaults.
type Options struct {
	Log *slog.Logger // nothing is logged without
}

// A Store is a directory of listings. All methods may be used at once, by many
// goroutines and many processes.
type Store struct {
	dir string // "": in memory only
	log *slog.Logger

	writing [16]sync.Mutex // one writer for each server in this process

	mu       sync.Mutex
	listings map[string]catalog.Listing // that could not be written, by stem
	facts    map[string]Facts           // that could not be written, by stem
	pins     map[string][]byte          // that could not be written, by stem
	warned   map[string]bool
}

// Open makes dir, if it is missing, and never fails: what cannot be on disk is
// kept in memory, after one warning. With dir "" everything is.
func Open(dir string, o *Options) *Store {
	s := &Store{
		log:      slog.New(slog.DiscardHandler),
		listings: map[string]catalog.Listing{},
		facts:    map[string]Facts{},
		pins:     map[string][]byte{},
		warned:   map[string]bool{},
	}
	if o != nil && o.Log != nil {
		s.log = o.Log
	}
	if dir == "" {
		return s
	}
	s.dir = dir
	if absolute, err := filepath.Abs(dir); err == nil {
		s.dir = absolute
	}
	if err := makeDir(s.dir); err != nil {
		s.cannotSave(err)
		if isForbidden(err) {
			s.dir = ""
		}
	}
	return s
}

// path is where a file of the store is.
func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }
