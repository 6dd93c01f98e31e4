package web

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// tries slow down whoever guesses tokens: after some wrong ones an address has to
// wait. Tokens cannot be guessed anyhow; it is the log and the processor that are spared.
type tries struct {
	mu sync.Mutex
	by map[string]wrong // by address
}

type wrong struct {
	count int
	until time.Time // when they are forgotten
}

const (
	mostTries = 10          // wrong tokens of one address
	triesTime = time.Minute // in so long
	maxTriers = 1024        // addresses that are told apart; others share one count
)

func newTries() *tries { return &tries{by: map[string]wrong{}} }

// wait is how long an address has to, 0 if it may try.
func (t *tries) wait(address string) time.Duration {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	w, ok := t.by[t.key(address)]
	if !ok || w.count < mostTries || !now.Before(w.until) {
		return 0
	}
	return w.until.Sub(now)
}

// failed counts a wrong token.
func (t *tries) failed(address string) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, w := range t.by {
		if !now.Before(w.until) {
			delete(t.by, key)
		}
	}
	key := t.key(address)
	w := t.by[key]
	w.count++
	w.until = now.Add(triesTime)
	t.by[key] = w
}

// key is an address, or what stands for all that there is no room for. t.mu is held.
func (t *tries) key(address string) string {
	if _, known := t.by[address]; !known && len(t.by) >= maxTriers {
		return ""
	}
	return address
}

// addressOf is where a request comes from.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
