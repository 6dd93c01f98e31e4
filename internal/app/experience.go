package app

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/index"
	"toolcrib/internal/index/embed"
	"toolcrib/internal/store"
)

// saveUsage is how often what was counted is added to the file.
const saveUsage = 5 * time.Minute

// An experience is what searches go by besides the words of tools: what was called
// here before, and a model of the user's own.
type experience struct {
	usage    *store.Usage    // nil if nothing is counted
	embedder *embed.Embedder // nil if there is none

	stop context.CancelFunc
	ctx  context.Context
	work sync.WaitGroup
}

// vectorsFile is where what an embedder told is kept, below the state directory.
const vectorsFile = "vectors"

func openExperience(kept *store.Store, c config.Search, o Options) *experience {
	e := &experience{}
	e.ctx, e.stop = context.WithCancel(context.Background())
	if c.Embedder.URL != "" {
		file := ""
		if o.StateDir != "" {
			file = filepath.Join(o.StateDir, vectorsFile)
		}
		made, err := embed.New(&embed.Options{URL: c.Embedder.URL, Model: c.Embedder.Model, Key: o.Getenv(c.Embedder.KeyEnv), File: file, Log: o.Log})
		if err != nil {
			o.Log.Warn("searches go without the embedder", "error", err)
		} else {
			e.embedder = made
		}
	}
	if c.NoLearning {
		return e
	}
	e.usage = kept.Usage()
	e.work.Go(func() {
		tick := time.NewTicker(saveUsage)
		defer tick.Stop()
		for {
			select {
			case <-e.ctx.Done():
				e.usage.Save()
				return
			case <-tick.C:
				e.usage.Save()
			}
		}
	})
	return e
}

func (e *experience) close() {
	if e.stop == nil {
		return // it was never opened
	}
	e.stop()
	e.work.Wait()
}

// together and favour are what was counted.

func (e *experience) together(id string, most int) []string {
	if e.usage == nil {
		return nil
	}
	return e.usage.Together(id, most)
}

func (e *experience) favour(t *catalog.Tool) float32 {
	if e.usage == nil {
		return 0
	}
	return e.usage.Favour(string(t.ID()))
}

// options are what an index is made with.
func (e *experience) options() *index.Options {
	if e.embedder == nil {
		return nil
	}
	return &index.Options{Vectors: func(t *catalog.Tool) []float32 { return e.embedder.Tool(t.Fingerprint()) }}
}

// vector is what a query means to the embedder.
func (e *experience) vector(ctx context.Context, query string) []float32 {
	if e.embedder == nil {
		return nil
	}
	return e.embedder.Query(ctx, query)
}

// learn has the embedder read the tools it has not read yet, and then calls done.
func (e *experience) learn(s *catalog.Snapshot, done func()) {
	if e.embedder == nil {
		return
	}
	e.work.Go(func() {
		var texts []embed.Text
		for _, t := range s.Tools() {
			texts = append(texts, embed.Text{Fingerprint: t.Fingerprint(), Text: t.Name() + "\n" + t.Description()})
		}
		if n, err := e.embedder.Learn(e.ctx, texts); err == nil && n > 0 {
			done()
		}
	})
}
