package app

import (
	"sync"
	"sync/atomic"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/disclose"
	"toolcrib/internal/gateway"
)

// definitions count how many tokens all that the servers offer would take in an
// agent's context. It is counted behind each new snapshot, never on the way of a
// request.
type definitions struct {
	show config.Disclosure
	now  atomic.Int64
	work sync.WaitGroup

	mu   sync.Mutex
	sums map[string]int // by the version of a server's tools
	busy bool
	next *catalog.Snapshot // to be counted when busy is over
}

// begin counts what is known, and what will be.
func (d *definitions) begin(known *knowledge, show config.Disclosure) {
	d.show = show
	d.count(known.Snapshot())
	known.Watch(d.count)
}

// count begins to count a snapshot. It does not block.
func (d *definitions) count(s *catalog.Snapshot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.next = s; d.busy {
		return
	}
	d.busy = true
	d.work.Go(func() {
		for {
			d.mu.Lock()
			s := d.next
			d.next = nil
			if s == nil {
				d.busy = false
				d.mu.Unlock()
				return
			}
			d.mu.Unlock()
			d.sum(s)
		}
	})
}

// sum counts the definitions of servers that have others than the last time.
func (d *definitions) sum(s *catalog.Snapshot) {
	sums, all := map[string]int{}, 0
	for _, server := range s.Servers() {
		version := server.ToolsVersion()
		n, done := d.sums[version]
		if !done {
			for _, t := range server.Tools() {
				n += disclose.Tokens(string(t.Raw()))
			}
		}
		sums[version] = n
		all += n
	}
	d.sums = sums // of the one goroutine that counts
	d.now.Store(int64(all))
}

// keptOut is how many tokens agents are spared, before what they read instead; 0
// if they are shown everything.
func (d *definitions) keptOut() int {
	all := int(d.now.Load())
	switch d.show.Surface {
	case config.Passthrough:
		return 0
	case config.Auto:
		most := d.show.AutoTokens
		if most == 0 {
			most = gateway.DefaultAutoTokens
		}
		if all <= most {
			return 0
		}
	}
	return all
}
