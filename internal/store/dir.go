package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// makeDir makes the directory, for us alone.
func makeDir(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		_ = syncDir(filepath.Dir(dir))
		return os.Chmod(dir, 0o700) // whatever the umask left of it
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	inside, err := os.Open(dir + string(filepath.Separator) + ".") // fails if it cannot be listed or entered
	if err != nil {
		return err
	}
	inside.Close()
	if runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return nil // Windows guards the user's folders by other means
	}
	return tighten(dir, info.Mode().Perm())
}

// tighten takes everybody else's permissions away, unless the directory holds
// things of others: a store in /tmp must not close /tmp. There files are
// readable by us alone, but where others can also write we would read as a
// server's tools what anybody put there.
func tighten(dir string, perm fs.FileMode) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if k, _ := kindOf(e.Name()); k != foreign {
			continue
		}
		if perm&0o022 != 0 {
			return &sharedError{dir: dir}
		}
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// A sharedError is a directory that must not be used, even though it could be.
type sharedError struct{ dir string }

func (e *sharedError) Error() string {
	return fmt.Sprintf("others can write to %s", e.dir)
}

func isShared(err error) bool {
	var shared *sharedError
	return errors.As(err, &shared)
}

// isForbidden tells a directory that is not for us from one that has no room now
// or is not there yet, and may be used later.
func isForbidden(err error) bool { return isShared(err) || errors.Is(err, fs.ErrPermission) }
