package app

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

// serving is a gateway on a loopback port.
type serving struct {
	t    *testing.T
	url  string
	app  *App
	stop context.CancelFunc // asks it to stop, gracefully
	end  chan error         // what ServeHTTP returned
}

func serveHTTP(t *testing.T, c config.Config, o Options) *serving {
	t.Helper()
	life, kill := context.WithCancel(context.Background())
	a, err := Open(life, c, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := a.Listen(life, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	soft, stop := context.WithCancel(life)
	s := &serving{t: t, url: "http://" + l.Addr().String(), app: a, stop: stop, end: make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.end <- a.ServeHTTP(soft, l)
	}()
	t.Cleanup(func() {
		stop()
		kill()
		<-ended
		a.Close(context.Background())
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

func (s *serving) do(method, path, body string, headers ...string) (int, string, http.Header) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error(), nil
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error(), nil
	}
	return resp.StatusCode, string(b), resp.Header
}

// call calls a tool as a modern agent does.
func (s *serving) call(tool, arguments string) (int, string) {
	s.t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	status, answer, _ := s.do("POST", Endpoint, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
	return status, answer
}

var openHTTP = config.HTTP{Auth: config.AuthNone}

// asIs shows agents what servers offer, one to one.
var asIs = config.Disclosure{Surface: config.Passthrough}

func server(t *testing.T, name, behaviour string, args ...string) config.Server {
	command, arguments, env := mcptest.Command(t, behaviour, args...)
	return config.Server{Name: name, Type: config.Stdio, Command: command, Args: arguments, Env: env}
}

func TestPathsBesideTheEndpoint(t *testing.T) {
	s := serveHTTP(t, config.Config{HTTP: openHTTP}, Options{})
	if status, body, _ := s.do("GET", "/healthz", ""); status != 200 || body != "{\"status\":\"ok\"}\n" {
		t.Errorf("healthz: %d %s", status, body)
	}
	for _, path := range []string{
		"/", "/mcp/", "/sse", "/favicon.ico",
		"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/mcp/.well-known/openid-configuration",
		"/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/mcp", "/.well-known/openid-configuration",
	} {
		for _, method := range []string{"GET", "POST"} {
			status, body, header := s.do(method, path, "{}")
			var answer struct{ Error, Hint string }
			if status != 404 || header.Get("Content-Type") != "application/json" || json.Unmarshal([]byte(body), &answer) != nil ||
				!strings.Contains(answer.Hint, Endpoint) {
				t.Errorf("%s %s: %d %s", method, path, status, body)
			}
		}
	}
}

func TestEndpointWantsTheToken(t *testing.T) {
	dir := t.TempDir()
	s := serveHTTP(t, config.Config{}, Options{StateDir: dir})
	status, _, header := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if status != 401 || !strings.HasPrefix(header.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("without a token: %d, WWW-Authenticate %q", status, header.Get("WWW-Authenticate"))
	}
	token, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil {
		t.Fatal(err)
	}
	status, body, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Authorization", "Bearer "+strings.TrimSpace(string(token)))
	if status == 401 || status == 0 {
		t.Errorf("with the token: %d %s", status, body)
	}
	if status, _, _ := s.do("GET", "/healthz", ""); status != 200 {
		t.Errorf("healthz: %d", status)
	}
}

func TestEndpointChecksHostAndOrigin(t *testing.T) {
	s := serveHTTP(t, config.Config{HTTP: config.HTTP{Auth: config.AuthNone, AllowedOrigins: []string{"https://app.example.com"}}}, Options{})
	for origin, want := range map[string]bool{"https://evil.example.com": false, "https://app.example.com": true} {
		status, body, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Origin", origin)
		if (status != 403) != want {
			t.Errorf("origin %s: %d %s", origin, status, body)
		}
	}
}

// A gateway that serves other machines too still takes no strange name on loopback, which
// is where a page gets to whose name was made to point there.
func TestHostIsCheckedWhereItArrives(t *testing.T) {
	a := open(t, config.Config{HTTP: config.HTTP{Auth: config.AuthToken}}, Options{StateDir: t.TempDir()})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- a.ServeHTTP(ctx, everywhere{l}) }()
	defer func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	defer http.DefaultClient.CloseIdleConnections()
	for host, want := range map[string]int{"localhost": 401, "rebound.example": 403} {
		for _, path := range []string{Endpoint, Endpoint + "?"} { // which the lane does not answer
			r, err := http.NewRequest("POST", "http://"+l.Addr().String()+path, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s at %s: %d, want %d", host, path, resp.StatusCode, want)
			}
		}
	}
}

// everywhere is a listener that serves all addresses of its machine.
type everywhere struct{ net.Listener }

func (e everywhere) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4zero, Port: e.Listener.Addr().(*net.TCPAddr).Port}
}

// Calls that run when the gateway is told to stop get their answers; nobody new
// gets in.
func TestStopLetsRunningCallsFinish(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}}, Options{})
	if status, body := s.call("echo", `{"text":"warm"}`); status != 200 || !strings.Contains(body, "warm") {
		t.Fatalf("first call: %d %s", status, body)
	}
	const callers = 20
	type answer struct {
		status int
		body   string
	}
	answers := make(chan answer, callers)
	for range callers {
		go func() {
			status, body := s.call("slow", `{"ms":1500}`)
			answers <- answer{status, body}
		}()
	}
	s.untilRunning("slow", callers)
	s.stop()
	for range callers {
		if a := <-answers; a.status != 200 || !strings.Contains(a.body, "done") {
			t.Errorf("a running call: %d %s", a.status, a.body)
		}
	}
	select {
	case err := <-s.end:
		if err != nil {
			t.Errorf("ServeHTTP: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still serving after 10 s")
	}
	if c, err := net.DialTimeout("tcp", strings.TrimPrefix(s.url, "http://"), time.Second); err == nil {
		c.Close()
		t.Error("a new connection was taken")
	}
}

