// Package embed asks somebody's own embedding model for the meaning of texts, over
// the endpoint that OpenAI, Ollama, TEI and many others offer.
//
//	tools ──► Learn ──► vectors by fingerprint, on disk ──► Tool ──► index.Options.Vectors
//	query ──► Query (time-out, then without) ─────────────────────► index.Query.Vector
//
// It is an addition: whatever goes wrong, there is no vector and the search goes on
// with its own table. After a failure nothing is asked for a while.
package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Options say whom to ask.
type Options struct {
	URL     string        // of the API, to which /embeddings is added; or the whole address
	Model   string        // as the API calls it
	Key     string        // bearer token, "" for none
	File    string        // where vectors are kept, "" for nowhere
	Timeout time.Duration // for the vector of a query, 0 for 300 ms
	Batch   int           // most texts in a request, 0 for 64

	Client *http.Client // nil for http.DefaultClient
	Log    *slog.Logger // nil for none
}

const (
	defaultTimeout = 300 * time.Millisecond
	defaultBatch   = 64
	learnTimeout   = time.Minute
	pause          = 30 * time.Second // after a failure
	maxQueries     = 1000             // vectors of queries that are kept
	maxTools       = 200_000          // vectors of tools that are kept
)

// An Embedder knows the vectors of tools, and gets those of queries.
type Embedder struct {
	options Options
	client  *http.Client
	log     *slog.Logger
	now     func() time.Time

	mu      sync.Mutex
	tools   map[string][]float32
	queries map[string][]float32
	order   []string // of queries, the oldest first
	paused  time.Time
}

// New makes an embedder and reads what it learned before. A file that cannot be
// used is begun anew.
func New(o *Options) (*Embedder, error) {
	if o == nil || o.URL == "" || o.Model == "" {
		return nil, errors.New("an embedder needs the address of an API and the name of a model")
	}
	if !strings.HasPrefix(o.URL, "http://") && !strings.HasPrefix(o.URL, "https://") {
		return nil, fmt.Errorf("the address of the embedder is %q; it has to begin with http:// or https://", o.URL)
	}
	e := &Embedder{options: *o, client: o.Client, log: o.Log, now: time.Now, tools: map[string][]float32{}, queries: map[string][]float32{}}
	if e.options.Timeout <= 0 {
		e.options.Timeout = defaultTimeout
	}
	if e.options.Batch <= 0 {
		e.options.Batch = defaultBatch
	}
	if e.client == nil {
		e.client = http.DefaultClient
	}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	e.load()
	return e, nil
}

// Tool is the vector of a tool by its fingerprint, nil if it was not learned.
func (e *Embedder) Tool(fingerprint string) []float32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.tools[fingerprint]
}

// Query is the vector of a query, nil if it cannot be had in time.
func (e *Embedder) Query(ctx context.Context, text string) []float32 {
	e.mu.Lock()
	known, waits := e.queries[text], e.now().Before(e.paused)
	e.mu.Unlock()
	if known != nil || waits || strings.TrimSpace(text) == "" {
		return known
	}
	ctx, cancel := context.WithTimeout(ctx, e.options.Timeout)
	defer cancel()
	vectors, err := e.ask(ctx, []string{text})
	if err != nil {
		e.failed(err)
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.order) == maxQueries {
		delete(e.queries, e.order[0])
		e.order = e.order[1:]
	}
	if e.queries[text] == nil {
		e.order = append(e.order, text)
	}
	e.queries[text] = vectors[0]
	return vectors[0]
}

// A Text is a tool's, to be learned.
type Text struct{ Fingerprint, Text string }

// Learn gets the vectors of tools that are not known and keeps them; it tells how
// many. It may take long and is not for a goroutine that answers somebody.
func (e *Embedder) Learn(ctx context.Context, texts []Text) (int, error) {
	var missing []Text
	e.mu.Lock()
	waits := e.now().Before(e.paused)
	for _, t := range texts {
		if e.tools[t.Fingerprint] == nil && len(e.tools)+len(missing) < maxTools {
			missing = append(missing, t)
		}
	}
	e.mu.Unlock()
	if waits || len(missing) == 0 {
		return 0, nil
	}
	learned := 0
	var failure error
	for from := 0; from < len(missing) && failure == nil; from += e.options.Batch {
		part := missing[from:min(from+e.options.Batch, len(missing))]
		failure = e.learn(ctx, part)
		if failure == nil {
			learned += len(part)
		}
	}
	if failure != nil {
		e.failed(failure)
		failure = fmt.Errorf("learn the vectors of %d tools: %w", len(missing), failure)
	}
	if learned > 0 {
		failure = errors.Join(failure, e.save())
	}
	return learned, failure
}

func (e *Embedder) learn(ctx context.Context, part []Text) error {
	ctx, cancel := context.WithTimeout(ctx, learnTimeout)
	defer cancel()
	texts := make([]string, len(part))
	for i, t := range part {
		texts[i] = t.Text
	}
	vectors, err := e.ask(ctx, texts)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, t := range part {
		e.tools[t.Fingerprint] = vectors[i]
	}
	return nil
}

// failed makes a pause, and says why once for each.
func (e *Embedder) failed(err error) {
	e.mu.Lock()
	e.paused = e.now().Add(pause)
	e.mu.Unlock()
	e.log.Warn("embedder does not answer; searching without it", "error", err, "pause", pause)
}
