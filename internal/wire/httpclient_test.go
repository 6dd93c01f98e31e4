package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// heard is a Receiver that remembers.
type heard struct {
	mu    sync.Mutex
	notes []heardNote
	came  chan struct{} // one for every note, as long as there is room
	// answer is called for requests; nil refuses them.
	answer func(ctx context.Context, method string, params []byte) ([]byte, error)
}

type heardNote struct {
	related any
	method  string
	params  string
}

func newHeard() *heard { return &heard{came: make(chan struct{}, 100)} }

func (h *heard) Notification(related any, method string, params []byte) {
	h.mu.Lock()
	h.notes = append(h.notes, heardNote{related, method, string(params)})
	h.mu.Unlock()
	select {
	case h.came <- struct{}{}:
	default:
	}
}

func (h *heard) Request(ctx context.Context, _ any, method string, params []byte) ([]byte, error) {
	if h.answer == nil {
		return nil, Errorf(CodeMethodNotFound, "no %s here", method)
	}
	return h.answer(ctx, method, params)
}

func (h *heard) Noise([]byte) {}

// wait returns the first note with that method.
func (h *heard) wait(t *testing.T, method string) heardNote {
	t.Helper()
	late := time.After(10 * time.Second)
	for {
		h.mu.Lock()
		for _, n := range h.notes {
			if n.method == method {
				h.mu.Unlock()
				return n
			}
		}
		h.mu.Unlock()
		select {
		case <-h.came:
		case <-late:
			t.Fatalf("no %s came", method)
		}
	}
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// noLeaks fails the test when goroutines are left after everything was closed.
func noLeaks(t *testing.T) {
	have := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, have) })
}

// sdkServer is a server of the official SDK.
func sdkServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "oracle", Version: "1"}, &mcp.ServerOptions{Instructions: "ask me"})
	type in struct {
		Text string `json:"text"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, a in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.Text}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "progress"}, func(ctx context.Context, r *mcp.CallToolRequest, _ in) (*mcp.CallToolResult, any, error) {
		err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1})
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil, err
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.CallToolRequest, _ in) (*mcp.CallToolResult, any, error) {
		got, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "who?"})
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: got.Action}}}, nil, nil
	})
	return s
}

func serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, o HTTPClientOptions, era Era, sse bool) (Link, *Hello) {
	t.Helper()
	l, h, err := ConnectHTTP(testContext(t), o, era, sse, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, h
}

// toolCall is what the gateway would send: with _meta where the era wants it.
func toolCall(h *Hello, name, arguments string) *Outgoing {
	params := []byte(`{"name":"` + name + `","arguments":` + arguments + `,"_meta":{"progressToken":7}}`)
	if h.Era == Modern {
		var err error
		params, err = ChangeMeta(params, Change{MetaVersion, Quote(VersionModern)}, Change{MetaClientCapabilities, []byte("{}")},
			Change{MetaClientInfo, []byte(`{"name":"t","version":"1"}`)})
		if err != nil {
			panic(err)
		}
	}
	return &Outgoing{Method: MethodToolsCall, Params: params}
}

func text(t *testing.T, result []byte) string {
	t.Helper()
	var r struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(result, &r); err != nil || len(r.Content) == 0 {
		t.Fatalf("no text in %s", result)
	}
	return r.Content[0].Text
}

// TestOfficialServers calls the SDK's servers on every transport and in both eras.
func TestOfficialServers(t *testing.T) {
	server := sdkServer()
	get := func(*http.Request) *mcp.Server { return server }
	for name, c := range map[string]struct {
		handler http.Handler
		sse     bool
		era     Era // as given
		want    Era
	}{
		"stateless":         {mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}), false, 0, Modern},
		"stateless JSON":    {mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}), false, Modern, Modern},
		"stateless, legacy": {mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}), false, Legacy, Legacy},
		"stateful":          {mcp.NewStreamableHTTPHandler(get, nil), false, 0, Legacy},
		"stateful JSON":     {mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true}), false, Legacy, Legacy},
		"sse":               {mcp.NewSSEHandler(get, nil), true, 0, Legacy},
		"sse, found out":    {mcp.NewSSEHandler(get, nil), false, 0, Legacy},
	} {
		t.Run(name, func(t *testing.T) {
			noLeaks(t)
			http := serve(t, c.handler)
			receiver := newHeard()
			receiver.answer = func(_ context.Context, method string, _ []byte) ([]byte, error) {
				if method != MethodElicit {
					return nil, Errorf(CodeMethodNotFound, "no %s", method)
				}
				return []byte(`{"action":"decline"}`), nil
			}
			o := HTTPClientOptions{URL: http.URL, Receiver: receiver, Identity: Identity{Capabilities: []byte(`{"elicitation":{}}`)}}
			l, h := connect(t, o, c.era, c.sse)
			if h.Era != c.want || h.Instructions != "ask me" || h.Version == "" {
				t.Fatalf("said %+v", h)
			}
			ctx := testContext(t)
			result, err := l.Call(ctx, toolCall(h, "echo", `{"text":"hé"}`))
			if err != nil || text(t, result) != "hé" {
				t.Fatalf("echo: %s, %v", result, err)
			}
			var fault *Error
			if _, err := l.Call(ctx, toolCall(h, "none", `{}`)); !errors.As(err, &fault) || fault.Code != CodeInvalidParams {
				t.Fatalf("unknown tool: %v", err)
			}
			if _, isSSE := c.handler.(*mcp.SSEHandler); c.want == Legacy && !isSSE && name != "stateful" {
				return
			}
			call := toolCall(h, "progress", `{"text":""}`)
			call.Related = "mine"
			if _, err := l.Call(ctx, call); err != nil {
				t.Fatal(err)
			}
			if c.sse || c.want == Legacy {
				if result, err := l.Call(ctx, toolCall(h, "ask", `{"text":""}`)); err != nil || text(t, result) != "decline" {
					t.Fatalf("ask: %s, %v", result, err)
				}
			}
		})
	}
}

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }
