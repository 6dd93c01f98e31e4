package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/login"
)

// A personal server has tools, prompts and resources of its own for each token, named
// after it, and says so.
type personal struct {
	url string

	mu   sync.Mutex
	hold chan struct{} // while it is there nobody is answered
}

func newPersonal(t *testing.T) *personal {
	p := &personal{}
	servers := map[string]http.Handler{}
	var all []*mcp.Server
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		p.mu.Lock()
		hold := p.hold
		if servers[token] == nil {
			s := mcp.NewServer(&mcp.Implementation{Name: "personal", Version: "1"}, nil)
			s.AddTool(&mcp.Tool{Name: "of_" + token, Description: "LISTOF" + token, InputSchema: map[string]any{"type": "object"}},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
				})
			s.AddPrompt(&mcp.Prompt{Name: "p_" + token, Description: "LISTOF" + token}, nil)
			s.AddResource(&mcp.Resource{URI: "file:///" + token, Name: "LISTOF" + token}, nil)
			s.AddReceivingMiddleware(scoped("private"))
			all = append(all, s)
			servers[token] = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
		}
		handler := servers[token]
		p.mu.Unlock()
		if hold != nil {
			select {
			case <-hold:
			case <-r.Context().Done():
				return
			}
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		for _, s := range all { // a gateway cannot end the sessions of a token that it has no more
			for session := range s.Sessions() {
				session.Close()
			}
		}
	})
	p.url = h.URL
	return p
}

// scoped says of lists who may keep them.
func scoped(scope string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, r)
			switch list := result.(type) {
			case *mcp.ListToolsResult:
				list.CacheScope = scope
			case *mcp.ListPromptsResult:
				list.CacheScope = scope
			case *mcp.ListResourcesResult:
				list.CacheScope = scope
			}
			return result, err
		}
	}
}

// silence has nobody answered until the end of it.
func (p *personal) silence() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	hold := make(chan struct{})
	p.hold = hold
	return sync.OnceFunc(func() {
		p.mu.Lock()
		p.hold = nil
		p.mu.Unlock()
		close(hold)
	})
}

func (p *personal) entry(name, token string) config.Server {
	s := config.Server{Name: name, Type: config.Streamable, URL: p.url}
	if token != "" {
		s.Headers = map[string]string{"Authorization": "Bearer " + token}
	}
	return s
}

// sameIdentity are two tokens that an entry's identity does not tell apart: it has only
// a few bits of them.
func sameIdentity(t *testing.T, p *personal) (a, b string) {
	seen := map[string]string{}
	for i := range 100_000 {
		token := fmt.Sprintf("tok%dx", i)
		id := specs(config.Config{Servers: []config.Server{p.entry("mine", token)}})[0].Identity()
		if other := seen[id]; other != "" {
			return other, token
		}
		seen[id] = token
	}
	t.Fatal("no two tokens have one identity")
	return "", ""
}

// saved is all that is kept of listings.
func saved(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, listingsDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}

// seen is all that agents and people can get to know of what servers list.
func seen(s *serving) string {
	session := s.agent("2026-07-28", nil)
	defer session.Close()
	raw, _ := json.Marshal(s.app.known.Snapshot().Tools())
	text := string(raw)
	for _, server := range s.app.known.Snapshot().Servers() {
		l, _ := json.Marshal(server.Listing())
		text += string(l)
	}
	return text + s.everything("2025-11-25", nil)
}

// S16: what a server lists for one authorization is never shown to another: not from
// memory while the new list is being fetched, not from disk after a restart, and not
// where two entries have one address.
func TestS16PrivateListsAreNotMixed(t *testing.T) {
	t.Parallel()
	p := newPersonal(t)
	a, b := sameIdentity(t, p)
	dir := t.TempDir()
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{p.entry("mine", a)}}
	s := serveHTTP(t, c, Options{StateDir: dir})
	eventually(t, "listed", func() bool {
		return strings.Contains(seen(s), "LISTOF"+a) && strings.Contains(saved(t, dir), "LISTOF"+a)
	})

	// The entry gets another token, and the server does not answer that one yet.
	end := p.silence()
	defer end()
	c.Servers[0] = p.entry("mine", b)
	if err := s.app.Apply(c); err != nil {
		t.Fatal(err)
	}
	eventually(t, "forgotten", func() bool { return len(s.app.known.Snapshot().Tools()) == 0 })
	if on := saved(t, dir); strings.Contains(on, "LISTOF") {
		t.Errorf("on disk: %s", on)
	}
	end()
	eventually(t, "listed for the other", func() bool {
		return strings.Contains(seen(s), "LISTOF"+b) && strings.Contains(saved(t, dir), "LISTOF"+b)
	})
	if all := seen(s) + saved(t, dir); strings.Contains(all, "LISTOF"+a) {
		t.Errorf("the list of the first is there: %s", all)
	}
	s.stop()
	<-s.end

	// A gateway that starts with the first token again has nothing of the second.
	defer p.silence()()
	c.Servers[0] = p.entry("mine", a)
	in, err := Inspect(c, Options{StateDir: dir})
	if err != nil || in.Snapshot().Len() != 0 {
		t.Errorf("a person sees %d tools (%v)", in.Snapshot().Len(), err)
	}
	if on := saved(t, dir); strings.Contains(on, "LISTOF") {
		t.Errorf("on disk: %s", on)
	}
}

