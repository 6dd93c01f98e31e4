package config

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestHTTPWithAnIssuerAndACertificate(t *testing.T) {
	dir := t.TempDir()
	c, err := testReader(nil).Parse(filepath.Join(dir, "a.yaml"), []byte(`
servers: {a: {url: "https://a.example.com/mcp", oauth: {client_id: me, client_secret: hush-hush, scopes: [read], redirect_port: 8085, allow_private: true}}}
http:
  auth: oauth
  oauth: {issuer: "https://login.example.com", resource: "https://tools.example.com/mcp", audience: crib, jwks_url: "https://login.example.com/keys", scopes: [tools], algorithms: [ES256]}
  tls: {cert: cert.pem, key: /etc/crib/key.pem}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := HTTP{
		Auth: AuthOAuth,
		OAuth: OAuth{
			Issuer: "https://login.example.com", Resource: "https://tools.example.com/mcp", Audience: "crib",
			KeysURL: "https://login.example.com/keys", Scopes: []string{"tools"}, Algorithms: []string{"ES256"},
		},
		TLS: TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.FromSlash("/etc/crib/key.pem")},
	}
	if filepath.IsAbs(filepath.FromSlash("/etc")) && !reflect.DeepEqual(c.HTTP, want) {
		t.Errorf("got %+v, want %+v", c.HTTP, want)
	}
	if login := (Login{"me", "hush-hush", []string{"read"}, 8085, true}); !reflect.DeepEqual(c.Servers[0].OAuth, login) {
		t.Errorf("got %+v", c.Servers[0].OAuth)
	}
	for what, text := range map[string]string{"YAML": c.YAML(), "JSON": c.JSON()} {
		if strings.Contains(text, "hush-hush") {
			t.Errorf("%s shows the client's secret", what)
		}
		for _, word := range []string{"login.example.com", "client_id", "redirect_port", "allow_private", "cert.pem", "ES256"} {
			if !strings.Contains(text, word) {
				t.Errorf("%s does not show %s:\n%s", what, word, text)
			}
		}
	}
}

func TestHTTPThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		`http: {auth: oauth}`: "needs http.oauth.issuer",
		`http: {auth: oauth, oauth: {issuer: "https://a.example.com"}}`: "http.oauth.resource, the address",
		`http: {tls: {cert: a.pem}}`:                                    "needs both cert and key",
		`http: {tls: {key: a.pem}}`:                                     "needs both cert and key",
		`servers: {a: {url: "https://a", oauth: {client_secret: x}}}`:   "no client_id",
		`servers: {a: {url: "https://a", oauth: {redirect_port: 0}}}`:   "from 1 to 65535",
	} {
		_, err := testReader(nil).Parse("a.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	c, err := testReader(nil).Parse("a.yaml", []byte(`{http: {oauth: {issuer: "https://a"}}, servers: {a: {command: a}}}`))
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].Error(), "is not used") {
		t.Errorf("an unused issuer: %v %v", c.Warnings, err)
	}
}
