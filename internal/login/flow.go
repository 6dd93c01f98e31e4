package login

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// A Visit sends a person to an address and returns what comes back to the redirect
// address, as its query.
type Visit func(ctx context.Context, address string) (url.Values, error)

// A Flow is one login: an OAuthHandler that asks a person. It is used for one
// connection, whose server says by refusing what it wants.
type Flow struct {
	Server   Server
	Redirect string // where people come back to, exactly
	Visit    Visit
	Client   *http.Client // nil reaches what safedial allows

	mu    sync.Mutex
	grant *Grant
}

// Grant is what the login brought, nil if the server wanted none.
func (f *Flow) Grant() *Grant {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.grant
}

// TokenSource is the token that the login brought.
func (f *Flow) TokenSource(context.Context) (oauth2.TokenSource, error) {
	g := f.Grant()
	if g == nil {
		return nil, nil
	}
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: g.Access, TokenType: "Bearer"}), nil
}

// Authorize asks the person. A second time it asks for what the first brought and
// for what the server wants besides.
func (f *Flow) Authorize(ctx context.Context, _ *http.Request, resp *http.Response) error {
	resp.Body.Close()
	client := f.Client
	if client == nil {
		client = f.Server.client()
	}
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate"))
	if err != nil {
		challenges = nil // as good as none: the well-known paths are left
	}
	found, err := discover(ctx, client, f.Server.URL, challenges)
	if err != nil {
		return err
	}
	before := f.Grant()
	g := &Grant{
		ID: rand.Text(), Server: f.Server.URL, Private: f.Server.Private, Issuer: found.issuer.Issuer, Resource: found.resource,
		TokenURL: found.issuer.TokenEndpoint, RevokeURL: found.issuer.RevocationEndpoint,
	}
	g.Scopes = f.scopes(found, challenges)
	if before != nil && before.Issuer == g.Issuer {
		g.ClientID, g.ClientSecret, g.SecretInBody = before.ClientID, before.ClientSecret, before.SecretInBody
		g.Scopes = union(before.Scopes, g.Scopes)
	} else if err := f.register(ctx, client, found.issuer, g); err != nil {
		return err
	}
	g, err = f.code(ctx, client, found.issuer, g)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grant = g
	return nil
}

// scopes are what is asked for: what the entry says, else what the server wants now,
// else what it names at all.
func (f *Flow) scopes(found *found, challenges []oauthex.Challenge) []string {
	scopes := f.Server.Scopes
	for _, c := range challenges {
		if scopes == nil && c.Scheme == "bearer" {
			scopes = strings.Fields(c.Params["scope"])
		}
	}
	if len(scopes) == 0 && f.Server.Scopes == nil {
		scopes = found.scopes
	}
	if slices.Contains(found.issuer.ScopesSupported, "offline_access") { // or the login would end with its first token
		scopes = union(scopes, []string{"offline_access"})
	}
	return scopes
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, scope := range b {
		if !slices.Contains(out, scope) {
			out = append(out, scope)
		}
	}
	return out
}

// code has the person say yes, and takes the tokens for it.
func (f *Flow) code(ctx context.Context, client *http.Client, issuer *oauthex.AuthServerMeta, g *Grant) (*Grant, error) {
	verifier, state := oauth2.GenerateVerifier(), rand.Text()
	address, err := authorizeURL(issuer.AuthorizationEndpoint, url.Values{
		"response_type": {"code"}, "client_id": {g.ClientID}, "redirect_uri": {f.Redirect}, "state": {state},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
		"resource": {g.Resource}, "scope": {strings.Join(g.Scopes, " ")},
	})
	if err != nil {
		return nil, err
	}
	back, err := f.Visit(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := checkAnswer(back, state, issuer); err != nil {
		return nil, err
	}
	now := time.Now()
	a, err := g.ask(ctx, client, url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Get("code")}, "redirect_uri": {f.Redirect},
		"code_verifier": {verifier}, "resource": {g.Resource},
	})
	if err != nil {
		return nil, fmt.Errorf("get a token from %s: %w", g.Issuer, err)
	}
	return g.with(a, now)
}

// authorizeURL adds what is asked for to an issuer's address, which a browser will be
// told to open: nothing but an address of the web will do.
func authorizeURL(endpoint string, add url.Values) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || u.Opaque != "" {
		return "", fmt.Errorf("the issuer's authorization_endpoint %q is no address of the web", clip(endpoint))
	}
	q := u.Query()
	for name, values := range add {
		if values[0] != "" {
			q.Set(name, values[0])
		}
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u.String(), nil
}

// checkAnswer refuses what is not the answer to our question: another login's (state),
// or another issuer's (iss, RFC 9207).
func checkAnswer(back url.Values, state string, issuer *oauthex.AuthServerMeta) error {
	iss, said := back.Get("iss"), back.Has("iss")
	switch {
	case back.Get("state") != state:
		return errors.New("what came back belongs to another login: try again")
	case said && iss != issuer.Issuer:
		return fmt.Errorf("%q answered in place of %s: the login is given up", clip(iss), issuer.Issuer)
	case !said && issuer.AuthorizationResponseIssParameterSupported:
		return fmt.Errorf("the answer does not say that it is from %s, which it always should: the login is given up", issuer.Issuer)
	case back.Get("error") != "":
		return fmt.Errorf("%s refused: %s", issuer.Issuer, strings.TrimSpace(clip(back.Get("error"))+" "+clip(back.Get("error_description"))))
	case back.Get("code") == "":
		return errors.New("what came back holds no code: try again")
	}
	return nil
}