// untilRunning waits until a tool was called n times.
func (s *serving) untilRunning(tool string, n int) {
	s.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		_, body := s.call("calls", `{}`)
		var answer struct {
			Result struct{ StructuredContent map[string]int }
		}
		if json.Unmarshal([]byte(body), &answer) == nil && answer.Result.StructuredContent[tool] >= n {
			return
		}
	}
	s.t.Fatalf("%s was not called %d times", tool, n)
}

// The context of Open cuts everything short.
func TestKillDoesNotWait(t *testing.T) {
	t.Parallel()
	life, kill := context.WithCancel(context.Background())
	defer kill()
	a, err := Open(life, config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := a.Listen(life, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan error, 1)
	go func() { end <- a.ServeHTTP(context.Background(), l) }()
	s := &serving{t: t, url: "http://" + l.Addr().String(), app: a}
	called := make(chan struct{})
	go func() {
		defer close(called)
		s.call("slow", `{"ms":60000}`)
	}()
	s.untilRunning("slow", 1)
	start := time.Now()
	kill()
	<-end
	a.Close(context.Background())
	<-called
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %s", d)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestApplyChangesServers(t *testing.T) {
	t.Parallel()
	one := config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}}
	s := serveHTTP(t, one, Options{})
	pid := func() string {
		_, body := s.call("pid", `{}`)
		return body
	}
	before := pid()
	if err := s.app.Apply(one); err != nil {
		t.Fatal(err)
	}
	if now := pid(); now != before {
		t.Errorf("an unchanged server was restarted: %s, then %s", before, now)
	}
	changed := one
	changed.Servers = []config.Server{server(t, "one", "good")}
	changed.Servers[0].Env["CHANGED"] = "yes"
	if err := s.app.Apply(changed); err != nil {
		t.Fatal(err)
	}
	if _, body := s.call("env", `{}`); !strings.Contains(body, "CHANGED") {
		t.Errorf("the changed server: %s", body)
	}
	broken := config.Config{Servers: []config.Server{{Name: "bad"}}}
	if err := s.app.Apply(broken); err == nil {
		t.Error("a server without command and url was accepted")
	}
	if _, body := s.call("env", `{}`); !strings.Contains(body, "CHANGED") {
		t.Errorf("after a broken configuration: %s", body)
	}
}
