package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A stream that ends before its answer goes on where it ended, not sooner than
// the server asked for.
func TestStreamsAreResumed(t *testing.T) {
	noLeaks(t)
	var calls, gets atomic.Int32
	var ended atomic.Int64
	var id atomic.Value
	const retry = 50 * time.Millisecond
	s := &legacyServer{
		session: "s",
		post: func(w http.ResponseWriter, _ *http.Request, m Message) {
			calls.Add(1)
			id.Store(m.ID)
			events(w, fmt.Sprintf("id: e1\nretry: %d\ndata:\n\n", retry.Milliseconds()))
			ended.Store(time.Now().UnixNano())
		},
		get: func(w http.ResponseWriter, r *http.Request) {
			switch r.Header.Get("Last-Event-Id") {
			case "": // the server's own stream
				w.WriteHeader(http.StatusMethodNotAllowed)
			case "e1":
				if time.Now().UnixNano() < ended.Load()+int64(retry) {
					t.Error("too soon")
				}
				if gets.Add(1) == 1 {
					w.WriteHeader(http.StatusServiceUnavailable) // and again
					return
				}
				events(w, "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n")
			case "e2":
				events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"ok\":1}}\n\n", id.Load()))
			}
		},
	}
	receiver := newHeard()
	l := legacyLink(t, s, HTTPClientOptions{Receiver: receiver})
	call := *plainCall
	call.Related = "mine"
	result, err := l.Call(testContext(t), &call)
	if err != nil || string(result) != `{"ok":1}` {
		t.Fatalf("got %s, %v", result, err)
	}
	if n := receiver.wait(t, MethodProgress); n.related != "mine" {
		t.Errorf("the notification belongs to %v", n.related)
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("posted %d times", n)
	}
}

func TestStreamsThatCannotBeResumed(t *testing.T) {
	for name, get := range map[string]func(w http.ResponseWriter){
		"refused":       func(w http.ResponseWriter) { http.Error(w, "no", http.StatusBadRequest) },
		"not a stream":  func(w http.ResponseWriter) { answerJSON(w, "1", "{}") },
		"nothing comes": func(w http.ResponseWriter) { events(w, "retry: 1\n\n") },
	} {
		t.Run(name, func(t *testing.T) {
			noLeaks(t)
			s := &legacyServer{
				post: func(w http.ResponseWriter, _ *http.Request, m Message) { events(w, "id: e1\nretry: 1\ndata:\n\n") },
				get: func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Last-Event-Id") == "" {
						w.WriteHeader(http.StatusMethodNotAllowed)
						return
					}
					get(w)
				},
			}
			l := legacyLink(t, s, HTTPClientOptions{})
			ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("late"))
			defer cancel()
			_, err := l.Call(ctx, plainCall)
			wantTransport(t, err, true)
		})
	}
}

// Without an event's id there is nothing to resume by.
func TestStreamsWithoutIDsAreNotResumed(t *testing.T) {
	s := &legacyServer{post: func(w http.ResponseWriter, _ *http.Request, m Message) { events(w, ": hello\n\n") }}
	l := legacyLink(t, s, HTTPClientOptions{})
	_, err := l.Call(testContext(t), plainCall)
	if te := wantTransport(t, err, true); !strings.Contains(te.Error(), "ended before the answer") {
		t.Errorf("got %v", te)
	}
}

// The server's own stream is open before the first request, is opened again
// when it ends, and goes on where it was.
func TestTheServersOwnStream(t *testing.T) {
	noLeaks(t)
	var opened atomic.Int32
	var places [3]atomic.Value
	s := &legacyServer{session: "s"}
	s.post = func(w http.ResponseWriter, _ *http.Request, m Message) {
		if opened.Load() == 0 {
			t.Error("a request came before the stream")
		}
		answerJSON(w, m.ID, "{}")
	}
	s.get = func(w http.ResponseWriter, r *http.Request) {
		n := opened.Add(1)
		if n > 3 {
			http.Error(w, "gone", http.StatusNotFound)
			return
		}
		places[n-1].Store(r.Header.Get("Last-Event-Id"))
		events(w, fmt.Sprintf("id: %d\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/n%d\"}\n\ndata: nonsense\n\n", n, n))
	}
	receiver := newHeard()
	l := legacyLink(t, s, HTTPClientOptions{Receiver: receiver})
	if _, err := l.Call(testContext(t), plainCall); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if n := receiver.wait(t, fmt.Sprintf("notifications/n%d", i+1)); n.related != nil {
			t.Errorf("it belongs to %v", n.related)
		}
	}
	if a, b, c := places[0].Load(), places[1].Load(), places[2].Load(); a != "" || b != "1" || c != "2" {
		t.Errorf("went on at %q, %q, %q", a, b, c)
	}
	select {
	case <-l.Done(): // the server that had the stream no longer knows the session
	case <-time.After(10 * time.Second):
		t.Error("a lost session was not noticed")
	}
}

