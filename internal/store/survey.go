package store

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A Survey is what is in the directory, for people. Making one changes nothing
// there, and does not count as use.
type Survey struct {
	Dir   string  // "" if nothing is kept on disk
	Err   error   // why the directory cannot be read; nil if it can, or is not there yet
	Saved []Saved // by server

	Size    int64    // of all files of ours
	Damaged []string // files that are not what was written, those set aside included
	Others  []string // files of other versions of this program
	Foreign []string // files that are not ours, and never touched
	Locked  []string // servers that another process lists just now
}

// Saved is one listing on disk.
type Saved struct {
	Server   string
	Identity string
	Tools    int
	Taken    time.Time
	Failed   bool // all that is known came in other ways than the server's own answer
	File     string
	Size     int64
}

// Survey looks at every file, one at a time.
func (s *Store) Survey() Survey {
	out := Survey{Dir: s.dir}
	if s.dir == "" {
		return out
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		out.Err = err
		return out
	}
	locks := map[string]bool{}
	for _, e := range entries {
		name := e.Name()
		k, stem := kindOf(name)
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			out.Foreign = append(out.Foreign, name)
			continue
		}
		switch {
		case k == listingFile:
			one, err := s.saved(stem)
			if err != nil {
				out.Damaged = append(out.Damaged, name)
			} else {
				out.Saved = append(out.Saved, one)
			}
		case k == corruptFile:
			out.Damaged = append(out.Damaged, name)
		case k == lockFile:
			if held(s.path(name)) {
				locks[strings.TrimSuffix(name, lockSuffix)] = true
			}
		case k == foreign && ofOtherVersion(name):
			out.Others = append(out.Others, name)
		case k == foreign && !isOurs(name):
			out.Foreign = append(out.Foreign, name)
			continue
		}
		out.Size += info.Size()
	}
	for _, one := range out.Saved {
		if stem := serverStem(one.Server); locks[stem] {
			out.Locked = append(out.Locked, one.Server)
			delete(locks, stem)
		}
	}
	for stem := range locks { // of servers that are listed for the first time
		out.Locked = append(out.Locked, stem)
	}
	slices.Sort(out.Locked)
	slices.SortStableFunc(out.Saved, func(a, b Saved) int { return strings.Compare(a.Server, b.Server) })
	return out
}

// saved reads a listing for what there is to say of it. Unlike read it leaves a
// damaged one where it is.
func (s *Store) saved(stem string) (Saved, error) {
	path := s.path(stem + listingSuffix)
	b, info, err := readAll(path)
	if err != nil {
		return Saved{}, err
	}
	l, h, err := decodeListing(b)
	if err != nil {
		return Saved{}, err
	}
	taken, believed := h.when(info.ModTime(), time.Now())
	if !believed {
		taken = time.Now()
	}
	return Saved{
		Server: l.Server, Identity: l.Identity, Tools: len(l.Tools), Taken: taken, Failed: l.Failure != nil,
		File: path, Size: info.Size(),
	}, nil
}

// held tells whether another process has a lock.
func held(path string) bool {
	l := flock.New(path, flock.SetFlag(os.O_RDWR)) // it is not made anew if it went meanwhile
	got, err := l.TryLock()
	if got {
		_ = l.Unlock()
	}
	return err == nil && !got
}

// ofOtherVersion tells files that another version of this program wrote here by
// their names.
func ofOtherVersion(name string) bool {
	name = strings.TrimSuffix(name, corruptSuffix)
	rest, kind, ok := cutLast(name, ".")
	if !ok || !slices.Contains([]string{"json", "memo", "guess"}, kind) {
		return false
	}
	stem, version, ok := cutLast(rest, ".v")
	return ok && version != "" && strings.Trim(version, "0123456789") == "" && version != "1" && endsInHash(stem)
}

// isOurs tells the files that hold something else than listings.
func isOurs(name string) bool {
	return name == usageFile || strings.HasPrefix(name, predictionPrefix) && strings.HasSuffix(name, predictionSuffix)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Clear removes what can be learned again: listings, what worked, guesses, damaged
// files, and those of other versions. A gateway that runs goes on with what it has in
// memory, and saves it again when it lists a server the next time. What was counted
// of calls stays, and so do locks, which somebody may hold.
func (s *Store) Clear() (removed int, size int64, err error) {
	for _, e := range s.entries() {
		k, _ := kindOf(e.Name())
		info, gone := e.Info()
		if gone != nil || !info.Mode().IsRegular() || k == lockFile {
			continue
		}
		if k == temporaryFile && time.Since(info.ModTime()) < abandonedFor {
			continue // somebody is writing it
		}
		if k == foreign && !ofOtherVersion(e.Name()) && (!isOurs(e.Name()) || e.Name() == usageFile) {
			continue
		}
		switch one := os.Remove(s.path(e.Name())); {
		case one == nil:
			removed++
			size += info.Size()
		case !errors.Is(one, fs.ErrNotExist):
			err = errors.Join(err, one)
		}
	}
	return removed, size, err
}
