package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/login"
	"toolcrib/internal/wire"
)

// oauth gets the tokens of kept logins for a server.
func (o *Options) oauth(server, url string) wire.OAuthHandler {
	return login.NewHandler(login.Server{Name: server, URL: url}, o.logins(), o.Log)
}

// logins are where logins are kept.
func (o *Options) logins() *login.Store {
	return login.NewStoreIn(o.StateDir, login.Place(o.Logins), login.SystemKeyring(o.Getenv))
}

// WantsLogin tells whether a server was not listed because it wants a login.
func WantsLogin(f *catalog.Failure) bool {
	return f != nil && strings.HasPrefix(f.Reason, wire.LoginWanted)
}

// A LoggedIn is what a login brought.
type LoggedIn struct {
	Issuer  string
	Scopes  []string
	Expires time.Time // of the first token, zero if it does not say
	Renews  bool      // it goes on after that
}

// ErrNoLoginNeeded says that a server let us in without a login.
var ErrNoLoginNeeded = errors.New("the server lets this gateway in without a login")

// Login has a person log in to a server, at the address that show is told, and keeps
// what that brings once the server has taken it.
func Login(ctx context.Context, s config.Server, o Options, show func(address string)) (*LoggedIn, error) {
	o.fill()
	if err := mayLogIn(s, o); err != nil {
		return nil, err
	}
	landing, err := login.Land(ctx, s.OAuth.RedirectPort)
	if err != nil {
		return nil, err
	}
	defer landing.Close()
	flow := &login.Flow{
		Server: loginServer(s), Redirect: landing.URL, Visit: landing.Visit(show),
	}
	link, _, err := wire.ConnectHTTP(ctx, wire.HTTPClientOptions{
		URL: s.URL, Header: s.Headers, OAuth: flow, Log: o.Log,
		Identity: wire.Identity{ClientInfo: append(append([]byte(`{"name":"toolcrib","version":`), wire.Quote(o.Version)...), '}')},
	}, eras[s.Era], s.Type == config.SSE, 0)
	if err != nil {
		return nil, fmt.Errorf("log in to %s: %w", s.Name, err)
	}
	defer link.Close()
	g := flow.Grant()
	if g == nil {
		return nil, ErrNoLoginNeeded
	}
	if err := o.logins().Save(g); err != nil {
		return nil, err
	}
	o.forgetListing(s)
	return &LoggedIn{Issuer: g.Issuer, Scopes: g.Scopes, Expires: g.Expires, Renews: g.Refresh != ""}, nil
}

// mayLogIn says why there can be no login.
func mayLogIn(s config.Server, o Options) error {
	switch {
	case s.URL == "":
		return fmt.Errorf("server %s is started by this gateway: what it needs to log in goes into its env", s.Name)
	case o.StateDir == "":
		return errors.New("no directory to keep logins in: set XDG_STATE_HOME or HOME")
	}
	for name := range s.Headers {
		if http.CanonicalHeaderKey(name) == "Authorization" {
			return fmt.Errorf("the entry of server %s has a header Authorization, which would be sent instead: remove that first", s.Name)
		}
	}
	return nil
}

func loginServer(s config.Server) login.Server {
	return login.Server{
		Name: s.Name, URL: s.URL, ClientID: s.OAuth.ClientID, ClientSecret: s.OAuth.ClientSecret,
		Scopes: s.OAuth.Scopes, Private: s.OAuth.AllowPrivate,
	}
}

// OpenBrowser shows an address to the person at this machine, if there is a screen.
func OpenBrowser(address string, getenv func(string) string) error {
	return login.OpenBrowser(address, getenv)
}

// Logout forgets the login of a server, and tells its issuer. told is why that could
// not be done; was tells whether there was a login.
func Logout(ctx context.Context, s config.Server, o Options) (was bool, told, err error) {
	o.fill()
	was, told, err = login.Logout(ctx, loginServer(s), o.logins())
	o.forgetListing(s)
	return was, told, err
}

// forgetListing removes what is saved of a server if that was for another login alone.
func (o *Options) forgetListing(s config.Server) {
	for _, spec := range specs(config.Config{Servers: []config.Server{s}}) {
		o.authorizations.load(openStore(config.Config{}, *o), s, spec.Identity())
	}
}
