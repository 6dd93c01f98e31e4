package toolcrib_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib"
	"toolcrib/internal/mcptest"
)

// open opens a gateway that is closed when the test ends.
func open(t testing.TB, o *toolcrib.GatewayOptions) *toolcrib.Gateway {
	t.Helper()
	g, err := toolcrib.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return g
}

// office is the office as a server behind a gateway.
func office(t testing.TB) toolcrib.Server {
	return toolcrib.Server{Name: "office", URL: listen(t, newOffice(), true, nil)}
}

// mount serves a gateway over HTTP, and is to be closed after it.
func mount(t testing.TB, g *toolcrib.Gateway) string {
	t.Helper()
	l := httptest.NewServer(g.Handler())
	t.Cleanup(l.Close)
	return l.URL
}

func toolNames(t testing.TB, session *mcp.ClientSession) []string {
	t.Helper()
	var names []string
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

// Agents of both eras, over HTTP and over a pair of streams, find and call the
// tools of a server that is a process and of one that is reached over HTTP.
func TestGateway(t *testing.T) {
	command, args, env := mcptest.Command(t, "good")
	g := open(t, &toolcrib.GatewayOptions{Servers: []toolcrib.Server{
		office(t), {Name: "process", Command: command, Args: args, Env: env},
	}})
	url := mount(t, g)
	for era := range eras {
		for way, to := range map[string]func(*testing.T) mcp.Transport{
			"http":  func(*testing.T) mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: url} },
			"stdio": func(t *testing.T) mcp.Transport { return overStreams(t, g) },
		} {
			t.Run(way+" "+era, func(t *testing.T) {
				agent := connect(t, to(t), way+era, era)
				if names := toolNames(t, agent); !slices.Contains(names, "search_tools") || slices.Contains(names, "office__send_mail") {
					t.Errorf("the tools are %q", names)
				}
				found := text(t, callTool(t, agent, "search_tools", map[string]any{"query": "send_mail"}), 0)
				if !strings.Contains(found, `"office.send_mail"`) {
					t.Errorf("found %s", found)
				}
				for tool, want := range map[string]string{"office.send_mail": "done", "process.echo": "hello"} {
					result := callTool(t, agent, "call_tool", map[string]any{"tool": tool, "arguments": map[string]any{"text": "hello", "subject": "hello"}})
					if last := text(t, result, len(result.Content)-1); result.IsError || !strings.Contains(last, want) {
						t.Errorf("%s: %s", tool, marshal(t, result))
					}
				}
			})
		}
	}
}

// overStreams is an agent on the other end of ServeStdio.
func overStreams(t *testing.T, g *toolcrib.Gateway) mcp.Transport {
	t.Helper()
	in, toGateway := io.Pipe()
	fromGateway, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- g.ServeStdio(context.Background(), in, out)
		out.Close()
	}()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return &mcp.IOTransport{Reader: fromGateway, Writer: toGateway}
}

