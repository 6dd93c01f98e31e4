package store

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// open opens a file of ours and says how large it is. Anything but a regular
// file - a pipe would make the reader wait - is no file of ours.
func open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// readAll reads a file in one piece. It comes with the file's info even when
// it is damaged.
func readAll(path string) ([]byte, fs.FileInfo, error) {
	f, info, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > maxFile {
		return nil, info, damaged("the file is larger than any that is written")
	}
	b := make([]byte, info.Size())
	switch n, err := io.ReadFull(f, b); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b[:n], info, nil // it was cut off just now: the sum will tell
	case err != nil && !errors.Is(err, io.EOF):
		return nil, nil, err
	}
	return b, info, nil
}

// replace puts a new file in the place of path, or leaves everything as it was.
// When it returns without an error the file outlives a crash of the machine.
func (s *Store) replace(path string, modified time.Time, write func(io.Writer) error) error {
	f, err := os.CreateTemp(s.dir, temporaryPrefix+"*"+temporarySuffix)
	if errors.Is(err, fs.ErrNotExist) {
		// Caches are deleted by hand, also below a running gateway.
		if err := makeDir(s.dir); err != nil {
			return err
		}
		f, err = os.CreateTemp(s.dir, temporaryPrefix+"*"+temporarySuffix)
	}
	if err != nil {
		return err
	}
	temporary := f.Name()
	if err = fill(f, write); err == nil && !modified.IsZero() {
		err = os.Chtimes(temporary, time.Time{}, modified)
	}
	if err == nil {
		err = rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
		return err
	}
	return syncDir(s.dir)
}

// fill writes and closes f.
func fill(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 64<<10)
	err := f.Chmod(0o600) // whatever the umask left of it
	if err == nil {
		err = write(w)
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
