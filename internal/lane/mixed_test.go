package lane

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Agents of all kinds at once: each gets its own answers, in its own order, whoever gives
// them.
func TestMixedTraffic(t *testing.T) {
	r := start(t, func(w http.ResponseWriter, q *http.Request) {
		asked, _ := io.ReadAll(q.Body)
		if q.Header.Get("X-Slow") != "" {
			if w, ours := w.(*response); ours {
				w.c.untilWatched(t)
			}
		}
		if q.Header.Get("X-Stream") != "" {
			_ = http.NewResponseController(w).Flush()
		}
		say(w, string(asked))
	})
	var all sync.WaitGroup
	for caller := range 24 {
		all.Go(func() {
			chance := rand.New(rand.NewPCG(1, uint64(caller)))
			c := r.dial()
			for i := range 40 {
				body := fmt.Sprintf("%d of %d %s", i, caller, strings.Repeat("x", chance.IntN(200)))
				text := post(body)
				switch chance.IntN(12) {
				case 0:
					text = post(body, "X-Stream: 1")
				case 1:
					text = post(body, "X-Stream: 1", "X-Slow: 1")
				case 2:
					body = strings.Repeat(body, 300)
					text = post(body)
				case 3:
					if i > 30 {
						text = fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
					}
				case 4: // a new connection, after half a request on the old one
					c.send(text[:chance.IntN(len(text))])
					c.Close()
					c = r.dial()
				}
				for len(text) > 0 {
					n := len(text)
					if chance.IntN(4) == 0 {
						n = 1 + chance.IntN(n)
					}
					c.send(text[:n])
					text = text[n:]
				}
				if resp, got := c.answer(); got != body || resp.StatusCode != http.StatusOK {
					t.Errorf("%d: %d %.80q, want %.80q", caller, resp.StatusCode, got, body)
					return
				}
			}
		})
	}
	all.Wait()
}
