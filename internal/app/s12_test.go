package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

// browser is a person's: it opens an address and goes where it is sent.
func browser(t *testing.T) func(string) {
	return func(address string) {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Get(address)
		if err != nil {
			t.Error(err)
			return
		}
		resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Errorf("the browser ended at %s: %s", resp.Request.URL, resp.Status)
		}
	}
}

// S12: servers get the gateway's own credentials, or none; never what an agent sent.
func TestS12NoAgentsTokenUpstream(t *testing.T) {
	i, agents := mcptest.NewIssuer(t), mcptest.NewIssuer(t)
	const resource = "https://tools.example.com/mcp"
	protected := mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: i})
	open := mcptest.HTTP(t, nil)
	keyed := mcptest.HTTP(t, &mcptest.HTTPOptions{Token: "configured"})
	dir := t.TempDir()
	entry := func(name, url string) config.Server {
		return config.Server{Name: name, Type: config.Streamable, URL: url}
	}
	servers := []config.Server{entry("protected", protected.URL), entry("open", open.URL), entry("keyed", keyed.URL)}
	servers[2].Headers = map[string]string{"Authorization": "Bearer configured"}
	if _, err := Login(t.Context(), servers[0], Options{StateDir: dir}, browser(t)); err != nil {
		t.Fatal(err)
	}
	c := config.Config{
		Servers: servers, Disclosure: asIs,
		HTTP: config.HTTP{Auth: config.AuthOAuth, OAuth: config.OAuth{Issuer: agents.URL, Resource: resource}},
	}
	s := serveHTTP(t, c, Options{StateDir: dir})
	token := agents.JWT(map[string]any{"alg": "ES256", "kid": "one"}, map[string]any{
		"iss": agents.URL, "aud": resource, "sub": "ann", "exp": time.Now().Add(time.Minute).Unix(),
	})
	for _, tool := range []string{"protected__echo", "open__echo", "keyed__echo"} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"text":"hello"},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		status, answer, _ := s.do("POST", Endpoint, body, "Authorization", "Bearer "+token, "Cookie", "secret=cookie", "Proxy-Authorization", "Basic secret",
			"X-Api-Key", "secret-key", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
		if status != 200 || !strings.Contains(answer, "hello") {
			t.Errorf("%s: %d %s", tool, status, answer)
		}
	}
	seen := strings.Join(i.Seen(), "\n")
	if strings.Contains(seen, token) || !strings.Contains(seen, "Bearer access-") {
		t.Errorf("the protected server got %s", seen)
	}
	for name, h := range map[string]*mcptest.HTTPServer{"protected": protected, "open": open, "keyed": keyed} {
		header := h.Header("tools/call")
		if header == nil {
			t.Fatalf("%s was not called", name)
		}
		for field, values := range header {
			for _, value := range values {
				if strings.Contains(value, token) || strings.Contains(value, "secret") {
					t.Errorf("%s got %s: %s", name, field, value)
				}
			}
		}
	}
	if got := open.Header("tools/call").Get("Authorization"); got != "" {
		t.Errorf("the open server got %q", got)
	}
}

// A server that wants a login is one in what agents are told and in what is saved,
// and works once somebody has logged in, without a restart.
func TestLoginWhileServing(t *testing.T) {
	i := mcptest.NewIssuer(t)
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: i})
	entry := config.Server{Name: "notes", Type: config.Streamable, URL: h.URL}
	c := config.Config{Servers: []config.Server{entry}, HTTP: openHTTP, Disclosure: asIs}
	o := Options{StateDir: t.TempDir()}
	s := serveHTTP(t, c, o)
	_, answer := s.call("echo", `{"text":"hello"}`)
	if !strings.Contains(answer, "run toolcrib login notes") {
		t.Errorf("an agent reads: %s", answer)
	}
	if states := s.app.states(); len(states) != 1 || !strings.Contains(states[0].Reason, "run toolcrib login notes") {
		t.Errorf("the state: %+v", states)
	}
	in, err := Inspect(c, o)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := in.Refresh(t.Context(), nil, RefreshOptions{})
	if err != nil || len(outcomes) != 1 || outcomes[0].Failure == nil || outcomes[0].Failure.Kind != NeedsLogin || !strings.HasPrefix(outcomes[0].Failure.Next, "run toolcrib login notes") {
		t.Errorf("a person reads: %+v %v", outcomes, err)
	}
	known := in.Servers(in.Snapshot())[0].Known
	if f := failureOf(known); !WantsLogin(f) || !strings.Contains(f.Reason, "run toolcrib login notes") {
		t.Errorf("saved: %+v", f)
	}
	got, err := Login(t.Context(), entry, o, browser(t))
	if err != nil || got.Issuer != i.URL || !got.Renews {
		t.Fatalf("%+v %v", got, err)
	}
	if _, answer := s.call("echo", `{"text":"hello"}`); !strings.Contains(answer, "hello") || strings.Contains(answer, "login") {
		t.Errorf("after the login: %s", answer)
	}
	if was, told, err := Logout(t.Context(), entry, o); !was || told != nil || err != nil {
		t.Errorf("%v %v %v", was, told, err)
	}
	if _, answer := s.call("echo", `{"text":"hello"}`); !strings.Contains(answer, "run toolcrib login notes") {
		t.Errorf("after the logout: %s", answer)
	}
	if faults := i.Faults(); len(faults) > 0 {
		t.Errorf("we did wrong: %q", faults)
	}
}

func failureOf(s *catalog.Server) *catalog.Failure {
	if s == nil {
		return nil
	}
	return s.Failure()
}

func TestLoginsThatCannotBe(t *testing.T) {
	web := config.Server{Name: "a", Type: config.Streamable, URL: "http://127.0.0.1:9/mcp"}
	child := config.Server{Name: "a", Type: config.Stdio, Command: "a"}
	headed := web
	headed.Headers = map[string]string{"authorization": "Bearer x"}
	for want, c := range map[string]struct {
		s config.Server
		o Options
	}{
		"goes into its env":      {child, Options{StateDir: "x"}},
		"a header Authorization": {headed, Options{StateDir: "x"}},
		"no directory":           {web, Options{}},
		"log in to a: ":          {web, Options{StateDir: "x"}},
	} {
		if _, err := Login(t.Context(), c.s, c.o, func(string) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	open := web
	open.URL = mcptest.HTTP(t, nil).URL
	if _, err := Login(t.Context(), open, Options{StateDir: t.TempDir()}, func(string) {}); err != ErrNoLoginNeeded {
		t.Errorf("got %v", err)
	}
	i := mcptest.NewIssuer(t)
	slow := web
	slow.URL = mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: i}).URL
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Login(ctx, slow, Options{StateDir: t.TempDir()}, func(string) { cancel() }); err == nil {
		t.Error("nobody logged in, and it is done")
	}
}
