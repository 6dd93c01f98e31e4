// Package login signs the gateway in to servers that want OAuth, and keeps it signed
// in.
//
//	toolcrib login ──► Flow: 401 ──► who signs in for the server? ──► a person says yes ──► Grant ──► Store
//	gateway ──► Handler: token of the Grant, renewed before it ends ──► server
//	                     no Grant, or one that no longer holds ──► wire.LoginError
//
// A Grant belongs to one address of a server and to the issuer that made it: its
// tokens are sent to that address, and what renews them to that issuer, and to nobody
// else. No token of an agent comes near: agents are known to the listener, servers
// know the gateway.
//
// Addresses that a server names are reached by safedial.
package login

import (
	"net/http"
	"strings"
	"time"

	"toolcrib/internal/safedial"
	"toolcrib/internal/wire"
)

// A Server is one that may want a login.
type Server struct {
	Name string
	URL  string

	ClientID     string // one that was registered before, or the https address of a client's metadata; "" registers one
	ClientSecret string
	Scopes       []string // to ask for; nil asks for what the server names
	Private      bool     // what the server names may be in a private network
}

// client reaches what the server names.
func (s *Server) client() *http.Client {
	return safedial.Client(safedial.Options{Server: s.URL, Private: s.Private})
}

// wanted is the error of a server that wants a login.
func (s *Server) wanted(why string) error { return &wire.LoginError{Server: s.Name, Why: why} }

// A Grant is what an issuer gave us for a server.
type Grant struct {
	Version  int    `json:"version"`
	ID       string `json:"id,omitempty"` // of the login, however often it is renewed
	In       string `json:"in,omitempty"` // keyring: what is secret is there
	Server   string `json:"server"`       // its URL
	Issuer   string `json:"issuer"`
	Resource string `json:"resource"`

	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret,omitempty"`
	SecretInBody bool   `json:"secret_in_body,omitempty"` // how the client says who it is

	Private   bool   `json:"private,omitempty"` // it may be in a private network
	TokenURL  string `json:"token_url"`
	RevokeURL string `json:"revoke_url,omitempty"`

	Scopes  []string  `json:"scopes,omitempty"`
	Access  string    `json:"access_token,omitempty"`
	Refresh string    `json:"refresh_token,omitempty"`
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires,omitzero"` // zero: it does not say
}

const grantVersion = 1

// ahead is how long before its end a token is renewed, so that none ends on its way.
// One that lives shortly is renewed when a fifth of its life is left.
const ahead = time.Minute

// due tells whether a token is to be renewed, and ended whether it is no good any more.
func (g *Grant) due(now time.Time) bool {
	return !g.Expires.IsZero() && now.After(g.Expires.Add(-min(ahead, g.Expires.Sub(g.Made)/5)))
}

func (g *Grant) ended(now time.Time) bool { return !g.Expires.IsZero() && !now.Before(g.Expires) }

// sayable tells whether a token can stand in a header.
func sayable(token string) bool {
	return token != "" && len(token) <= 64<<10 && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}
