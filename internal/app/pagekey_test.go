package app

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"toolcrib/internal/config"
	"toolcrib/internal/web"
)

// S07: what an agent is given to get in lets it approve or reject no definition, however
// agents get in. The page's key does, beside it.
func TestS07AgentsApproveNothing(t *testing.T) {
	issued, token := tokens(t)
	for name, entrance := range map[string]config.HTTP{"token": {}, "oauth": issued, "none": openHTTP} {
		t.Run(name, func(t *testing.T) {
			entrance.Page = config.PageActions
			turn := newTurncoat(t, "turn")
			turn.offers("create_issue", "Create an issue", nil, "title")
			s := serveHTTP(t, config.Config{HTTP: entrance, Servers: []config.Server{turn.entry}}, Options{StateDir: t.TempDir(), Telemetry: true, Metrics: true})
			s.app.known.Refresh(t.Context())
			s.changed(turn)
			var agent []string
			switch name {
			case "token":
				secret, err := ReadToken(s.app.o.StateDir)
				if err != nil {
					t.Fatal(err)
				}
				agent = []string{"Authorization", "Bearer " + secret}
			case "oauth":
				agent = []string{"Authorization", "Bearer " + token("ann", "all admin")}
			}
			waiting := func() (web.Held, string) {
				t.Helper()
				_, body, _ := s.do("GET", web.Root+"/trust", "", agent...)
				var trust web.Trust
				if json.Unmarshal([]byte(body), &trust) != nil || len(trust.Held) != 1 {
					t.Fatalf("%s", body)
				}
				_, tool, _ := s.do("GET", web.Root+"/tools/turn.create_issue", "", agent...)
				return trust.Held[0], tool
			}
			held, _ := waiting()
			decide := func(verb string, headers ...string) (int, string) {
				t.Helper()
				status, body, _ := s.do("POST", web.Root+"/trust/pins/turn.create_issue/"+verb, `{"fingerprint":"`+held.Fingerprint+`"}`, append(headers, agent...)...)
				return status, body
			}
			for _, verb := range []string{"approve", "reject"} {
				for _, key := range []string{"", strings.Repeat("x", 43), strings.TrimPrefix(strings.Join(agent, ""), "AuthorizationBearer ")} {
					if status, body := decide(verb, web.KeyHeader, key); status != http.StatusForbidden || !strings.Contains(body, web.CodeKeyNeeded) || !strings.Contains(body, "toolcrib page") {
						t.Errorf("%s: %d %s", verb, status, body)
					}
				}
			}
			if still, tool := waiting(); still.Rejected || still.Fingerprint != held.Fingerprint || strings.Contains(tool, `"pin":"approved"`) {
				t.Fatalf("it was decided: %+v %s", still, tool)
			}
			if status, body := decide("approve", s.key()...); status != http.StatusOK || !strings.Contains(body, web.PinApproved) {
				t.Errorf("with the key: %d %s", status, body)
			}
			s.app.known.Refresh(t.Context(), "turn")
			if _, tool, _ := s.do("GET", web.Root+"/tools/turn.create_issue", "", agent...); !strings.Contains(tool, `"pin":"approved"`) || !strings.Contains(tool, "tell everybody") {
				t.Errorf("%s", tool)
			}
			// The key is for nothing else: agents do not get in by it.
			if name != "none" {
				if status, _, _ := s.do("POST", Endpoint, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Authorization", "Bearer "+s.key()[1]); status != http.StatusUnauthorized {
					t.Errorf("an agent gets in by the key: %d", status)
				}
			}
		})
	}
}

// The key is there where something can be decided, for its owner alone, and is another
// secret than the token.
func TestPageKeyFile(t *testing.T) {
	for page, made := range map[config.Page]bool{config.PageActions: true, config.PageRead: false, config.PageOff: false} {
		dir := t.TempDir()
		s := serveHTTP(t, config.Config{HTTP: config.HTTP{Page: page}}, Options{StateDir: dir})
		s.do("GET", "/healthz", "") // it listens
		path, is, err := CheckPageKey(dir)
		if path != filepath.Join(dir, "page-key") || is != made || err != nil {
			t.Errorf("%s: %s %t %v", page, path, is, err)
		}
		if !made {
			continue
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v", err)
		}
		if token, err := ReadToken(dir); err != nil || token == s.key()[1] {
			t.Errorf("the token is the key (%v)", err)
		}
	}
	a, err := Open(t.Context(), config.Config{HTTP: config.HTTP{Auth: config.AuthNone, Page: config.PageActions}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(t.Context())
	if key, err := a.openPageKey(); key != nil || err != nil {
		t.Errorf("without a place to keep it: %v, %v", key, err)
	}
}

// A key that others can read is none.
func TestPageKeyThatCannotBeTrusted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, pageKeyFile), []byte(strings.Repeat("x", 43)), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), config.Config{HTTP: config.HTTP{Auth: config.AuthNone, Page: config.PageActions}}, Options{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(t.Context())
	l, err := a.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.ServeHTTP(t.Context(), l); err == nil || !strings.Contains(err.Error(), "run chmod 600") || strings.Contains(err.Error(), "xxx") {
		t.Errorf("%v", err)
	}
}
