// Package auth finds out whether whoever sends a request to our listener may, where
// another party says so: we are an OAuth 2.1 resource server.
//
//	agent ──► 401, with where our metadata is ──► authorization server ──► token
//	agent ──► token ──► signature by a key of the issuer ──► issuer, audience, time ──► scopes ──► who
//
// A token has to be signed with one of the allowed algorithms by a key that the
// issuer publishes, and has to be made for us: one that the same issuer made for
// somebody else is refused. Nothing that a token says about where its key is to be
// found is believed. Tokens are checked here and end here: they go to no server.
package auth

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Options of a Resource.
type Options struct {
	Issuer     string   // who makes the tokens, as they say it themselves
	Resource   string   // the address at which agents reach us
	Audience   string   // whom tokens must be for; "" is Resource
	KeysURL    string   // where the issuer's keys are; "" asks the issuer's metadata
	Scopes     []string // that every token must have
	Algorithms []string // nil is DefaultAlgorithms
	Client     *http.Client
}

// DefaultAlgorithms are the signatures that are accepted. All are made with a key that
// only the issuer has: none, and those with a shared secret, can never be added.
var DefaultAlgorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// WellKnown is where our metadata is, with the path of the resource after it.
const WellKnown = "/.well-known/oauth-protected-resource"

func (o *Options) check() error {
	for _, u := range []struct {
		what, value string
		needed      bool
	}{
		{"issuer", o.Issuer, true}, {"resource", o.Resource, true}, {"jwks_url", o.KeysURL, false},
	} {
		if u.value == "" && !u.needed {
			continue
		}
		if err := CheckURL(u.value); err != nil {
			return fmt.Errorf("http.oauth.%s: %w", u.what, err)
		}
	}
	for _, scope := range o.Scopes {
		if !isScope(scope) {
			return fmt.Errorf("http.oauth.scopes: %q is no scope", scope)
		}
	}
	return checkAlgorithms(o.Algorithms)
}

// CheckURL refuses an address that others could listen in on or answer for.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return errors.New("is missing: write an address such as https://login.example.com")
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "":
		return fmt.Errorf("%q is no address: write one such as https://login.example.com", text)
	case u.Scheme == "https" || (u.Scheme == "http" && isLoopback(u.Hostname())):
		return nil
	}
	return fmt.Errorf("%q must start with https://, since others could answer for it", text)
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// isScope tells whether text is a scope-token of RFC 6749.
func isScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}

// Bearer is the token of a request that has exactly one.
func Bearer(r *http.Request) (token string, ok bool) {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	scheme, sent, ok := strings.Cut(values[0], " ")
	token = strings.TrimSpace(sent)
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", false
	}
	return token, true
}
