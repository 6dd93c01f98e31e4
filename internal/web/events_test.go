package web

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// told is a model whose events a test makes.
type told struct {
	*model
	after chan uint64
	feed  chan Event // closed when the gateway ends
	over  chan struct{}
}

func newTold() *told {
	return &told{model: small(), after: make(chan uint64, 100), feed: make(chan Event), over: make(chan struct{}, 100)}
}

func (s *told) Events(_ Caller, after uint64) Feed { s.after <- after; return s }

func (s *told) Next(ctx context.Context) (Event, bool) {
	select {
	case e, ok := <-s.feed:
		return e, ok
	case <-ctx.Done():
		return Event{}, false
	}
}

func (s *told) Close() { s.over <- struct{}{} }

// follow opens the stream and returns its lines.
func follow(t *testing.T, url string, headers ...string) (*http.Response, *bufio.Reader) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url+Root+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		resp.Body.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return resp, bufio.NewReader(resp.Body)
}

// message is the next message of a stream, its lines joined by |.
func message(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	var lines []string
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return strings.Join(lines, "|") + "|" + err.Error()
		}
		if line == "\n" {
			return strings.Join(lines, "|")
		}
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
}

func TestEvents(t *testing.T) {
	source := newTold()
	h := New(Options{Source: source})
	server := httptest.NewServer(h)
	defer server.Close()
	resp, from := follow(t, server.URL, "Last-Event-ID", "41")
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("%d %s", resp.StatusCode, got)
	}
	if after := <-source.after; after != 41 {
		t.Errorf("it begins after %d", after)
	}
	if got := message(t, from); got != "retry: 2000" {
		t.Errorf("%s", got)
	}
	for _, c := range []struct {
		e    Event
		want string
	}{
		{Event{ID: 42, Kind: EventMissed, Data: Missed{Count: 3}}, `id: 42|event: missed|data: {"count":3}`},
		{Event{Kind: EventCatalog, Data: CatalogChange{Version: "a\nb</script>", Tools: 2}}, `event: catalog|data: {"version":"a\nb\u003c/script\u003e","tools":2}`},
	} {
		source.feed <- c.e
		if got := message(t, from); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
	// The end of the gateway is not held up by anybody who follows.
	h.Close()
	if got := message(t, from); !strings.Contains(got, "EOF") {
		t.Errorf("%s", got)
	}
	<-source.over
	if resp, _ := follow(t, server.URL); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("after the end: %d", resp.StatusCode)
	}
}

func TestEventsOfNoPlace(t *testing.T) {
	h := New(Options{Source: newTold()})
	for _, id := range []string{"x", "-1", strconv.Itoa(1<<30) + "0000000000000"} {
		if w := send(h, "GET", Root+"/events", "", nil, "Last-Event-ID", id); w.Code != 400 {
			t.Errorf("%q: %d", id, w.Code)
		}
	}
}

// There is room for so many and no more, and room again when they have gone.
func TestEventsAreBounded(t *testing.T) {
	source := newTold()
	h := New(Options{Source: source})
	server := httptest.NewServer(h)
	defer server.Close()
	defer h.Close()
	var last *http.Response
	for range maxStreams {
		resp, from := follow(t, server.URL)
		if got := message(t, from); resp.StatusCode != 200 || got != "retry: 2000" {
			t.Fatalf("%d %s", resp.StatusCode, got)
		}
		last = resp
	}
	if resp, _ := follow(t, server.URL); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one more: %d", resp.StatusCode)
	}
	last.Body.Close()
	<-source.over
	h.streams <- struct{}{} // there is room as soon as it has left
	<-h.streams
	if resp, _ := follow(t, server.URL); resp.StatusCode != 200 {
		t.Errorf("after one has gone: %d", resp.StatusCode)
	}
}

// Whoever follows and hears nothing is told that the gateway is there, as long as they
// may be told anything.
func TestEventsHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newTold()
		h := guardedHandler(Options{})
		h.o.Source = source
		cookie := logIn(t, h)
		done := make(chan *httptest.ResponseRecorder)
		go func() { done <- send(h, "GET", Root+"/events", "", cookie) }()
		time.Sleep(3*heartbeat + time.Second)
		h.sessions.end(cookie[0].Value) // logged out elsewhere
		w := <-done
		if n := strings.Count(w.Body.String(), ": still here\n\n"); n != 3 {
			t.Errorf("%d signs of life: %s", n, w.Body)
		}
	})
}
