package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/web"
)

// Whoever may not see a tool by MCP does not see it by any path of the API or any page,
// and cannot call it there.
func TestAPISight(t *testing.T) {
	t.Parallel()
	entrance, token := tokens(t)
	entrance.Page = config.PageActions
	turn, other := newTurncoat(t, "turn"), newTurncoat(t, "other")
	turn.offers("create_issue", "Create an issue", nil, "title")
	turn.offers("wipe", "Delete everything FORBIDDENTEXT", nil)
	other.offers("look", "Look around OTHERTEXT", nil)
	s := serveHTTP(t, config.Config{
		HTTP: entrance, Servers: []config.Server{turn.entry, other.entry}, Discovery: config.Discovery{TTL: time.Hour},
		Policy: config.Policy{Default: "deny", Rules: []config.PolicyRule{
			{Terms: config.Terms{Scopes: []string{"all"}}, Verdict: "allow"},
			{Terms: config.Terms{Scopes: []string{"turn:use"}, Tools: []string{"wipe"}}, Verdict: "deny", Why: "not with this token"},
			{Terms: config.Terms{Scopes: []string{"turn:use"}, Servers: []string{"turn"}}, Verdict: "allow"},
		}},
	}, Options{StateDir: t.TempDir(), Telemetry: true, Metrics: true})
	s.app.known.Refresh(t.Context())
	// Definitions change, of tools that some may see and others may not.
	turn.offers("wipe", "Delete everything FORBIDDENTEXT at once", nil)
	other.offers("look", "Look around OTHERTEXT again", nil)
	s.app.known.Refresh(t.Context())

	for who, may := range map[[2]string]struct{ wipe, turn, other bool }{
		{"boss", "all"}: {true, true, true}, {"ann", "turn:use"}: {false, true, false}, {"eve", ""}: {},
	} {
		header := []string{"Authorization", "Bearer " + token(who[0], who[1])}
		session := s.agent("2026-07-28", nil, header...)
		for _, tool := range []string{"turn.wipe", "other.look"} {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool", Arguments: map[string]any{"tool": tool}}); err != nil {
				t.Fatal(err)
			}
		}
		session.Close()
		var seen strings.Builder
		for _, path := range []string{
			"/api/v1/overview", "/api/v1/servers", "/api/v1/servers/turn", "/api/v1/servers/other", "/api/v1/tools?size=200", "/api/v1/tools/turn.wipe", "/api/v1/tools/other.look",
			"/api/v1/tools/turn.create_issue", "/api/v1/search?q=delete+everything", "/api/v1/search?q=look+around", "/api/v1/categories", "/api/v1/tags", "/api/v1/trust", "/api/v1/config",
			"/", "/servers", "/servers/turn", "/servers/other", "/catalog", "/catalog?q=delete", "/tools/turn.wipe", "/tools/other.look", "/trust", "/config",
		} {
			_, body, _ := s.do("GET", path, "", append(header, "Accept", "text/html, application/json")...)
			seen.WriteString(body)
		}
		all := seen.String()
		if strings.Contains(all, "FORBIDDENTEXT") != may.wipe || strings.Contains(all, "Create an issue") != may.turn || strings.Contains(all, "OTHERTEXT") != may.other {
			t.Errorf("%v sees:\n%s", who, all)
		}
		if !may.turn && strings.Contains(all, turn.entry.URL) || !may.other && strings.Contains(all, other.entry.URL) {
			t.Errorf("%v is told where a server is", who)
		}
		for id, allowed := range map[string]bool{"turn.wipe": may.wipe, "turn.create_issue": may.turn, "other.look": may.other} {
			status, body, _ := s.do("POST", web.Root+"/tools/"+id+"/call", `{"arguments":{"title":"x"}}`, header...)
			if (status == http.StatusOK) != allowed {
				t.Errorf("%v calls %s: %d %s", who, id, status, body)
			}
		}
		for server, allowed := range map[string]bool{"turn": may.turn, "other": may.other} {
			if status, body, _ := s.do("POST", web.Root+"/servers/"+server+"/refresh", "", header...); (status == http.StatusOK) != allowed {
				t.Errorf("%v refreshes %s: %d %s", who, server, status, body)
			}
		}
		// What counts for all is not for one of many to decide.
		if status, body, _ := s.do("POST", web.Root+"/trust/pins/turn.wipe/approve", `{"fingerprint":"x"}`, append(s.key(), header...)...); status != http.StatusForbidden || !strings.Contains(body, web.CodeRefused) {
			t.Errorf("%v approves: %d %s", who, status, body)
		}
		// Of what others did, nothing.
		var list web.ActivityPage
		status, body, _ := s.do("GET", web.Root+"/activity?limit=200", "", header...)
		if status != 200 || json.Unmarshal([]byte(body), &list) != nil {
			t.Fatalf("%d %s", status, body)
		}
		for _, a := range list.Activities {
			if a.Kind == web.KindCall && a.Caller != who[0] || a.Kind == web.KindDiscovery && !(map[string]bool{"turn": may.turn, "other": may.other})[a.Server] {
				t.Errorf("%v sees %+v", who, a)
			}
		}
	}
	if status, body, _ := s.do("GET", web.Root+"/tools", ""); status != 401 {
		t.Errorf("without a token: %d %s", status, body)
	}
}

