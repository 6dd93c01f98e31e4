package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacyServer is a hand-made legacy server. It answers initialize, and hands
// every other POST to the test.
type legacyServer struct {
	t       *testing.T
	session string // "" for none
	post    func(w http.ResponseWriter, r *http.Request, m Message)
	get     func(w http.ResponseWriter, r *http.Request) // nil: 405

	mu       sync.Mutex
	requests []string // "POST tools/call", "DELETE", ...
	headers  []http.Header
}

func (s *legacyServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m, _ := Parse(body)
	s.mu.Lock()
	s.requests = append(s.requests, strings.TrimSpace(r.Method+" "+m.Method))
	s.headers = append(s.headers, r.Header.Clone())
	s.mu.Unlock()
	switch {
	case r.Method == http.MethodGet && s.get != nil:
		s.get(w, r)
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
	case m.Method == MethodInitialize:
		if s.session != "" {
			w.Header().Set("Mcp-Session-Id", s.session)
		}
		answerJSON(w, m.ID, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
	case m.Method == MethodInitialized:
		w.WriteHeader(http.StatusAccepted)
	default:
		s.post(w, r, m)
	}
}

func (s *legacyServer) log() ([]string, []http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...), append([]http.Header(nil), s.headers...)
}

// until waits for something that another goroutine brings about.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func answerJSON(w http.ResponseWriter, id ID, result string) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(AppendResult(nil, id, []byte(result)))
}

// events writes Server-Sent Events and flushes.
func events(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, text)
	http.NewResponseController(w).Flush()
}

func legacyLink(t *testing.T, s *legacyServer, o HTTPClientOptions) *HTTPLink {
	t.Helper()
	s.t = t
	o.URL = serve(t, s).URL
	l, h := connect(t, o, Legacy, false)
	if h.Era != Legacy {
		t.Fatalf("said %+v", h)
	}
	return l.(*HTTPLink)
}

func TestLegacyHeaders(t *testing.T) {
	noLeaks(t)
	s := &legacyServer{session: "s-1", post: func(w http.ResponseWriter, _ *http.Request, m Message) { answerJSON(w, m.ID, "{}") }}
	l := legacyLink(t, s, HTTPClientOptions{Header: map[string]string{"X-Key": "k"}})
	if _, err := l.Call(testContext(t), plainCall); err != nil {
		t.Fatal(err)
	}
	l.Close()
	requests, headers := s.log()
	if got := strings.Join(requests, ", "); got != "POST initialize, POST notifications/initialized, GET, POST tools/call, DELETE" {
		t.Fatalf("sent %s", got)
	}
	for i, h := range headers {
		session, version := "s-1", Version202511
		if i == 0 {
			session, version = "", ""
		}
		if h.Get("Mcp-Session-Id") != session || h.Get("Mcp-Protocol-Version") != version || h.Get("X-Key") != "k" || h.Get("Mcp-Method") != "" {
			t.Errorf("%s with %v", requests[i], h)
		}
	}
}

