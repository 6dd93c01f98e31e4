package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Change is what a file is to become.
type Change struct {
	File   string
	Before []byte
	After  []byte
	New    bool // there is no such file yet
}

// Needed tells whether there is anything to write.
func (c Change) Needed() bool { return c.New || !slices.Equal(c.Before, c.After) }

// Write writes the file, all of it or nothing, after a copy of what was there.
// Where the file is a link, what it leads to is written.
func (c Change) Write() (backup string, err error) {
	target, mode := c.File, fs.FileMode(0o600) // it may come to hold secrets
	if c.New {
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return "", fmt.Errorf("make the directory of %s: %w", c.File, reason(err))
		}
	} else {
		if target, err = filepath.EvalSymlinks(c.File); err != nil {
			return "", fmt.Errorf("write %s: %w", c.File, reason(err))
		}
		info, err := os.Stat(target)
		if err != nil {
			return "", fmt.Errorf("write %s: %w", c.File, reason(err))
		}
		mode = info.Mode().Perm()
		now, err := os.ReadFile(target)
		if err != nil {
			return "", fmt.Errorf("write %s: %w", c.File, reason(err))
		}
		if !slices.Equal(now, c.Before) {
			return "", fmt.Errorf("%s was changed by somebody else just now: try again", c.File)
		}
		if backup, err = saveCopy(c.File, c.Before, mode); err != nil {
			return "", err
		}
	}
	return backup, Replace(target, c.After, mode)
}

// saveCopy keeps text in the first free of FILE.bak, FILE.bak.1 and so on.
func saveCopy(path string, text []byte, mode fs.FileMode) (string, error) {
	for i := range 1000 {
		name := path + ".bak"
		if i > 0 {
			name = fmt.Sprintf("%s.bak.%d", path, i)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep a copy of %s: %w", path, reason(err))
		}
		_, err = f.Write(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("keep a copy of %s: %w", path, err)
		}
		return name, nil
	}
	return "", fmt.Errorf("keep a copy of %s: there are too many already; remove some of %s.bak*", path, path)
}

// Replace puts a whole new file in the place of another, or of none.
func Replace(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, reason(err))
	}
	defer os.Remove(f.Name()) // gone already if all went well
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// current is a file as it is, with New set if it is not there.
func current(path string) (Change, error) {
	src, err := readSmall(path, maxForeign)
	if errors.Is(err, fs.ErrNotExist) {
		return Change{File: path, New: true}, nil
	}
	if err != nil {
		return Change{}, fileError(path, "cannot be read: %v", reason(err))
	}
	return Change{File: path, Before: src}, nil
}
