package login

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// register finds out as which client we log in: by the address of our metadata where
// the issuer reads such, as a client that was registered before, or as one that is
// registered now.
func (f *Flow) register(ctx context.Context, client *http.Client, issuer *oauthex.AuthServerMeta, g *Grant) error {
	document := strings.HasPrefix(f.Server.ClientID, "https://")
	switch {
	case document && issuer.ClientIDMetadataDocumentSupported:
		g.ClientID = f.Server.ClientID
		return nil
	case f.Server.ClientID != "" && !document:
		g.ClientID, g.ClientSecret = f.Server.ClientID, f.Server.ClientSecret
		g.SecretInBody = slices.Contains(issuer.TokenEndpointAuthMethodsSupported, "client_secret_post") && !slices.Contains(issuer.TokenEndpointAuthMethodsSupported, "client_secret_basic")
		return nil
	case issuer.RegistrationEndpoint == "":
		return fmt.Errorf("%s registers no clients by itself: register one there by hand, with the redirect address %s, and put its client_id under oauth in the server's entry", issuer.Issuer, f.Redirect)
	}
	got, err := oauthex.RegisterClient(ctx, issuer.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{
		RedirectURIs: []string{f.Redirect}, ClientName: "Toolcrib", ApplicationType: "native",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
		TokenEndpointAuthMethod: authMethod(issuer.TokenEndpointAuthMethodsSupported),
	}, client)
	if err != nil {
		return fmt.Errorf("register at %s: %w", issuer.Issuer, err)
	}
	g.ClientID, g.ClientSecret = got.ClientID, got.ClientSecret
	g.SecretInBody = got.TokenEndpointAuthMethod == "client_secret_post"
	if got.TokenEndpointAuthMethod == "none" {
		g.ClientSecret = ""
	}
	return nil
}

// authMethod is how we would say who we are: a program on somebody's desk keeps no
// secret from them, so with none, where the issuer can do without.
func authMethod(supported []string) string {
	for _, method := range []string{"none", "client_secret_post", "client_secret_basic"} {
		if slices.Contains(supported, method) {
			return method
		}
	}
	return "none"
}
