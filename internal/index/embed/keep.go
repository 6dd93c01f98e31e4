package embed

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// kept is what is in the file.
type kept struct {
	Version int
	Model   string
	Tools   map[string][]float32
}

const keptVersion = 1

// maxFile is the largest file that is read.
const maxFile = 2 << 30

// load reads the file, if it is of this model.
func (e *Embedder) load() {
	if e.options.File == "" {
		return
	}
	f, err := os.Open(e.options.File)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		e.log.Warn("vectors cannot be read; they are learned anew", "file", e.options.File, "error", err)
		return
	}
	defer f.Close()
	var k kept
	if err := gob.NewDecoder(io.LimitReader(f, maxFile)).Decode(&k); err != nil {
		e.log.Warn("vectors cannot be read; they are learned anew", "file", e.options.File, "error", err)
		return
	}
	if k.Version == keptVersion && k.Model == e.options.Model {
		for fingerprint, v := range k.Tools {
			if len(e.tools) < maxTools && normalise(v) {
				e.tools[fingerprint] = v
			}
		}
	}
}

// save replaces the file as a whole.
func (e *Embedder) save() error {
	if e.options.File == "" {
		return nil
	}
	e.mu.Lock()
	k := kept{keptVersion, e.options.Model, make(map[string][]float32, len(e.tools))}
	for fingerprint, v := range e.tools {
		k.Tools[fingerprint] = v
	}
	e.mu.Unlock()
	f, err := os.CreateTemp(filepath.Dir(e.options.File), ".vectors-*")
	if err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	err = gob.NewEncoder(f).Encode(k)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), e.options.File)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("keep vectors in %s: %w", e.options.File, err)
	}
	return nil
}
