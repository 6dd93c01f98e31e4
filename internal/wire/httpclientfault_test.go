package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func modernLink(t *testing.T, o HTTPClientOptions) *HTTPLink {
	t.Helper()
	l, err := NewHTTPLink(o, Modern)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

var plainCall = &Outgoing{Method: MethodToolsCall, Params: []byte(`{"name":"t","arguments":{}}`)}

// requestID reads the id of the request in r, as raw JSON.
func requestID(r *http.Request) string {
	b, _ := io.ReadAll(r.Body)
	m, err := Parse(b)
	if err != nil {
		return "null"
	}
	return string(m.ID)
}

// reset ends the connection of w as a crashed peer does.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// wantTransport checks that err says the message may have been seen, or not.
func wantTransport(t *testing.T, err error, sent bool) *TransportError {
	t.Helper()
	var te *TransportError
	if !errors.As(err, &te) {
		t.Fatalf("got %v, want a transport error", err)
	}
	if te.Sent != sent {
		t.Fatalf("Sent is %v in %v", te.Sent, err)
	}
	return te
}

// A server that resets the connection anywhere after it has the request has
// been asked once and never again.
func TestAResetCallIsNotRepeated(t *testing.T) {
	faults := map[string]func(w http.ResponseWriter, id string){
		"before the answer": func(w http.ResponseWriter, _ string) { reset(w) },
		"inside a body of known length": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "100000")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"a":"`, id)
			http.NewResponseController(w).Flush()
			reset(w)
		},
		"inside a body of unknown length": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"a":"`, id)
			http.NewResponseController(w).Flush()
			reset(w)
		},
		"inside a stream": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"a\":", id)
			http.NewResponseController(w).Flush()
			reset(w)
		},
	}
	for name, fault := range faults {
		for _, header := range []map[string]string{nil, {"Idempotency-Key": "k"}} {
			for _, reused := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d/%v", name, len(header), reused), func(t *testing.T) {
					var calls atomic.Int32
					var broken atomic.Bool
					s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						id := requestID(r)
						if !broken.Load() {
							w.Header().Set("Content-Type", "application/json")
							fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
							return
						}
						calls.Add(1)
						fault(w, id)
					}))
					l := modernLink(t, HTTPClientOptions{URL: s.URL, Header: header})
					if reused {
						if _, err := l.Call(testContext(t), plainCall); err != nil {
							t.Fatal(err)
						}
					}
					broken.Store(true)
					begun := time.Now()
					_, err := l.Call(testContext(t), plainCall)
					wantTransport(t, err, true)
					if n := calls.Load(); n != 1 {
						t.Errorf("the server was asked %d times", n)
					}
					if d := time.Since(begun); d > 5*time.Second {
						t.Errorf("the error took %v", d)
					}
				})
			}
		}
	}
}

// A server that was restarted leaves dead connections behind. A call that meets
// one before we know may fail, but it is never executed twice, and the next one
// reaches the new server.
func TestDeadIdleConnections(t *testing.T) {
	var executed atomic.Int32
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		executed.Add(1)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, requestID(r))
	}))
	l := modernLink(t, HTTPClientOptions{URL: s.URL})
	answered := int32(0)
	for range 100 {
		_, err := l.Call(testContext(t), plainCall)
		if err != nil {
			wantTransport(t, err, true)
			_, err = l.Call(testContext(t), plainCall)
		}
		if err != nil {
			t.Fatalf("the server is there again: %v", err)
		}
		answered++
		s.CloseClientConnections()
	}
	if n := executed.Load(); n != answered {
		t.Errorf("%d calls were answered, %d executed", answered, n)
	}
}

