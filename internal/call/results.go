package call

import (
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Results keeps the text of results that are too large to be handed to an
// agent at once, in memory, for a while. What is kept can be read page by page
// by the owner for whom it was kept, and by nobody else.
type Results struct {
	options ResultsOptions

	mu    sync.Mutex
	kept  *lru[string, *keptResult]
	swept time.Time
}

// ResultsOptions are the limits of Results. Zero is the default.
type ResultsOptions struct {
	Bytes   int           // of all that is kept, 64 MiB; what was not read for longest goes first
	TTL     time.Duration // how long a result is kept, 1 h
	Preview int           // characters of a result that are shown at once, 2,000

	// Hint is how the owner may read the pages of a URI, in words that end the
	// preview. The default names the URI as a resource.
	Hint func(uri string, pages int) string
}

type keptResult struct {
	owner   string
	text    string
	mime    string
	ends    []int // of the pages, in bytes
	expires time.Time
}

// NewResults makes an empty store; nil options are the defaults.
func NewResults(o *ResultsOptions) *Results {
	s := &Results{}
	if o != nil {
		s.options = *o
	}
	if s.options.Bytes <= 0 {
		s.options.Bytes = 64 << 20
	}
	if s.options.TTL <= 0 {
		s.options.TTL = time.Hour
	}
	if s.options.Preview <= 0 {
		s.options.Preview = 2000
	}
	if s.options.Hint == nil {
		s.options.Hint = func(uri string, pages int) string {
			return fmt.Sprintf("All of it is the resource %s?page=1 up to page=%d, for %s.", uri, pages, shortDuration(s.options.TTL))
		}
	}
	s.kept = newLRU[string, *keptResult](s.options.Bytes)
	return s
}

// keep stores a text in pages of at most so many characters and returns its id,
// "" if it is larger than all that may be kept.
func (s *Results) keep(text, mime, owner string, most int) (id string, pages int) {
	const overhead = 512
	if len(text) > s.options.Bytes {
		return "", 0
	}
	now := time.Now()
	k := &keptResult{owner, text, mime, pageEnds(text, most), now.Add(s.options.TTL)}
	id = rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	if !s.kept.put(id, k, len(text)+8*len(k.ends)+overhead) {
		return "", 0
	}
	return id, len(k.ends)
}

// sweep drops what has expired. It is done every now and then, so that looking
// at all costs little.
func (s *Results) sweep(now time.Time) {
	if now.Sub(s.swept) < s.options.TTL/16 {
		return
	}
	s.swept = now
	s.kept.removeFunc(func(k *keptResult) bool { return !now.Before(k.expires) })
}

// Page returns one page of a kept result, how many there are, and the type of
// the whole. The pages, in order, are the whole text. Page 0 is the one that
// the URI names, or else the first. Whether a result was never there, is there no
// longer, or is another owner's cannot be told from the error.
func (s *Results) Page(uri, owner string, page int) (text string, pages int, mime string, err error) {
	id, named, err := parseResultURI(uri)
	if err != nil {
		return "", 0, "", err
	}
	if page == 0 {
		page = named
	}
	s.mu.Lock()
	now := time.Now()
	s.sweep(now)
	k, ok := s.kept.peek(id)
	if ok = ok && k.owner == owner && now.Before(k.expires); ok {
		s.kept.get(id) // only who may read it keeps it from being dropped
	}
	s.mu.Unlock()
	if !ok {
		return "", 0, "", fmt.Errorf("there is no result %s: it was kept for %s at most, and only for whoever made the call; call the tool again", quoted(id), shortDuration(s.options.TTL))
	}
	if page < 1 || page > len(k.ends) {
		return "", 0, "", fmt.Errorf("result %s has no page %d; its pages are 1 to %d", id, page, len(k.ends))
	}
	start := 0
	if page > 1 {
		start = k.ends[page-2]
	}
	return k.text[start:k.ends[page-1]], len(k.ends), k.mime, nil
}

// shortDuration leaves out what is zero: 1h, not 1h0m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