// A session that the server forgot is news for whoever keeps the link, and the
// request that found out was not executed.
func TestSessionLost(t *testing.T) {
	for name, refuse := range map[string]func(w http.ResponseWriter, m Message){
		"404": func(w http.ResponseWriter, m Message) { http.Error(w, "session not found", http.StatusNotFound) },
		"404 with an error": func(w http.ResponseWriter, m Message) {
			w.WriteHeader(http.StatusNotFound)
			w.Write(AppendFault(nil, "", Errorf(-32001, "Session not found")))
		},
		"400 as the TypeScript examples": func(w http.ResponseWriter, m Message) {
			w.WriteHeader(http.StatusBadRequest)
			w.Write(AppendFault(nil, "", Errorf(-32000, "Bad Request: No valid session ID provided")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			noLeaks(t)
			s := &legacyServer{session: "s", post: func(w http.ResponseWriter, _ *http.Request, m Message) { refuse(w, m) }}
			l := legacyLink(t, s, HTTPClientOptions{})
			_, err := l.Call(testContext(t), plainCall)
			if te := wantTransport(t, err, false); !errors.Is(te, ErrSessionLost) {
				t.Errorf("got %v", te)
			}
			select {
			case <-l.Done():
			default:
				t.Error("the link goes on")
			}
			if !errors.Is(l.Err(), ErrSessionLost) {
				t.Errorf("the link ended with %v", l.Err())
			}
			_, err = l.Call(testContext(t), plainCall)
			wantTransport(t, err, false)
			l.Close()
			requests, _ := s.log()
			if last := requests[len(requests)-1]; last == "DELETE" {
				t.Error("a session that is gone was deleted")
			}
		})
	}
	t.Run("an unknown method is none", func(t *testing.T) {
		s := &legacyServer{session: "s", post: func(w http.ResponseWriter, _ *http.Request, m Message) {
			w.WriteHeader(http.StatusNotFound)
			w.Write(AppendFault(nil, m.ID, Errorf(CodeMethodNotFound, "what?")))
		}}
		l := legacyLink(t, s, HTTPClientOptions{})
		var fault *Error
		if _, err := l.Call(testContext(t), plainCall); !errors.As(err, &fault) || l.Err() != nil {
			t.Errorf("got %v, the link %v", err, l.Err())
		}
	})
}

// A legacy server is told that nobody waits; a modern one sees the stream end.
func TestLinkCancellation(t *testing.T) {
	cause := errors.New("the agent is gone")
	t.Run("legacy", func(t *testing.T) {
		noLeaks(t)
		arrived, told := make(chan Message, 1), make(chan string, 1)
		s := &legacyServer{session: "s", post: func(w http.ResponseWriter, r *http.Request, m Message) {
			if m.Method == MethodCancelled {
				told <- string(m.Params)
				w.WriteHeader(http.StatusAccepted)
				return
			}
			events(w, ": hello\n\n")
			arrived <- m
			<-r.Context().Done()
		}}
		l := legacyLink(t, s, HTTPClientOptions{})
		ctx, cancel := context.WithCancelCause(t.Context())
		var id ID
		go func() {
			id = (<-arrived).ID
			cancel(cause)
		}()
		_, err := l.Call(ctx, plainCall)
		if te := wantTransport(t, err, true); !errors.Is(te, cause) {
			t.Errorf("got %v", te)
		}
		if got, want := <-told, fmt.Sprintf(`{"requestId":%s,"reason":"the agent is gone"}`, id); got != want {
			t.Errorf("told %s, want %s", got, want)
		}
	})
	t.Run("modern", func(t *testing.T) {
		noLeaks(t)
		arrived, seen := make(chan struct{}), make(chan struct{})
		s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			events(w, ": hello\n\n")
			close(arrived)
			<-r.Context().Done()
			close(seen)
		}))
		l := modernLink(t, HTTPClientOptions{URL: s.URL})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-arrived
			cancel(cause)
		}()
		_, err := l.Call(ctx, plainCall)
		if te := wantTransport(t, err, true); !errors.Is(te, cause) {
			t.Errorf("got %v", te)
		}
		select {
		case <-seen:
		case <-time.After(10 * time.Second):
			t.Error("the server never saw it")
		}
	})
}

// Close ends what is in flight, whatever the server does.
func TestClosedLinkEndsEverything(t *testing.T) {
	noLeaks(t)
	arrived := make(chan struct{})
	s := &legacyServer{
		session: "s",
		get: func(w http.ResponseWriter, r *http.Request) {
			events(w, ": hello\n\n")
			<-r.Context().Done()
		},
		post: func(w http.ResponseWriter, r *http.Request, m Message) {
			close(arrived)
			<-r.Context().Done()
		},
	}
	l := legacyLink(t, s, HTTPClientOptions{})
	failed := make(chan error)
	go func() {
		_, err := l.Call(testContext(t), plainCall)
		failed <- err
	}()
	<-arrived
	l.Close()
	wantTransport(t, <-failed, true)
	if l.Close() != nil || !errors.Is(l.Err(), errClosed) {
		t.Errorf("closed with %v", l.Err())
	}
	wantTransport(t, l.Notify(testContext(t), MethodRootsChanged, nil), false)
}

// A server of the official SDK that forgot the session says so, and takes a
// new one.
func TestOfficialServerForgets(t *testing.T) {
	noLeaks(t)
	server := sdkServer()
	s := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	l, h := connect(t, HTTPClientOptions{URL: s.URL}, 0, false)
	other := *l.(*HTTPLink).session.Load()
	req, err := http.NewRequestWithContext(testContext(t), http.MethodDelete, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Mcp-Session-Id", other[0])
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	_, err = l.Call(testContext(t), toolCall(h, "echo", `{"text":"a"}`))
	if te := wantTransport(t, err, false); !errors.Is(te, ErrSessionLost) {
		t.Errorf("got %v", te)
	}
	again, h := connect(t, HTTPClientOptions{URL: s.URL}, 0, false)
	if *again.(*HTTPLink).session.Load() == other {
		t.Error("the old session was taken up again")
	}
	if result, err := again.Call(testContext(t), toolCall(h, "echo", `{"text":"b"}`)); err != nil || text(t, result) != "b" {
		t.Errorf("%s, %v", result, err)
	}
}

// A request that the server did not take may be sent again, although the link that
// learned of it is closed before it is told.
func TestNotTakenWhateverHappensSince(t *testing.T) {
	l, err := NewHTTPLink(HTTPClientOptions{URL: "http://127.0.0.1:1/mcp"}, Legacy)
	if err != nil {
		t.Fatal(err)
	}
	x := &exchange{l: l, out: &Outgoing{Method: MethodToolsCall}, caller: t.Context()}
	x.trail.sent = true
	l.Close()
	var got *TransportError
	if err := x.failed(&TransportError{Err: ErrSessionLost}); !errors.As(err, &got) || got.Sent || !errors.Is(err, ErrSessionLost) {
		t.Errorf("%v", err)
	}
	if err := x.failed(errors.New("broke off")); !errors.As(err, &got) || !got.Sent {
		t.Errorf("%v", err)
	}
}
