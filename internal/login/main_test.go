package login

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"time"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

const back = "http://127.0.0.1:9/callback"

// browse is a person whose browser is sent straight back.
func browse(ctx context.Context, address string) (url.Values, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	to, err := resp.Location()
	if err != nil {
		return nil, err
	}
	return to.Query(), nil
}

// connect opens a link, and closes it again.
func connect(t *testing.T, server string, oauth wire.OAuthHandler) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	link, _, err := wire.ConnectHTTP(ctx, wire.HTTPClientOptions{URL: server, OAuth: oauth}, 0, false, 5*time.Second)
	if err == nil {
		link.Close()
	}
	return err
}

// loggedIn is a server, and a store with a login to it.
func loggedIn(t *testing.T, i *mcptest.Issuer) (Server, *Store) {
	t.Helper()
	s := Server{Name: "a", URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: i}).URL}
	f := &Flow{Server: s, Redirect: back, Visit: browse}
	if err := connect(t, s.URL, f); err != nil {
		t.Fatal(err)
	}
	store := NewStore(t.TempDir())
	if err := store.Save(f.Grant()); err != nil {
		t.Fatal(err)
	}
	return s, store
}