// What the options say comes before what the file says, and both have servers.
func TestGatewayOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "toolcrib.yaml")
	write := "servers:\n  filed:\n    url: " + listen(t, newOffice(), true, nil) + "\ndisclosure:\n  surface: lean\n  first_call: full\n"
	if err := os.WriteFile(file, []byte(write), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		options  toolcrib.GatewayOptions
		has      string
		hasNot   string
		call     string
		begins   string
		contains string
	}{
		"of the file":  {toolcrib.GatewayOptions{}, "execute", "list_servers", "filed.send_mail", "[toolcrib", "Send an email"},
		"both servers": {toolcrib.GatewayOptions{Servers: []toolcrib.Server{office(t)}}, "execute", "list_servers", "office.send_mail", "[toolcrib", "filed.send_mail"},
		"overruled": {
			toolcrib.GatewayOptions{Surface: toolcrib.SurfaceStandard, FirstCall: toolcrib.FirstCallOff},
			"list_servers", "send_mail", "filed.send_mail", "done", "done",
		},
		"one to one": {toolcrib.GatewayOptions{Surface: toolcrib.SurfacePassthrough}, "send_mail", "search_tools", "", "done", "done"},
	} {
		t.Run(name, func(t *testing.T) {
			test.options.Config = file
			agent := connect(t, &mcp.StreamableClientTransport{Endpoint: mount(t, open(t, &test.options))}, "agent", "modern")
			if names := toolNames(t, agent); !slices.Contains(names, test.has) || slices.Contains(names, test.hasNot) {
				t.Errorf("the tools are %q", names)
			}
			call, arguments := "call_tool", map[string]any{"tool": test.call, "arguments": map[string]any{}}
			if test.call == "" {
				call, arguments = "send_mail", nil
			}
			said := text(t, callTool(t, agent, call, arguments), 0)
			if !strings.HasPrefix(said, test.begins) || !strings.Contains(said, test.contains) {
				t.Errorf("the result begins with %s", said)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	fine := toolcrib.Server{Name: "a", URL: "http://127.0.0.1:1/mcp"}
	for want, o := range map[string]*toolcrib.GatewayOptions{
		"there are no servers":            nil,
		"a server needs a name":           {Servers: []toolcrib.Server{{URL: fine.URL}}},
		`two servers are called "a"`:      {Servers: []toolcrib.Server{fine, fine}},
		"needs a command or a url":        {Servers: []toolcrib.Server{{Name: "a"}}},
		"has a command and a url":         {Servers: []toolcrib.Server{{Name: "a", Command: "x", URL: fine.URL}}},
		"starts with http:// or https://": {Servers: []toolcrib.Server{{Name: "a", URL: "ftp://x"}}},
		`there is no surface "all"`:       {Servers: []toolcrib.Server{fine}, Surface: "all"},
		`FirstCall is "all"`:              {Servers: []toolcrib.Server{fine}, FirstCall: "all"},
		"there is no such file":           {Config: filepath.Join(t.TempDir(), "absent.yaml")},
	} {
		_, err := toolcrib.New(t.Context(), o)
		if err == nil || !strings.HasPrefix(err.Error(), "toolcrib.New: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, and should say %s", err, want)
		}
	}
}

// Without a way to tell who asks, only this machine is answered.
func TestWhoMayAsk(t *testing.T) {
	closed := open(t, &toolcrib.GatewayOptions{Servers: []toolcrib.Server{office(t)}})
	guarded := open(t, &toolcrib.GatewayOptions{
		Servers: []toolcrib.Server{office(t)}, AllowedHosts: []string{"tools.example.com"}, AllowedOrigins: []string{"https://app.example.com"},
		Authenticate: func(r *http.Request) (string, error) {
			if r.Header.Get("Authorization") != "Bearer secret" {
				return "", errors.New("no")
			}
			return "alice", nil
		},
	})
	const here, there = "127.0.0.1:5555", "203.0.113.9:5555"
	for name, ask := range map[string]struct {
		of     *toolcrib.Gateway
		from   string
		host   string
		header http.Header
		want   int
	}{
		"from here":          {closed, here, "localhost", nil, http.StatusOK},
		"from IPv6":          {closed, "[::1]:5555", "localhost", nil, http.StatusOK},
		"from elsewhere":     {closed, there, "localhost", nil, http.StatusForbidden},
		"from nowhere":       {closed, "", "localhost", nil, http.StatusForbidden},
		"under another name": {closed, here, "evil.example.com", nil, http.StatusForbidden},
		"without a token":    {guarded, there, "tools.example.com", nil, http.StatusUnauthorized},
		"with a token":       {guarded, there, "tools.example.com", http.Header{"Authorization": {"Bearer secret"}}, http.StatusOK},
		"of an allowed page": {guarded, there, "tools.example.com", http.Header{"Authorization": {"Bearer secret"}, "Origin": {"https://app.example.com"}}, http.StatusOK},
		"of another page":    {guarded, there, "tools.example.com", http.Header{"Authorization": {"Bearer secret"}, "Origin": {"https://evil.example.com"}}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+ask.host+"/mcp",
				strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}`))
			r.RemoteAddr = ask.from
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for name, values := range ask.header {
				r.Header[name] = values
			}
			w := httptest.NewRecorder()
			ask.of.Handler().ServeHTTP(w, r)
			if w.Code != ask.want {
				t.Errorf("%d: %s", w.Code, w.Body)
			}
		})
	}
}

// Close lets a running call finish and takes nothing new; it may be called
// again.
func TestCloseLetsCallsFinish(t *testing.T) {
	server, began, finish := thinker(t)
	g := open(t, &toolcrib.GatewayOptions{Servers: []toolcrib.Server{server}, Surface: toolcrib.SurfacePassthrough})
	url := mount(t, g)
	agent := connect(t, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, "agent", "modern")
	said := ponder(agent)
	<-began
	closed := make(chan error, 1)
	go func() { closed <- g.Close(context.Background()) }()
	for refused := false; !refused; {
		_, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: "send_mail"})
		refused = err != nil
	}
	close(finish)
	if got := <-said; got.err != nil || text(t, got.result, 0) != "done" {
		t.Errorf("the running call said %s, and %v", marshal(t, got.result), got.err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// The end of the context that New was given ends a running call.
func TestEndOfContext(t *testing.T) {
	server, began, finish := thinker(t)
	defer close(finish)
	ctx, cancel := context.WithCancel(context.Background())
	g, err := toolcrib.New(ctx, &toolcrib.GatewayOptions{Servers: []toolcrib.Server{server}, Surface: toolcrib.SurfacePassthrough})
	if err != nil {
		t.Fatal(err)
	}
	agent := connect(t, &mcp.StreamableClientTransport{Endpoint: mount(t, g), DisableStandaloneSSE: true}, "agent", "modern")
	said := ponder(agent)
	<-began
	cancel()
	if got := <-said; got.err == nil {
		t.Errorf("the call said %s", marshal(t, got.result))
	}
	if err := g.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// thinker is a server with a tool ponder that takes until finish is closed.
func thinker(t testing.TB) (server toolcrib.Server, began, finish chan struct{}) {
	t.Helper()
	s := newOffice()
	began, finish = make(chan struct{}), make(chan struct{})
	s.AddTool(&mcp.Tool{Name: "ponder", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		<-finish
		return officeAnswer(ctx, r)
	})
	return toolcrib.Server{Name: "office", URL: listen(t, s, true, nil)}, began, finish
}

type outcome struct {
	result *mcp.CallToolResult
	err    error
}

func ponder(agent *mcp.ClientSession) <-chan outcome {
	said := make(chan outcome, 1)
	go func() {
		result, err := agent.CallTool(context.Background(), &mcp.CallToolParams{Name: "ponder"})
		said <- outcome{result, err}
	}()
	return said
}
