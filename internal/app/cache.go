package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"toolcrib/internal/store"
)

// A Cache is what is kept on disk and can be learned or made again. It is below
// the state directory, beside what cannot: tokens, logins and approvals.
type Cache struct {
	state string
}

// OpenCache looks at the cache of a state directory. Nothing is made there.
func OpenCache(stateDir string) Cache { return Cache{stateDir} }

// CacheSurvey is what the cache holds.
type CacheSurvey struct {
	store.Survey
	Engine  int64 // bytes of the compiled script engine
	Vectors int64 // bytes of what an embedder of the user's own told
}

// Total is the size of all of it.
func (s CacheSurvey) Total() int64 { return s.Size + s.Engine + s.Vectors }

// Dir is where listings are kept, "" if there is no state directory.
func (c Cache) Dir() string {
	if c.state == "" {
		return ""
	}
	return filepath.Join(c.state, listingsDir)
}

// kept is the store, if it is there: opening one would make it.
func (c Cache) kept() (*store.Store, error) {
	if c.state == "" {
		return nil, nil
	}
	if _, err := os.Stat(c.Dir()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	return store.Open(c.Dir(), nil), nil
}

// Survey looks at everything in the cache and changes nothing.
func (c Cache) Survey() CacheSurvey {
	out := CacheSurvey{Survey: store.Survey{Dir: c.Dir()}}
	kept, err := c.kept()
	switch {
	case err != nil:
		out.Err = err
	case kept != nil:
		out.Survey = kept.Survey()
		out.Dir = c.Dir() // also where it may not be used
	}
	for _, path := range c.engine() {
		out.Engine += sizeOf(path)
	}
	if c.state != "" {
		out.Vectors = sizeOf(c.vectors())
	}
	return out
}

// Cleared is what was removed.
type Cleared struct {
	Files int
	Bytes int64
}

// Clear removes all of the cache. Gateways that run go on with what they have in
// memory.
func (c Cache) Clear() (Cleared, error) {
	kept, err := c.kept()
	if err != nil {
		return Cleared{}, err
	}
	var out Cleared
	if kept != nil {
		out.Files, out.Bytes, err = kept.Clear()
	}
	if c.state == "" {
		return out, err
	}
	for _, path := range append(c.engine(), c.vectors()) {
		size := sizeOf(path)
		switch gone := os.Remove(path); {
		case gone == nil:
			out.Files++
			out.Bytes += size
		case !errors.Is(gone, fs.ErrNotExist):
			err = errors.Join(err, gone)
		}
	}
	return out, err
}

// ClearServer removes what is kept of one server, whatever it was started with.
func (c Cache) ClearServer(name string) (Cleared, error) {
	kept, err := c.kept()
	if kept == nil {
		return Cleared{}, err
	}
	var out Cleared
	for _, one := range kept.Survey().Saved {
		if one.Server == name {
			out.Files++
			out.Bytes += one.Size
		}
	}
	return out, kept.Delete(name)
}

func (c Cache) vectors() string { return filepath.Join(c.state, vectorsFile) }

// engine are the files of the compiled script engine.
func (c Cache) engine() []string {
	var out []string
	if c.state == "" {
		return nil
	}
	_ = filepath.WalkDir(scriptCache(c.state), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			out = append(out, path)
		}
		return nil // what cannot be read is not counted
	})
	return out
}

func sizeOf(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
