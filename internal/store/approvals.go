package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// Approvals keep what a person agreed to, one file each. What is in them is whoever
// uses them's to say. Unlike everything else here they are nobody's to guess: what
// cannot be read was not agreed to, what cannot be written is an error, and nothing is
// kept in memory, or cleared away as long as it may be of use: only Forget does that.
type Approvals struct{ s *Store }

// Approvals of this store.
func (s *Store) Approvals() Approvals { return Approvals{s} }

const (
	approvalSuffix = ".v1.approval"
	approvalKind   = "approval"

	// maxApproval is the most bytes that one can have and be read.
	maxApproval = 1 << 20
)

// Path is the file that keeps what was agreed to under a name in a place, "" if there
// is no directory for it.
func (a Approvals) Path(name, place string) string {
	if a.s.dir == "" {
		return ""
	}
	return a.s.path(stemOf(name, place) + approvalSuffix)
}

// Load gives what was agreed to, nil if nothing was.
func (a Approvals) Load(name, place string) ([]byte, error) {
	path := a.Path(name, place)
	if path == "" {
		return nil, nil
	}
	b, err := readApproval(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the approval in %s cannot be read: %w", path, err)
	}
	return b, nil
}

func readApproval(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxApproval {
		return nil, damaged("the file is larger than any that is written")
	}
	b, _, err := readAll(path)
	if err != nil {
		return nil, err
	}
	_, b, err = readChecked(b, approvalKind)
	return bytes.TrimSuffix(b, newline), err
}

// Save keeps what was agreed to. It is on disk when Save returns.
func (a Approvals) Save(name, place string, what []byte) error {
	path := a.Path(name, place)
	if path == "" {
		return errors.New("there is no directory of one's own to keep an approval in")
	}
	e := &encoded{header: header{Toolcrib: approvalKind}, pieces: [][]byte{what}}
	err := e.seal()
	if err == nil {
		err = a.s.replace(path, time.Time{}, e.write)
	}
	if err == nil {
		a.unmark(path)
	}
	if err != nil {
		return fmt.Errorf("keep the approval in %s: %w; %s", path, err, nextStep(a.s.dir, err))
	}
	return nil
}

// unmark takes back that what the approval in a file is for is gone.
func (a Approvals) unmark(path string) {
	_ = os.Remove(strings.TrimSuffix(path, approvalSuffix) + goneSuffix)
}

// Remove takes an approval back, and says whether there was one.
func (a Approvals) Remove(name, place string) (bool, error) {
	path := a.Path(name, place)
	if path == "" {
		return false, nil
	}
	switch err := os.Remove(path); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("take the approval in %s back: %w", path, err)
	}
	a.unmark(path)
	return true, syncDir(a.s.dir)
}
