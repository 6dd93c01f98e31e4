package mcptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// An Issuer is a stand-in for an authorization server: it does what OAuth 2.1 wants
// of one, asks nobody for consent, and is strict with its clients. Change may be used
// to make it behave in other ways.
type Issuer struct {
	URL string

	key *ecdsa.PrivateKey

	mu      sync.Mutex
	set     IssuerSettings
	clients map[string]*oauthClient
	codes   map[string]*oauthCode
	refresh map[string]*oauthGrant // by refresh token
	access  map[string]*oauthGrant // by access token
	asked   []string               // paths, in the order of arrival
	faults  []string               // what clients did wrong
	seen    []string               // values of Authorization at protected servers
	number  int
}

// IssuerSettings say how an Issuer behaves.
type IssuerSettings struct {
	Life           time.Duration                                     // of access tokens; 0 is an hour
	Documents      bool                                              // it takes addresses of clients' metadata for client ids
	NoRegistration bool                                              // it registers nobody
	NoRefresh      bool                                              // it gives no refresh tokens
	JWT            bool                                              // its access tokens are JWTs
	RefuseRefresh  bool                                              // it takes none
	Iss            *string                                           // what it says for iss when it sends people back; "" says nothing
	Metadata       func(map[string]any)                              // changes what it says of itself
	Resource       func(map[string]any)                              // changes what protected servers say of themselves
	Challenge      func(*http.Request) string                        // changes their WWW-Authenticate
	Scopes         []string                                          // that protected servers ask for
	Token          func(w http.ResponseWriter, form url.Values) bool // true: it has answered
}

type oauthClient struct{ redirects []string }

type oauthCode struct {
	client, redirect, challenge, resource string
	scopes                                []string
}

type oauthGrant struct {
	client, resource string
	scopes           []string
	expires          time.Time
}

// NewIssuer starts one that ends with the test.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{
		key: key, clients: map[string]*oauthClient{}, codes: map[string]*oauthCode{},
		refresh: map[string]*oauthGrant{}, access: map[string]*oauthGrant{},
	}
	s := httptest.NewServer(i)
	t.Cleanup(s.Close)
	i.URL = s.URL
	return i
}

// Change changes how it behaves from now on.
func (i *Issuer) Change(change func(*IssuerSettings)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(&i.set)
}

// Asked is how often a path was asked for.
func (i *Issuer) Asked(path string) (n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.asked {
		if p == path {
			n++
		}
	}
	return n
}

// Faults are what clients did wrong.
func (i *Issuer) Faults() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.faults)
}

// Seen are the values of the header Authorization that protected servers got.
func (i *Issuer) Seen() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.seen)
}

// Preregister makes a client known.
func (i *Issuer) Preregister(client string, redirects ...string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clients[client] = &oauthClient{redirects}
}

// Revoke ends all access tokens, and with all also what they are renewed by.
func (i *Issuer) Revoke(all bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	clear(i.access)
	if all {
		clear(i.refresh)
	}
}

// ServeHTTP is the authorization server.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked = append(i.asked, r.URL.Path)
	switch r.Method + " " + r.URL.Path {
	case "GET /.well-known/oauth-authorization-server":
		meta := map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/jwks",
			"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
			"client_id_metadata_document_supported": i.set.Documents, "scopes_supported": []string{"read", "write", "offline_access"},
			"response_types_supported": []string{"code"}, "revocation_endpoint": i.URL + "/revoke",
		}
		if !i.set.NoRegistration {
			meta["registration_endpoint"] = i.URL + "/register"
		}
		if i.set.Metadata != nil {
			i.set.Metadata(meta)
		}
		reply(w, http.StatusOK, meta)
	case "GET /jwks":
		reply(w, http.StatusOK, map[string]any{"keys": []any{i.JWK("one")}})
	case "POST /register":
		i.register(w, r)
	case "GET /authorize":
		i.authorize(w, r)
	case "POST /token":
		i.token(w, r)
	case "POST /revoke":
		_ = r.ParseForm()
		delete(i.refresh, r.PostForm.Get("token"))
		delete(i.access, r.PostForm.Get("token"))
	default:
		http.NotFound(w, r)
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// protects answers for a server of this issuer's, unless the request has a token.
// base is the server's address.
func (i *Issuer) protects(w http.ResponseWriter, r *http.Request, base string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
		meta := map[string]any{"resource": base, "authorization_servers": []string{i.URL}, "scopes_supported": i.set.Scopes}
		if i.set.Resource != nil {
			i.set.Resource(meta)
		}
		reply(w, http.StatusOK, meta)
		return true
	}
	sent := r.Header.Get("Authorization")
	i.seen = append(i.seen, sent)
	grant := i.access[strings.TrimPrefix(sent, "Bearer ")]
	if grant != nil && time.Now().Before(grant.expires) && grant.resource == base {
		return false
	}
	challenge := `Bearer resource_metadata="` + strings.TrimSuffix(base, "/mcp") + `/.well-known/oauth-protected-resource/mcp"`
	if i.set.Scopes != nil {
		challenge += `, scope="` + strings.Join(i.set.Scopes, " ") + `"`
	}
	if i.set.Challenge != nil {
		challenge = i.set.Challenge(r)
	}
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, "a token is needed", http.StatusUnauthorized)
	return true
}
