package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"toolcrib/internal/login"
	"toolcrib/internal/wire"
)

const (
	callback         = "http://localhost:3000/callback"
	metadataDocument = "https://conformance-test.local/client-metadata.json"
)

// authorized connects to a server that wants an authorization code's token.
func (r *run) authorized(ctx context.Context) error {
	server := login.Server{Name: "suite", URL: r.url, ClientID: metadataDocument}
	if r.details.ClientSecret != "" {
		server.ClientID, server.ClientSecret = r.details.ClientID, r.details.ClientSecret
	}
	return r.callAuthorized(ctx, &login.Flow{Server: server, Redirect: callback, Visit: visit})
}

// authorizedAsClient uses the client's own credentials, with no person behind it.
func (r *run) authorizedAsClient(ctx context.Context) error {
	handler, err := extauth.NewClientCredentialsHandler(&extauth.ClientCredentialsHandlerConfig{Credentials: r.credentials()})
	if err != nil {
		return err
	}
	return r.callAuthorized(ctx, handler)
}

func (r *run) credentials() *oauthex.ClientCredentials {
	return &oauthex.ClientCredentials{
		ClientID:         r.details.ClientID,
		ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: r.details.ClientSecret},
	}
}

func (r *run) callAuthorized(ctx context.Context, handler wire.OAuthHandler) error {
	s, err := r.connect(ctx, handler, nil)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.listTools(ctx); err != nil {
		return err
	}
	_, err = s.call(ctx, "test-tool", nil)
	return err
}

// visit is the browser: the suite's authorization server sends it straight
// back with the code.
func visit(ctx context.Context, address string) (url.Values, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.Do(req)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	to, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return nil, fmt.Errorf("read where the authorization server redirects to: %w", err)
	}
	return to.Query(), nil
}
