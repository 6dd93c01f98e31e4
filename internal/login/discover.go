package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// found is who signs people in for a server.
type found struct {
	resource string
	scopes   []string // that the server names
	issuer   *oauthex.AuthServerMeta
}

// discover asks the server who signs in for it, and that one how.
func discover(ctx context.Context, client *http.Client, server string, challenges []oauthex.Challenge) (*found, error) {
	f := &found{resource: server}
	issuer, told, err := f.ask(ctx, client, server, challenges)
	if err != nil {
		return nil, err
	}
	f.issuer, err = auth.GetAuthServerMetadata(ctx, issuer, client)
	switch {
	case err != nil:
		return nil, fmt.Errorf("ask %s how to log in: %w", issuer, err)
	case f.issuer == nil && told != nil:
		return nil, fmt.Errorf("the server does not say how to log in: %w; put what it wants under headers in its entry, if it has no OAuth", told)
	case f.issuer == nil:
		// As protocol version 2025-03-26 has it for one without metadata.
		f.issuer = &oauthex.AuthServerMeta{
			Issuer: issuer, AuthorizationEndpoint: issuer + "/authorize", TokenEndpoint: issuer + "/token", RegistrationEndpoint: issuer + "/register",
		}
	case !slices.Contains(f.issuer.CodeChallengeMethodsSupported, "S256"):
		return nil, fmt.Errorf("%s does not know PKCE with S256, without which a login is not safe", issuer)
	}
	return f, nil
}

// ask reads the server's own metadata (RFC 9728): at the address that it named when it
// refused, then at the well-known ones. Where there is none the server itself
// is asked, as protocol version 2025-03-26 has it; told is then why.
func (f *found) ask(ctx context.Context, client *http.Client, server string, challenges []oauthex.Challenge) (issuer string, told, err error) {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return "", nil, fmt.Errorf("%q is no address of a server", server)
	}
	origin := u.Scheme + "://" + u.Host
	type place struct{ at, resource string }
	var places []place
	for _, c := range challenges {
		if at := c.Params["resource_metadata"]; at != "" {
			places = append(places, place{at, server})
			break
		}
	}
	named := len(places) > 0
	const known = "/.well-known/oauth-protected-resource"
	places = append(places, place{origin + known + strings.TrimSuffix(u.EscapedPath(), "/"), server}, place{origin + known, origin}, place{origin + known, server})
	var failures []error
	for _, p := range places {
		meta, err := oauthex.GetProtectedResourceMetadata(ctx, p.at, p.resource, client)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		if len(meta.AuthorizationServers) == 0 {
			return "", nil, errors.New("the server's metadata names nobody who signs in for it")
		}
		f.resource, f.scopes = meta.Resource, meta.ScopesSupported
		return meta.AuthorizationServers[0], nil, nil
	}
	if named {
		told = failures[0]
	} else {
		told = errors.New("it names nobody who signs in for it")
	}
	return origin, told, nil
}
