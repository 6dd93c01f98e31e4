package login

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
)

func TestLogin(t *testing.T) {
	const document = "https://toolcrib.example.com/client.json"
	for name, c := range map[string]struct {
		server    Server
		set       mcptest.IssuerSettings
		http      mcptest.HTTPOptions
		client    string
		scopes    []string
		registers int
	}{
		"registered now":            {client: "client-1", registers: 1, scopes: []string{"offline_access"}},
		"an old server":             {http: mcptest.HTTPOptions{Eras: mcptest.LegacyOnly}, client: "client-1", registers: 1, scopes: []string{"offline_access"}},
		"one with an event stream":  {http: mcptest.HTTPOptions{SSEOnly: true}, client: "client-1", registers: 1, scopes: []string{"offline_access"}},
		"by a document":             {server: Server{ClientID: document}, set: mcptest.IssuerSettings{Documents: true, NoRegistration: true}, client: document, scopes: []string{"offline_access"}},
		"documents are not read":    {server: Server{ClientID: document}, client: "client-1", registers: 1, scopes: []string{"offline_access"}},
		"registered before":         {server: Server{ClientID: "mine"}, set: mcptest.IssuerSettings{NoRegistration: true}, client: "mine", scopes: []string{"offline_access"}},
		"what the server wants":     {set: mcptest.IssuerSettings{Scopes: []string{"read", "write"}}, client: "client-1", registers: 1, scopes: []string{"read", "write", "offline_access"}},
		"what the entry says":       {server: Server{Scopes: []string{"read"}}, set: mcptest.IssuerSettings{Scopes: []string{"read", "write"}}, client: "client-1", registers: 1, scopes: []string{"read", "offline_access"}},
		"iss is not announced":      {set: mcptest.IssuerSettings{Metadata: func(m map[string]any) { delete(m, "authorization_response_iss_parameter_supported") }}, client: "client-1", registers: 1, scopes: []string{"offline_access"}},
		"nothing said of a refusal": {set: mcptest.IssuerSettings{Challenge: noChallenge}, client: "client-1", registers: 1, scopes: []string{"offline_access"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := mcptest.NewIssuer(t)
			i.Change(func(s *mcptest.IssuerSettings) { *s = c.set })
			i.Preregister("mine", back)
			c.http.Issuer = i
			h := mcptest.HTTP(t, &c.http)
			c.server.Name, c.server.URL = "a", h.URL
			f := &Flow{Server: c.server, Redirect: back, Visit: browse}
			if err := connect(t, h.URL, f); err != nil {
				t.Fatalf("%v; %q", err, i.Faults())
			}
			g := f.Grant()
			if g == nil || g.Issuer != i.URL || g.Server != h.URL || g.Resource != h.URL || g.ClientID != c.client || g.Refresh == "" || !slices.Equal(g.Scopes, c.scopes) {
				t.Errorf("got %+v", g)
			}
			if faults := i.Faults(); len(faults) > 0 {
				t.Errorf("we did wrong: %q", faults)
			}
			if n := i.Asked("/register"); n != c.registers {
				t.Errorf("registered %d times", n)
			}
		})
	}
}

func noChallenge(*http.Request) string { return "" }

func TestNoLoginIsNeeded(t *testing.T) {
	f := &Flow{Server: Server{Name: "a"}, Redirect: back, Visit: browse}
	f.Server.URL = mcptest.HTTP(t, nil).URL
	if err := connect(t, f.Server.URL, f); err != nil || f.Grant() != nil {
		t.Errorf("%v %+v", err, f.Grant())
	}
}

