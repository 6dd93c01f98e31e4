package app

import (
	"context"
	"crypto/sha256"
	"sync"

	"toolcrib/internal/script"
)

// maxRecord is how many bytes of answers a session keeps before it takes no more.
const maxRecord = 64 << 20

// A record is a host that remembers what calls answered. After rewind, a call that
// is on record is answered from it, in the order in which equal calls were made.
type record struct {
	script.Host

	mu    sync.Mutex
	kept  map[callKey][]reply
	taken map[callKey]int
	fresh []freshReply
	bytes int
}

type callKey [sha256.Size]byte

type reply struct {
	result []byte
	err    error
}

type freshReply struct {
	callKey
	reply
}

func newRecord(h script.Host) *record {
	return &record{Host: h, kept: map[callKey][]reply{}, taken: map[callKey]int{}}
}

// rewind begins at the start of the record.
func (r *record) rewind() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.taken)
	r.fresh = nil
}

// keep puts what was answered since rewind on record.
func (r *record) keep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.fresh {
		r.kept[f.callKey] = append(r.kept[f.callKey], f.reply)
		r.bytes += len(f.result)
	}
	r.fresh = nil
}

func (r *record) full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes > maxRecord
}

// Call answers from the record, or calls and remembers.
func (r *record) Call(ctx context.Context, server, tool string, arguments []byte) ([]byte, error) {
	key := callKey(sha256.Sum256([]byte(server + "\x00" + tool + "\x00" + string(arguments))))
	r.mu.Lock()
	if n := r.taken[key]; n < len(r.kept[key]) {
		r.taken[key]++
		known := r.kept[key][n]
		r.mu.Unlock()
		return known.result, known.err
	}
	r.mu.Unlock()
	result, err := r.Host.Call(ctx, server, tool, arguments)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh = append(r.fresh, freshReply{key, reply{result, err}})
	return result, err
}
