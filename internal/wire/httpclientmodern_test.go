package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestModernHeaders(t *testing.T) {
	var got http.Header
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		answerJSON(w, ID(requestID(r)), "{}")
	}))
	l := modernLink(t, HTTPClientOptions{URL: s.URL, Header: map[string]string{"Authorization": "Bearer x"}})
	for _, c := range []struct {
		out  Outgoing
		name string
	}{
		{Outgoing{Method: MethodToolsList}, ""},
		{Outgoing{Method: MethodToolsCall, Params: []byte(`{"name":"t"}`)}, "t"},
		{Outgoing{Method: MethodToolsCall, Params: []byte(`{"name":"t"}`), Name: "u"}, "u"},
		{Outgoing{Method: MethodToolsCall, Params: []byte(`{"name":" \u00e9"}`)}, "=?base64?IMOp?="},
		{Outgoing{Method: MethodPromptsGet, Params: []byte(`{"name":"p","uri":"x"}`)}, "p"},
		{Outgoing{Method: MethodResourcesRead, Params: []byte(`{"uri":"a://b c","name":"x"}`)}, "a://b c"},
	} {
		c.out.Headers = [][2]string{{"Mcp-Param-Region", "eu"}}
		if _, err := l.Call(testContext(t), &c.out); err != nil {
			t.Fatal(err)
		}
		if got.Get("Mcp-Protocol-Version") != VersionModern || got.Get("Mcp-Method") != c.out.Method || got.Get("Mcp-Name") != c.name ||
			got.Get("Mcp-Param-Region") != "eu" || got.Get("Authorization") != "Bearer x" || got.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s %s: %v", c.out.Method, c.out.Params, got)
		}
	}
	var host string
	named := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host = r.Host
		answerJSON(w, ID(requestID(r)), "{}")
	}))
	if _, err := modernLink(t, HTTPClientOptions{URL: named.URL, Header: map[string]string{"host": "tools.example"}}).Call(testContext(t), plainCall); err != nil || host != "tools.example" {
		t.Errorf("%v, to %q", err, host)
	}
	if err := l.Notify(testContext(t), "notifications/x", nil); err != nil || got.Get("Mcp-Method") != "notifications/x" {
		t.Errorf("%v, %v", err, got)
	}
}

// What passes is not touched, in size or in spelling.
func TestResultsArriveByteForByte(t *testing.T) {
	odd := `{ "n" : 9223372036854775807 ,"f":1e-7,"\u0061":"\ud83d\ude00 \u00e9é😀","z":{"y":[ ]},"content":[{"type":"vendor/x","k":null}]}`
	results := map[string]string{"odd": odd, "10 MB": `{"a":"` + strings.Repeat("0123456789", 1<<20) + `"}`}
	for _, stream := range []bool{false, true} {
		for _, known := range []bool{false, true} {
			for name, result := range results {
				t.Run(fmt.Sprintf("%s/%v/%v", name, stream, known), func(t *testing.T) {
					var params []byte
					s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						b, _ := io.ReadAll(r.Body)
						m, err := Parse(b)
						if err != nil {
							t.Error(err)
						}
						params = m.Params
						b = AppendResult(nil, m.ID, []byte(result))
						w.Header().Set("Content-Type", "application/json")
						if stream {
							w.Header().Set("Content-Type", "text/event-stream")
							b = append(append([]byte("event: message\ndata: "), b...), "\n\n"...)
						}
						if known {
							w.Header().Set("Content-Length", fmt.Sprint(len(b)))
						}
						w.Write(b)
					}))
					l := modernLink(t, HTTPClientOptions{URL: s.URL})
					sent := []byte(`{"name":"t","arguments":` + result + `}`)
					got, err := l.Call(testContext(t), &Outgoing{Method: MethodToolsCall, Params: sent})
					if err != nil || string(got) != result {
						t.Errorf("the result differs (%v)", err)
					}
					if !bytes.Equal(params, sent) {
						t.Error("the params differ")
					}
				})
			}
		}
	}
}

func TestNotificationsOnARequestsStream(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := requestID(r)
		events(w, ": keep-alive\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"a\": 1}}\n\n")
		events(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"elicitation/create\"}\n\n") // not allowed
		events(w, "data: rubbish\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{}}\n\n")
		events(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+id+",\"result\":{}}\n\n")
	}))
	receiver := newHeard()
	receiver.answer = func(context.Context, string, []byte) ([]byte, error) {
		t.Error("a modern server asked something")
		return nil, nil
	}
	l := modernLink(t, HTTPClientOptions{URL: s.URL, Receiver: receiver})
	call := *plainCall
	call.Related = 42
	if _, err := l.Call(testContext(t), &call); err != nil {
		t.Fatal(err)
	}
	if n := receiver.wait(t, MethodProgress); n.related != 42 || n.params != `{"a": 1}` {
		t.Errorf("heard %+v", n)
	}
}

// A stream that ended leaves its connection to the next request, even when the
// caller's context ends with the call.
func TestConnectionsAreReused(t *testing.T) {
	noLeaks(t)
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		events(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+requestID(r)+",\"result\":{}}\n\n")
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	l := modernLink(t, HTTPClientOptions{URL: s.URL})
	for range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := l.Call(ctx, plainCall)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := connections.Load(); n > 50 {
		t.Errorf("200 calls took %d connections", n)
	}
}

// A server that leaves its streams open costs neither time nor goroutines.
func TestStreamsLeftOpen(t *testing.T) {
	noLeaks(t)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		events(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+requestID(r)+",\"result\":{}}\n\n")
		<-r.Context().Done()
	}))
	l := modernLink(t, HTTPClientOptions{URL: s.URL})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := l.Call(testContext(t), plainCall); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestKeepAliveIsHeeded(t *testing.T) {
	for said, want := range map[string]time.Duration{
		"timeout=5": 4 * time.Second, "max=100, timeout=30": 29 * time.Second, "timeout=1": time.Second / 2,
		"": 0, "timeout=x": 0, "timeout=0": 0, "timeout=99999": 0,
	} {
		if got := keepAlive(said); got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
	noLeaks(t)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Keep-Alive", "timeout=5")
		answerJSON(w, ID(requestID(r)), "{}")
	}))
	l := modernLink(t, HTTPClientOptions{URL: s.URL})
	for range 3 {
		if _, err := l.Call(testContext(t), plainCall); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.carrier.client().Transport.(*http.Transport).IdleConnTimeout; got != 4*time.Second {
		t.Errorf("idle connections are kept for %v", got)
	}
}

func BenchmarkHTTPCall(b *testing.B) {
	for name, stream := range map[string]bool{"json": false, "stream": true} {
		b.Run(name, func(b *testing.B) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				id := requestID(r)
				if stream {
					events(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+id+",\"result\":{}}\n\n")
				} else {
					answerJSON(w, ID(id), "{}")
				}
			}))
			defer s.Close()
			l, err := NewHTTPLink(HTTPClientOptions{URL: s.URL}, Modern)
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Call(b.Context(), plainCall); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
