package call

import (
	"sync"

	"toolcrib/internal/wire"
)

// Outlines remembers what the answers of tools look like, by the fingerprint of
// the tool: their structure, and nothing of what they say.
type Outlines struct {
	mu   sync.Mutex
	seen *lru[string, string]
}

// maxOutlines is of how many tools it is remembered.
const maxOutlines = 10_000

// NewOutlines makes an empty store.
func NewOutlines() *Outlines {
	return &Outlines{seen: newLRU[string, string](maxOutlines)}
}

// Seen is the outline of a tool's answers, if it has answered.
func (o *Outlines) Seen(fingerprint string) (outline string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen.get(fingerprint)
}

// Learn looks at an answer of a tool if none is known. Failures, questions back
// and answers that are empty teach nothing.
func (o *Outlines) Learn(fingerprint string, result []byte) {
	if _, known := o.Seen(fingerprint); known || len(result) > maxOutlined || failed(result) {
		return
	}
	outline := Outline(result)
	switch outline {
	case "", "{}", "[]", "null":
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen.put(fingerprint, outline, 1)
}

func failed(result []byte) bool {
	return string(wire.Find(result, "isError")) == "true"
}