// A response may come on another stream than its request's.
func TestResponseOnAnotherStream(t *testing.T) {
	noLeaks(t)
	answers := make(chan ID, 1)
	s := &legacyServer{
		session: "s",
		get: func(w http.ResponseWriter, r *http.Request) {
			events(w, ": hello\n\n")
			select {
			case id := <-answers:
				events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"ok\":1}}\n\n", id))
			case <-r.Context().Done():
			}
			<-r.Context().Done()
		},
		post: func(w http.ResponseWriter, r *http.Request, m Message) {
			events(w, ": hello\n\n")
			answers <- m.ID
			<-r.Context().Done()
		},
	}
	l := legacyLink(t, s, HTTPClientOptions{})
	result, err := l.Call(testContext(t), plainCall)
	if err != nil || string(result) != `{"ok":1}` {
		t.Fatalf("got %s, %v", result, err)
	}
}

// What a legacy server asks is answered by the receiver; what it takes back is
// ended; what a receiver refuses is told.
func TestRequestsOfTheServer(t *testing.T) {
	noLeaks(t)
	replies := make(chan string, 10)
	s := &legacyServer{session: "s"}
	asked, askedAgain := make(chan struct{}), make(chan struct{})
	s.post = func(w http.ResponseWriter, r *http.Request, m Message) {
		if m.Kind == Response {
			if m.Fault != nil {
				replies <- fmt.Sprintf("%s error %s", m.ID, m.Fault.Message)
			} else {
				replies <- fmt.Sprintf("%s %s", m.ID, m.Result)
			}
			w.WriteHeader(http.StatusAccepted)
			return
		}
		events(w, `data: {"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"x":1}}`+"\n\n")
		events(w, `data: {"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n\n")
		events(w, `data: {"jsonrpc":"2.0","id":8,"method":"bad/method"}`+"\n\n")
		events(w, `data: {"jsonrpc":"2.0","id":9,"method":"slow/method"}`+"\n\n")
		<-asked
		events(w, `data: {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`+"\n\n")
		<-askedAgain
		events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID))
	}
	receiver := newHeard()
	receiver.answer = func(ctx context.Context, method string, params []byte) ([]byte, error) {
		switch method {
		case MethodElicit:
			return []byte(`{"action":"accept","content":` + string(params) + `}`), nil
		case "slow/method":
			close(asked)
			<-ctx.Done()
			close(askedAgain)
			return []byte("{}"), nil
		}
		return nil, Errorf(CodeMethodNotFound, "no %s", method)
	}
	l := legacyLink(t, s, HTTPClientOptions{Receiver: receiver})
	if _, err := l.Call(testContext(t), plainCall); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for range 3 {
		select {
		case r := <-replies:
			got[r] = true
		case <-time.After(10 * time.Second):
			t.Fatalf("only %v came", got)
		}
	}
	for _, want := range []string{`"a" {"action":"accept","content":{"x":1}}`, `7 {}`, `8 error no bad/method`} {
		if !got[want] {
			t.Errorf("no %s among %v", want, got)
		}
	}
	l.Close()
	if len(replies) != 0 {
		t.Errorf("a request that was taken back got an answer: %s", <-replies)
	}
}

// A server that floods us with requests gets bounded work out of us.
func TestFloodOfRequests(t *testing.T) {
	noLeaks(t)
	var busy, most atomic.Int32
	release := make(chan struct{})
	s := &legacyServer{session: "s"}
	s.post = func(w http.ResponseWriter, _ *http.Request, m Message) {
		if m.Kind == Response {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		for i := range 3 * maxAnswering {
			events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"x\"}\n\n", i))
		}
		events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", m.ID))
	}
	receiver := newHeard()
	receiver.answer = func(context.Context, string, []byte) ([]byte, error) {
		if n := busy.Add(1); n > most.Load() {
			most.Store(n)
		}
		<-release
		busy.Add(-1)
		return []byte("{}"), nil
	}
	l := legacyLink(t, s, HTTPClientOptions{Receiver: receiver})
	if _, err := l.Call(testContext(t), plainCall); err != nil {
		t.Fatal(err)
	}
	until(t, "all that may run do", func() bool { return busy.Load() == maxAnswering })
	close(release)
	l.Close()
	if most.Load() > maxAnswering {
		t.Errorf("%d at once", most.Load())
	}
}