func TestWhatWasNotSentSaysSo(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	plain := serve(t, http.NotFoundHandler())
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = discardLog()
	t.Cleanup(secure.Close)
	for name, url := range map[string]string{
		"refused":              closed.URL,
		"no TLS there":         strings.Replace(plain.URL, "http:", "https:", 1),
		"unknown certificate":  secure.URL,
		"host does not exist":  "http://no-such-host.invalid/mcp",
		"port is out of range": "http://127.0.0.1:99999/mcp",
	} {
		t.Run(name, func(t *testing.T) {
			l := modernLink(t, HTTPClientOptions{URL: url + "?token=secret"})
			_, err := l.Call(testContext(t), plainCall)
			te := wantTransport(t, err, false)
			if strings.Contains(te.Error(), "secret") {
				t.Errorf("the error tells the secret: %v", te)
			}
		})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := modernLink(t, HTTPClientOptions{URL: plain.URL}).Call(ended, plainCall)
	wantTransport(t, err, false)
}

// Whatever a server answers, the call ends with an error that says so.
func TestOddAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       string
	}{
		"not JSON":            {200, "application/json", `hello`, "malformed"},
		"empty":               {200, "application/json", ``, "did not answer"},
		"another id":          {200, "application/json", `{"jsonrpc":"2.0","id":"x","result":{}}`, "another request's id"},
		"a request":           {200, "application/json", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "another request's id"},
		"two results":         {200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, "malformed"},
		"result and error":    {200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, "malformed"},
		"a page":              {200, "text/html", `<html>`, "text/html"},
		"accepted":            {202, "", ``, "did not answer"},
		"no content":          {204, "text/plain", ``, "did not answer"},
		"stream without end":  {200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1", "malformed"},
		"empty stream":        {200, "text/event-stream", ": hello\n\n", "ended before the answer"},
		"malformed in stream": {200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"result\":1}\n\n", "malformed"},
		"server error":        {502, "text/html", "<h1>Bad\n Gateway</h1>", "502 Bad Gateway: <h1>Bad Gateway</h1>"},
		"unauthorized":        {401, "text/plain", "who are you", "check the credentials"},
		"not found":           {404, "text/plain", "404 page not found", "check the path"},
		"redirect":            {302, "text/plain", "", "url"},
		"binary error":        {500, "text/plain", "\xff\xfe", "500"},
	} {
		t.Run(name, func(t *testing.T) {
			noLeaks(t)
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if c.kind != "" {
					w.Header().Set("Content-Type", c.kind)
				}
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			}))
			l := modernLink(t, HTTPClientOptions{URL: s.URL})
			_, err := l.Call(testContext(t), plainCall)
			te := wantTransport(t, err, true)
			if !strings.Contains(te.Error(), c.want) {
				t.Errorf("got %q, want it to say %q", te, c.want)
			}
		})
	}
}

// An error of the protocol is the server's own, byte for byte, whatever the
// HTTP status was.
func TestErrorsOfTheProtocol(t *testing.T) {
	const fault = `{"code":-32022,"message":"no \u00e9","data":{"n":9223372036854775807},"extra":[1e-7]}`
	for _, status := range []int{200, 400, 404, 500} {
		for _, id := range []string{"1", "null"} {
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, fault)
			}))
			_, err := modernLink(t, HTTPClientOptions{URL: s.URL}).Call(testContext(t), plainCall)
			var e *Error
			if !errors.As(err, &e) || string(e.JSON()) != fault || e.Code != CodeUnsupportedVersion {
				t.Errorf("HTTP %d, id %s: %v", status, id, err)
			}
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	const limit = 64 << 10
	for name, send := range map[string]func(w http.ResponseWriter, fill func(w io.Writer)){
		"known length": func(w http.ResponseWriter, fill func(io.Writer)) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "10000000")
			fill(w)
		},
		"unknown length": func(w http.ResponseWriter, fill func(io.Writer)) {
			w.Header().Set("Content-Type", "application/json")
			fill(w)
		},
		"event": func(w http.ResponseWriter, fill func(io.Writer)) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "id: 1\ndata: ")
			fill(w)
		},
		"error": func(w http.ResponseWriter, fill func(io.Writer)) {
			w.WriteHeader(500)
			fill(w)
		},
	} {
		t.Run(name, func(t *testing.T) {
			noLeaks(t)
			var written atomic.Int64
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				send(w, func(w io.Writer) {
					for range 10000000 / 1000 {
						n, err := io.WriteString(w, strings.Repeat("x", 1000))
						written.Add(int64(n))
						if err != nil {
							return
						}
					}
				})
			}))
			l := modernLink(t, HTTPClientOptions{URL: s.URL, MaxMessage: limit})
			_, err := l.Call(testContext(t), plainCall)
			wantTransport(t, err, true)
		})
	}
}

// A notification has no answer. A server that gives one, or goes on and on with
// it, holds nobody up.
func TestNotificationsAreNotWaitedFor(t *testing.T) {
	noLeaks(t)
	for _, kind := range []string{"application/json", "text/event-stream"} {
		s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}))
		l := modernLink(t, HTTPClientOptions{URL: s.URL})
		begun := time.Now()
		if err := l.Notify(t.Context(), MethodRootsChanged, nil); err != nil {
			t.Error(err)
		}
		if d := time.Since(begun); d > 10*discardTimeout {
			t.Errorf("it took %v", d)
		}
	}
}
