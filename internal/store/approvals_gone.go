package store

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// ForgetAfter is how long what an approval is for has to be gone until the approval is
// removed. A volume that is not there may be back tomorrow, and asking a person again
// costs more than a small file.
const ForgetAfter = 90 * 24 * time.Hour

const (
	// goneSuffix ends the name of a file that is there while what an approval is for is
	// gone. Its time is when that was first seen.
	goneSuffix = ".v1.gone"
	// mostLooked is how many approvals Forget looks at in one go.
	mostLooked = 256
)

// A KeptApproval is one on disk.
type KeptApproval struct {
	File string
	What []byte    // that was agreed to
	Err  error     // why it cannot be read, and so counts for nothing
	Gone time.Time // since when what it is for is known to be gone; zero if it is not
}

// All are the approvals on disk, in the order of their names, read one at a time.
func (a Approvals) All() iter.Seq[KeptApproval] {
	return func(yield func(KeptApproval) bool) {
		for _, stem := range a.stems() {
			if !yield(a.kept(stem)) {
				return
			}
		}
	}
}

// stems are the names of the approvals on disk, without what they end in.
func (a Approvals) stems() []string {
	var out []string
	for _, e := range a.s.entries() {
		if stem, ok := strings.CutSuffix(e.Name(), approvalSuffix); ok && endsInHash(stem) && e.Type().IsRegular() {
			out = append(out, stem)
		}
	}
	return out
}

func (a Approvals) kept(stem string) KeptApproval {
	k := KeptApproval{File: a.s.path(stem + approvalSuffix)}
	if info, err := os.Lstat(a.s.path(stem + goneSuffix)); err == nil {
		k.Gone = info.ModTime()
	}
	k.What, k.Err = readApproval(k.File)
	return k
}

// Forget removes approvals of what has been gone for ForgetAfter, and returns how many
// these were. gone tells that what one is for is not there now; what cannot be read is
// left for people to see. It looks at some of them at a time, beginning anywhere, so that
// in the course of many starts all have their turn.
func (a Approvals) Forget(ctx context.Context, gone func(what []byte) bool) int {
	stems := a.stems()
	removed := 0
	if len(stems) == 0 {
		return 0
	}
	first, now := rand.IntN(len(stems)), time.Now()
	for i := range min(len(stems), mostLooked) {
		if ctx.Err() != nil {
			break
		}
		stem := stems[(first+i)%len(stems)]
		k := a.kept(stem)
		mark := a.s.path(stem + goneSuffix)
		switch {
		case k.Err != nil:
		case !gone(k.What):
			if !k.Gone.IsZero() {
				_ = os.Remove(mark)
			}
		case k.Gone.IsZero(), k.Gone.After(now): // a time still to come was written when the clock was wrong
			if err := a.s.mark(mark); err != nil {
				a.s.log.Debug("that an approval is for nothing any more could not be noted", "file", mark, "error", err)
			}
		case now.Sub(k.Gone) >= ForgetAfter:
			if err := os.Remove(k.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
				a.s.log.Warn("an approval that is for nothing any more could not be removed", "file", k.File, "error", err)
				continue
			}
			_ = os.Remove(mark)
			removed++
		}
	}
	return removed
}

// mark makes an empty file whose time is now.
func (s *Store) mark(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	now := time.Now()
	return errors.Join(f.Close(), os.Chtimes(path, now, now))
}