// S13: a server or an issuer that lies gets no person sent anywhere, no code and no
// token.
func TestS13Lies(t *testing.T) {
	const inside = "https://169.254.169.254/latest"
	text := func(s string) *string { return &s }
	meta := func(key string, value any) mcptest.IssuerSettings {
		return mcptest.IssuerSettings{Metadata: func(m map[string]any) { m[key] = value }}
	}
	resource := func(key string, value any) mcptest.IssuerSettings {
		return mcptest.IssuerSettings{Resource: func(m map[string]any) { m[key] = value }}
	}
	for name, c := range map[string]struct {
		set    mcptest.IssuerSettings
		change func(url.Values)
		visits int
	}{
		"a script for an address":        {set: meta("authorization_endpoint", "javascript:alert(1)")},
		"a file for an address":          {set: meta("authorization_endpoint", "file:///bin/sh")},
		"data for an address":            {set: meta("authorization_endpoint", "data:text/html,x")},
		"a program's address":            {set: meta("authorization_endpoint", "vscode://x")},
		"a command for an address":       {set: meta("authorization_endpoint", "a;calc.exe")},
		"a command substitution":         {set: meta("authorization_endpoint", "$(calc)://x")},
		"an option for an address":       {set: meta("authorization_endpoint", "--incognito")},
		"no address":                     {set: meta("authorization_endpoint", "")},
		"tokens from inside":             {set: meta("token_endpoint", inside)},
		"tokens from a file":             {set: meta("token_endpoint", "file:///etc/passwd")},
		"tokens without encryption":      {set: meta("token_endpoint", "http://tokens.example.com/")},
		"registration inside":            {set: meta("registration_endpoint", inside)},
		"another issuer's metadata":      {set: meta("issuer", "https://good.example.com")},
		"PKCE that can be read":          {set: meta("code_challenge_methods_supported", []string{"plain"})},
		"no PKCE":                        {set: meta("code_challenge_methods_supported", nil)},
		"an issuer inside":               {set: resource("authorization_servers", []string{inside})},
		"an issuer without encryption":   {set: resource("authorization_servers", []string{"http://issuer.example.com"})},
		"a script for an issuer":         {set: resource("authorization_servers", []string{"javascript:alert(1)"})},
		"nobody signs in":                {set: resource("authorization_servers", nil)},
		"another answers (iss)":          {set: mcptest.IssuerSettings{Iss: text("https://evil.example.com")}, visits: 1},
		"nobody says who answers (iss)":  {set: mcptest.IssuerSettings{Iss: text("")}, visits: 1},
		"another login's answer (state)": {change: func(q url.Values) { q.Set("state", "other") }, visits: 1},
		"no state":                       {change: func(q url.Values) { q.Del("state") }, visits: 1},
		"no code":                        {change: func(q url.Values) { q.Del("code") }, visits: 1},
		"refused":                        {change: func(q url.Values) { q.Set("error", "access_denied") }, visits: 1},
		"another login's code":           {change: func(q url.Values) { q.Set("code", "stolen") }, visits: 1},
		"a token that is none": {set: mcptest.IssuerSettings{Token: func(w http.ResponseWriter, _ url.Values) bool {
			w.Write([]byte(`{"access_token":"a\r\nX-Evil: 1","token_type":"Bearer"}`))
			return true
		}}, visits: 1},
		"a token of another kind": {set: mcptest.IssuerSettings{Token: func(w http.ResponseWriter, _ url.Values) bool {
			w.Write([]byte(`{"access_token":"abc","token_type":"mac"}`))
			return true
		}}, visits: 1},
		"no tokens at all": {set: mcptest.IssuerSettings{Token: func(w http.ResponseWriter, _ url.Values) bool {
			http.Error(w, "<html>", http.StatusBadGateway)
			return true
		}}, visits: 1},
	} {
		t.Run(name, func(t *testing.T) {
			i := mcptest.NewIssuer(t)
			i.Change(func(s *mcptest.IssuerSettings) { *s = c.set })
			h := mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: i})
			visits := 0
			f := &Flow{Server: Server{Name: "a", URL: h.URL}, Redirect: back, Visit: func(ctx context.Context, address string) (url.Values, error) {
				visits++
				if !strings.HasPrefix(address, i.URL+"/authorize?") {
					t.Errorf("a person was sent to %s", address)
				}
				q, err := browse(ctx, address)
				if err == nil && c.change != nil {
					c.change(q)
				}
				return q, err
			}}
			err := connect(t, h.URL, f)
			if err == nil || f.Grant() != nil || visits != c.visits {
				t.Errorf("%v after %d visits, %+v", err, visits, f.Grant())
			}
			for _, sent := range i.Seen() {
				if sent != "" {
					t.Errorf("the server got %q", sent)
				}
			}
		})
	}
}

func TestNobodyRegisters(t *testing.T) {
	i := mcptest.NewIssuer(t)
	i.Change(func(s *mcptest.IssuerSettings) { s.NoRegistration = true })
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: i})
	err := connect(t, h.URL, &Flow{Server: Server{Name: "a", URL: h.URL}, Redirect: back, Visit: browse})
	if err == nil || !strings.Contains(err.Error(), "put its client_id under oauth") || !strings.Contains(err.Error(), back) {
		t.Errorf("got %v", err)
	}
}

// A server that wants another kind of key says nothing of OAuth.
func TestServerWithoutOAuth(t *testing.T) {
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Token: "key"})
	err := connect(t, h.URL, &Flow{Server: Server{Name: "a", URL: h.URL}, Redirect: back, Visit: browse})
	if err == nil || !strings.Contains(err.Error(), "put what it wants under headers") {
		t.Errorf("got %v", err)
	}
}
