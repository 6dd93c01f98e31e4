package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestEraOverHTTP connects to servers that answer the probe in every way that
// real ones do.
func TestEraOverHTTP(t *testing.T) {
	fault := func(code int, data string) func(w http.ResponseWriter, m Message) {
		return func(w http.ResponseWriter, m Message) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			e := Errorf(code, "no")
			if data != "" {
				e = e.WithData([]byte(data))
			}
			w.Write(AppendFault(nil, m.ID, e))
		}
	}
	result := func(s string) func(w http.ResponseWriter, m Message) {
		return func(w http.ResponseWriter, m Message) { answerJSON(w, m.ID, s) }
	}
	status := func(n int) func(w http.ResponseWriter, m Message) {
		return func(w http.ResponseWriter, _ Message) { http.Error(w, "no", n) }
	}
	const modern = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"i","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m"}}}`
	legacy := result(`{"protocolVersion":"2025-06-18","capabilities":{}}`)
	var hang func(w http.ResponseWriter, m Message)
	for name, c := range map[string]struct {
		discover   []func(w http.ResponseWriter, m Message)
		initialize func(w http.ResponseWriter, m Message)
		want       Era    // 0: an error
		says       string // the error
		asked      string
	}{
		"modern":               {one(result(modern)), nil, Modern, "", "d"},
		"both":                 {one(result(strings.Replace(modern, `["`, `["2025-11-25","`, 1))), nil, Modern, "", "d"},
		"modern, asks again":   {two(fault(CodeUnsupportedVersion, `{"supported":["2026-07-28"]}`), result(modern)), nil, Modern, "", "dd"},
		"modern, insists":      {one(fault(CodeUnsupportedVersion, `{"supported":["2026-07-28"]}`)), nil, 0, "(-32022)", "dd"},
		"legacy by the list":   {one(fault(CodeUnsupportedVersion, `{"supported":["2025-06-18"]}`)), legacy, Legacy, "", "di"},
		"another century":      {one(fault(CodeUnsupportedVersion, `{"supported":["2126-01-01"]}`)), legacy, 0, "(-32022)", "d"},
		"capability":           {one(fault(CodeMissingCapability, `{}`)), legacy, 0, "(-32021)", "d"},
		"legacy: unknown":      {one(fault(CodeMethodNotFound, "")), legacy, Legacy, "", "di"},
		"legacy: no session":   {one(fault(-32000, "")), legacy, Legacy, "", "di"},
		"legacy: plain 400":    {one(status(400)), legacy, Legacy, "", "di"},
		"legacy: plain 500":    {one(status(500)), legacy, Legacy, "", "di"},
		"legacy: empty result": {one(result(`{}`)), legacy, Legacy, "", "di"},
		"legacy: nonsense":     {one(result(`[1]`)), legacy, Legacy, "", "di"},
		"legacy: hangs":        {one(hang), legacy, Legacy, "", "di"},
		"modern, but slow":     {two(hang, result(modern)), fault(CodeUnsupportedVersion, `{"supported":["2026-07-28"]}`), Modern, "", "did"},
		"unauthorized":         {one(status(401)), legacy, 0, "credentials", "d"},
		"unknown version":      {one(status(400)), result(`{"protocolVersion":"1999-01-01"}`), 0, `"1999-01-01"`, "di"},
		"nothing there":        {one(status(404)), status(404), 0, "HTTP+SSE", "dig"},
		"broken":               {one(status(500)), status(500), 0, "HTTP 500", "di"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan string, 20)
			var discovers atomic.Int32
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				m, _ := Parse(body)
				switch m.Method {
				case MethodDiscover:
					asked <- "d"
					meta, err := readMeta(m.Method, m.Params)
					if err != nil || meta.Version != VersionModern || meta.Capabilities.Raw == nil || meta.ClientInfo == nil {
						t.Errorf("asked with %s", m.Params)
					}
					f := c.discover[min(int(discovers.Add(1)), len(c.discover))-1]
					if f == nil {
						<-r.Context().Done()
						return
					}
					f(w, m)
				case MethodInitialize:
					asked <- "i"
					c.initialize(w, m)
				case MethodInitialized:
					w.WriteHeader(http.StatusAccepted)
				default:
					if r.Header.Get("Mcp-Protocol-Version") == "" {
						asked <- "g"
					}
					http.NotFound(w, r)
				}
			}))
			l, h, err := ConnectHTTP(testContext(t), HTTPClientOptions{URL: s.URL}, 0, false, 100*time.Millisecond)
			if err == nil {
				defer l.Close()
			}
			if c.want == 0 {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want it to say %s", err, c.says)
				}
			} else if err != nil || h.Era != c.want || h.Era == Modern && (string(h.ServerInfo) != `{"name":"m"}` || h.Instructions != "i") {
				t.Errorf("got %+v, %v", h, err)
			}
			got := ""
			for len(asked) > 0 {
				got += <-asked
			}
			if got != c.asked {
				t.Errorf("asked %s, want %s", got, c.asked)
			}
		})
	}
}

func one(f func(http.ResponseWriter, Message)) []func(http.ResponseWriter, Message) {
	return []func(http.ResponseWriter, Message){f}
}

func two(f, g func(http.ResponseWriter, Message)) []func(http.ResponseWriter, Message) {
	return []func(http.ResponseWriter, Message){f, g}
}

func TestBadAddresses(t *testing.T) {
	for _, url := range []string{"", "mcp", "ftp://x", "http://", "://", "http://[::1"} {
		for _, sse := range []bool{false, true} {
			if _, _, err := ConnectHTTP(testContext(t), HTTPClientOptions{URL: url}, 0, sse, 0); err == nil || !strings.Contains(err.Error(), "http://") {
				t.Errorf("%q: %v", url, err)
			}
		}
	}
}

// TestLegacySSE drives the transport of 2024-11-05 against a hand-made server.
func TestLegacySSE(t *testing.T) {
	for name, endpoint := range map[string]string{
		"relative": "/post?session=1", "absolute": "SELF/post", "another host": "http://example.com/post",
		"another scheme": "https://127.0.0.1/post", "not first": "MESSAGE",
	} {
		t.Run(name, func(t *testing.T) {
			noLeaks(t)
			say := make(chan string, 10)
			mux := http.NewServeMux()
			s := serve(t, mux)
			mux.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) {
				if endpoint == "MESSAGE" {
					events(w, "data: {}\n\n")
					return
				}
				events(w, "event: endpoint\ndata: "+strings.Replace(endpoint, "SELF", s.URL, 1)+"\n\n")
				for {
					select {
					case text := <-say:
						events(w, "event: message\ndata: "+text+"\n\n")
						if text == "bye" {
							return
						}
					case <-r.Context().Done():
						return
					}
				}
			})
			mux.HandleFunc("POST /post", func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				m, err := Parse(b)
				if err != nil {
					t.Error(err)
				}
				w.WriteHeader(http.StatusAccepted)
				switch {
				case m.Method == MethodInitialize:
					say <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2024-11-05","capabilities":{}}}`, m.ID)
				case m.Method == MethodToolsCall:
					say <- `{"jsonrpc":"2.0","id":"q","method":"ping"}`
					say <- `rubbish`
					say <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"n": 9223372036854775807}}`, m.ID)
				case m.Method == MethodToolsList:
					say <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{},"result":{}}`, m.ID)
				case m.Method == MethodPromptsList:
					say <- "bye"
				case m.Kind == Response && m.ID == `"q"`:
					say <- `{"jsonrpc":"2.0","method":"notifications/ponged"}`
				}
			})
			receiver := newHeard()
			l, h, err := ConnectHTTP(testContext(t), HTTPClientOptions{URL: s.URL + "/sse", Receiver: receiver}, 0, true, 0)
			if name != "relative" && name != "absolute" {
				if err == nil {
					t.Fatal("connected")
				}
				return
			}
			if err != nil || h.Version != Version202411 {
				t.Fatal(h, err)
			}
			defer l.Close()
			result, err := l.Call(testContext(t), plainCall)
			if err != nil || string(result) != `{"n": 9223372036854775807}` {
				t.Fatal(string(result), err)
			}
			receiver.wait(t, "notifications/ponged")
			var fault *Error
			if _, err := l.Call(testContext(t), &Outgoing{Method: MethodToolsList}); !errors.As(err, &fault) {
				t.Errorf("a malformed answer: %v", err)
			}
			_, err = l.Call(testContext(t), &Outgoing{Method: MethodPromptsList})
			wantTransport(t, err, true)
			<-l.Done()
			_, err = l.Call(testContext(t), plainCall)
			wantTransport(t, err, false)
		})
	}
}