// S16: two entries of one address with two tokens have a list each.
func TestS16TwoEntries(t *testing.T) {
	t.Parallel()
	p := newPersonal(t)
	dir := t.TempDir()
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Disclosure: asIs, Servers: []config.Server{p.entry("ann", "one"), p.entry("bob", "two")}}, Options{StateDir: dir})
	eventually(t, "listed", func() bool { return s.app.known.Snapshot().Len() == 2 })
	for _, server := range s.app.known.Snapshot().Servers() {
		mine, other := "LISTOFone", "LISTOFtwo"
		if server.Name() == "bob" {
			mine, other = other, mine
		}
		l := server.Listing()
		all := fmt.Sprintf("%s %s %s", l.Tools[0].Raw, l.Prompts, l.Resources)
		if !strings.Contains(all, mine) || strings.Contains(all, other) || !l.Private {
			t.Errorf("%s: %s", server.Name(), all)
		}
	}
	_, answer := s.list("tools/list")
	if !strings.Contains(answer, `"cacheScope":"private"`) {
		t.Errorf("others may keep it: %s", answer)
	}
}

// S16: whoever logs in as somebody else, or logs out, leaves nothing of before behind. A
// renewed token is the same login.
func TestS16Logins(t *testing.T) {
	t.Parallel()
	p := newPersonal(t)
	dir := t.TempDir()
	entry := p.entry("mine", "")
	logins := login.NewStore(dir)
	as := func(id, token string) {
		t.Helper()
		if err := logins.Save(&login.Grant{ID: id, Server: p.url, Issuer: "https://login.example.com", Access: token, Made: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	as("1", "ann")
	c := config.Config{HTTP: openHTTP, Servers: []config.Server{entry}}
	s := serveHTTP(t, c, Options{StateDir: dir})
	eventually(t, "listed", func() bool {
		return strings.Contains(seen(s), "LISTOFann") && strings.Contains(saved(t, dir), "LISTOFann")
	})
	before := s.app.o.authorizations.of(entry)
	as("1", "ann2") // renewed
	if s.app.o.authorizations.of(entry) != before {
		t.Error("a renewed token is another authorization")
	}
	end := p.silence()
	defer end()
	as("2", "bob")
	s.app.known.recheck(t.Context())
	eventually(t, "forgotten", func() bool { return s.app.known.Snapshot().Len() == 0 })
	if on := saved(t, dir); strings.Contains(on, "LISTOF") {
		t.Errorf("on disk: %s", on)
	}
	end()
	eventually(t, "listed for the other", func() bool {
		return strings.Contains(seen(s), "LISTOFbob") && strings.Contains(saved(t, dir), "LISTOFbob")
	})
	if all := seen(s) + saved(t, dir); strings.Contains(all, "LISTOFann") {
		t.Errorf("the list of the first is there: %s", all)
	}
	if was, _, err := Logout(t.Context(), entry, Options{StateDir: dir}); !was || err != nil {
		t.Fatal(was, err)
	}
	eventually(t, "forgotten after the logout", func() bool { return !strings.Contains(seen(s)+saved(t, dir), "LISTOFbob") })
}

// S16: where callers may see different things, no list says that others may keep it,
// whatever its server says of that.
func TestS16ListsOfCallers(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]config.Disclosure{"standard": {}, "passthrough": asIs} {
		turn := newTurncoat(t, "turn")
		turn.offers("wipe", "Delete", nil)
		turn.offers("list_issues", "List", readOnlyHint)
		turn.AddReceivingMiddleware(scoped("public"))
		policy := config.Policy{Rules: []config.PolicyRule{{Terms: config.Terms{Who: []string{"guest"}, Tools: []string{"wipe"}}, Verdict: "deny"}}}
		for _, c := range []struct {
			policy config.Policy
			want   string
		}{{policy, `"cacheScope":"private"`}, {config.Policy{}, `"cacheScope":"public"`}} {
			s := guarded(t, config.Config{Disclosure: show, Servers: []config.Server{turn.entry}, Policy: c.policy}, Options{})
			for _, who := range []string{"boss", "guest"} {
				_, answer := s.list("tools/list", "X-Who", who)
				if !strings.Contains(answer, c.want) {
					t.Errorf("%s, %s: %s", name, who, answer)
				}
			}
		}
	}
}

// list is the answer to a modern agent's request for a list.
func (s *serving) list(method string, header ...string) (int, string) {
	status, answer, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}, header...)...)
	return status, answer
}