// A browser logs in with a token of the issuer's, and is worth as much as that.
func TestAPILoginWithATokenOfAnIssuer(t *testing.T) {
	entrance, token := tokens(t)
	entrance.OAuth.Scopes = []string{"tools"}
	s := serveHTTP(t, config.Config{HTTP: entrance}, Options{StateDir: t.TempDir(), Telemetry: true, Metrics: true})
	for scope, want := range map[string]int{"tools": 200, "tools more": 200, "other": 403, "": 403} {
		status, body, header := s.do("POST", web.Root+"/session", `{"token":"`+token("ann", scope)+`"}`)
		if status != want || (header.Get("Set-Cookie") != "") != (want == 200) {
			t.Errorf("%q: %d %s", scope, status, body)
		}
		if want != 200 {
			continue
		}
		cookie, _, _ := strings.Cut(header.Get("Set-Cookie"), ";")
		if status, body, _ := s.do("GET", web.Root+"/me", "", "Cookie", cookie); status != 200 || !strings.Contains(body, `"subject":"ann"`) {
			t.Errorf("%q: %d %s", scope, status, body)
		}
	}
}

// A call that somebody would have to be asked about is not made: nobody is there to ask.
func TestAPICallObeysThePolicy(t *testing.T) {
	turn := newTurncoat(t, "turn")
	turn.offers("wipe", "Delete everything", nil)
	s := serveHTTP(t, config.Config{
		HTTP: config.HTTP{Auth: config.AuthNone, Page: config.PageActions}, Servers: []config.Server{turn.entry},
		Policy: config.Policy{Rules: []config.PolicyRule{{Terms: config.Terms{Tools: []string{"wipe"}}, Verdict: "ask", Why: "it deletes"}}},
	}, Options{StateDir: t.TempDir(), Telemetry: true, Metrics: true})
	s.app.known.Refresh(t.Context())
	status, body, _ := s.do("POST", web.Root+"/tools/turn.wipe/call", `{"arguments":{}}`)
	if status != http.StatusForbidden || !strings.Contains(body, web.CodeRefused) || turn.calls.Load() != 0 {
		t.Errorf("%d %s, %d calls", status, body, turn.calls.Load())
	}
	var list web.ActivityPage
	s.get("/activity?outcome=denied", &list)
	if len(list.Activities) != 1 || list.Activities[0].ToolID != "turn.wipe" {
		t.Errorf("%+v", list.Activities)
	}
}

// Five thousand tools are there by pages, each once, and found by each filter.
func TestAPIManyTools(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Servers: []config.Server{server(t, "many", "pages", "tools=2000", "size=500")},
	}, Options{StateDir: t.TempDir(), Telemetry: true, Metrics: true})
	s.app.known.Refresh(t.Context())
	seen := map[string]bool{}
	for page := 1; ; page++ {
		var list web.ToolPage
		s.get(fmt.Sprintf("/tools?size=200&page=%d", page), &list)
		for _, tool := range list.Tools {
			seen[tool.ID] = true
		}
		if list.Page.Total != 2000 || list.Page.Pages != 10 || list.Page.Number != page {
			t.Fatalf("%+v", list.Page)
		}
		if !list.Page.HasNext {
			break
		}
	}
	if len(seen) != 2000 {
		t.Errorf("%d tools on all pages", len(seen))
	}
	for query, want := range map[string]int{
		"server=many": 2000, "server=none": 0, "q=" + mcptest.PageTool(1321): 1, "state=available": 2000, "state=held": 0, "category=none": 0, "tag=none": 0,
	} {
		var list web.ToolPage
		s.get("/tools?"+query, &list)
		if list.Page.Total != want {
			t.Errorf("%s: %d", query, list.Page.Total)
		}
	}
	var o web.Overview
	s.get("/overview", &o)
	if o.Tools.Total != 2000 {
		t.Errorf("%+v", o.Tools)
	}
}

// Names and texts of any kind arrive as what they are, and are JSON.
func TestAPIHostileNames(t *testing.T) {
	names := []string{`<script>alert(1)</script>`, "a\u202eb", `"};alert(1)//`, "../../../etc/passwd", "tool\u0000x", "ünïcode 工具", strings.Repeat("long", 50)}
	turn := newTurncoat(t, `<img src=x onerror=alert(1)> & "name"`)
	var listed []string
	for _, name := range names {
		turn.offers(name, "says </script><script>alert(2)</script> \u200b", nil)
	}
	s := serveHTTP(t, config.Config{HTTP: config.HTTP{Auth: config.AuthNone, Page: config.PageActions}, Servers: []config.Server{turn.entry}}, Options{StateDir: t.TempDir(), Telemetry: true, Metrics: true})
	s.app.known.Refresh(t.Context())
	var list web.ToolPage
	s.get("/tools?size=200", &list)
	for _, tool := range list.Tools {
		listed = append(listed, tool.Name)
		var one web.ToolDetail
		s.get("/tools/"+tool.ID, &one)
		if one.Name != tool.Name {
			t.Errorf("%q is %q", tool.Name, one.Name)
		}
		status, body, _ := s.do("POST", web.Root+"/tools/"+tool.ID+"/call", `{"arguments":{}}`)
		if status != 200 {
			t.Errorf("%q: %d %s", tool.Name, status, body)
		}
	}
	if len(listed) != len(names) {
		t.Errorf("%q of %q", listed, names)
	}
	for _, path := range []string{"/tools", "/servers", "/activity", "/trust", "/config", "/search?q=says"} {
		_, body, header := s.do("GET", web.Root+path, "")
		if strings.ContainsAny(body, "<>") || !json.Valid([]byte(body)) || header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s", path, body)
		}
	}
	for _, bad := range []string{"/tools/%00", "/tools/..%2f..%2fconfig", "/servers/%3Cscript%3E", "/tools?q=%ff", "/search?q=" + strings.Repeat("x", 5000)} {
		status, body, _ := s.do("GET", web.Root+bad, "")
		if status < 400 || status >= 500 || !json.Valid([]byte(body)) || strings.ContainsAny(body, "<>") {
			t.Errorf("%s: %d %s", bad, status, body)
		}
	}
}
