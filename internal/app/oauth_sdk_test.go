package app

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
)

// An agent that others wrote finds out by itself, from a refusal on, how to get a
// token for the gateway, and gets in with it.
func TestS11AnAgentFindsItsWay(t *testing.T) {
	i := mcptest.NewIssuer(t)
	i.Change(func(s *mcptest.IssuerSettings) { s.JWT = true })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String() + Endpoint
	life, kill := context.WithCancel(context.Background())
	a, err := Open(life, config.Config{
		Servers:    []config.Server{server(t, "one", "good")},
		Disclosure: asIs,
		HTTP:       config.HTTP{Auth: config.AuthOAuth, OAuth: config.OAuth{Issuer: i.URL, Resource: address, Scopes: []string{"read"}}},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = a.ServeHTTP(life, l)
	}()
	t.Cleanup(func() {
		kill()
		<-served
		a.Close(context.Background())
	})
	const back = "http://127.0.0.1:9/callback"
	plain := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back, Client: plain,
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			RedirectURIs: []string{back}, ApplicationType: "native", TokenEndpointAuthMethod: "none",
		}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, args.URL, nil)
			if err != nil {
				return nil, err
			}
			stay := &http.Client{Transport: plain.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			resp, err := stay.Do(r)
			if err != nil {
				return nil, err
			}
			resp.Body.Close()
			to, err := resp.Location()
			if err != nil {
				return nil, err
			}
			q := to.Query()
			return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	agent := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := agent.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: plain, OAuthHandler: handler}, nil)
	if err != nil {
		t.Fatalf("%v; %q", err, i.Faults())
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hello"}})
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := result.Content[0].(*mcp.TextContent); !ok || !strings.Contains(text.Text, "hello") {
		t.Errorf("got %+v", result.Content)
	}
	if i.Asked("/register") != 1 || i.Asked("/authorize") != 1 || i.Asked("/token") != 1 || len(i.Faults()) > 0 {
		t.Errorf("it did not go the way: %q", i.Faults())
	}
}
