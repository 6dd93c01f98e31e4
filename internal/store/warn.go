package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// maxWarned bounds how many different warnings are told apart.
const maxWarned = 1000

// warnOnce warns, and about the same thing never again.
func (s *Store) warnOnce(about, message string, args ...any) {
	s.mu.Lock()
	said := s.warned[about] || len(s.warned) >= maxWarned
	if !said {
		s.warned[about] = true
	}
	s.mu.Unlock()
	if said {
		s.log.Debug(message, args...)
		return
	}
	s.log.Warn(message, args...)
}

// cannotSave says, once, that listings stay in memory.
func (s *Store) cannotSave(err error) {
	s.warnOnce("save", "listings cannot be saved: they are kept in memory, and servers are asked anew at the next start",
		"dir", s.dir, "error", err, "next_step", nextStep(s.dir, err))
}

func nextStep(dir string, err error) string {
	switch {
	case isShared(err):
		return fmt.Sprintf("chmod go-w %s, or choose another directory", dir)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Sprintf("free space where %s is", dir)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("make %s writable, or choose another directory", dir)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return fmt.Sprintf("a file is in the way of the directory %s: move it away, or choose another directory", dir)
	default:
		return fmt.Sprintf("see that files can be written in %s, or choose another directory", dir)
	}
}
