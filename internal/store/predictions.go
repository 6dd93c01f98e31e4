package store

import (
	"io"
	"os"
	"path/filepath"
	"time"
)

// Predictions keeps what a model guessed, for as long as whoever guesses says.
// It is a cache: what cannot be kept is guessed again.
type Predictions struct{ s *Store }

// Predictions of this store.
func (s *Store) Predictions() Predictions { return Predictions{s} }

// maxPrediction bounds what is read back.
const maxPrediction = 1 << 20

// Get returns what was put under a key.
func (p Predictions) Get(key string) ([]byte, bool) {
	if p.s.dir == "" {
		return nil, false
	}
	f, err := os.Open(p.path(key))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPrediction))
	return b, err == nil
}

// Put keeps a value.
func (p Predictions) Put(key string, value []byte) {
	if p.s.dir == "" || len(value) > maxPrediction {
		return
	}
	err := p.s.replace(p.path(key), time.Now(), func(w io.Writer) error {
		_, err := w.Write(value)
		return err
	})
	if err != nil {
		p.s.cannotSave(err)
	}
}

// What the names of their files begin and end with.
const (
	predictionPrefix = "prediction-"
	predictionSuffix = ".v1.guess"
)

func (p Predictions) path(key string) string {
	return filepath.Join(p.s.dir, predictionPrefix+stemOf(key, "")+predictionSuffix)
}
