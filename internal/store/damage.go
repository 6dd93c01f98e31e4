package store

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// maxCorrupt is how many damaged files are kept for whoever wants to know why.
const maxCorrupt = 8

// failed deals with a file that could not be read; info is nil unless it could
// be opened.
func (s *Store) failed(path string, info fs.FileInfo, err error) {
	var damage damaged
	switch {
	case errors.As(err, &damage):
		s.setAside(path, info, damage)
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, syscall.ENOTDIR): // Open said it
	default:
		s.cannotRead(path, err)
	}
}

func (s *Store) cannotRead(path string, err error) {
	s.warnOnce("read", "what was saved cannot be read and is learned again",
		"file", path, "error", err, "next_step", "see that it belongs to you and that the disk is sound, or delete it")
}

// setAside renames a damaged file, unless it has been replaced meanwhile.
func (s *Store) setAside(path string, info fs.FileInfo, why damaged) {
	if now, err := os.Lstat(path); err != nil || !os.SameFile(info, now) {
		return
	}
	aside := path + corruptSuffix
	if err := rename(path, aside); err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // else another process was first
			s.warnOnce("damaged "+path, "a saved file is damaged and cannot be set aside: it is ignored and learned again",
				"file", path, "damage", string(why), "error", err, "next_step", nextStep(s.dir, err))
		}
		return
	}
	now := time.Now()
	_ = os.Chtimes(aside, now, now)
	s.log.Warn("a saved file is damaged: it was set aside and is learned again",
		"file", aside, "damage", string(why), "next_step", "nothing; see whether the disk is sound if it happens again")
	s.dropCorrupt()
}

// dropCorrupt removes all but the newest damaged files.
func (s *Store) dropCorrupt() {
	var files []fs.FileInfo
	for _, e := range s.entries() {
		if k, _ := kindOf(e.Name()); k != corruptFile {
			continue
		}
		if info, err := e.Info(); err == nil {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range files[min(len(files), maxCorrupt):] {
		_ = os.Remove(s.path(info.Name()))
	}
}
