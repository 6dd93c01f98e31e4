package upstream_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/oauth2"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// porter is an OAuthHandler with a token or without.
type porter struct {
	token atomic.Pointer[string]
	asked atomic.Int32
}

func (p *porter) TokenSource(context.Context) (oauth2.TokenSource, error) {
	if t := p.token.Load(); t != nil {
		return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: *t}), nil
	}
	return nil, nil
}

func (p *porter) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	resp.Body.Close()
	p.asked.Add(1)
	return &wire.LoginError{Server: "a"}
}

// A server that wants a login says so with the command, in its state and to whoever
// calls it; once somebody has logged in it is reached without a wait.
func TestServerThatWantsALogin(t *testing.T) {
	t.Parallel()
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := *o
			o.Token = "good"
			h := mcptest.HTTP(t, &o)
			p := &porter{}
			r := newRig(t, &upstream.Options{OAuth: func(string, string) wire.OAuthHandler { return p }}, remote("a", h))
			for range 3 {
				_, err := r.tool("a", "echo", `{"text":"x"}`)
				var e *wire.Error
				if !errors.As(err, &e) || e.Message != "server a: wants a login: run toolcrib login a" {
					t.Fatalf("got %v", err)
				}
			}
			if s := r.status("a"); s.State != upstream.NeedsLogin || s.Reason != "wants a login: run toolcrib login a" {
				t.Errorf("status %+v", s)
			}
			token := "good"
			p.token.Store(&token)
			r.must("a", "echo", `{"text":"x"}`)
			if s := r.status("a"); s.State != upstream.Ready {
				t.Errorf("status %+v", s)
			}
			if o.SSEOnly || o.Eras == mcptest.LegacyOnly {
				return
			}
			stale := "stale" // a connection without a session outlives its token
			p.token.Store(&stale)
			if _, err := r.send(r.t.Context(), modern("a", "echo", `{"text":"x"}`)); err == nil || !strings.Contains(err.Error(), "run toolcrib login a") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// An entry that says itself who we are gets no tokens.
func TestNoTokenBesideAHeader(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Token: "other"})
	p := &porter{}
	spec := remote("a", h)
	spec.Header = map[string]string{"authorization": "Bearer mine"}
	r := newRig(t, &upstream.Options{OAuth: func(string, string) wire.OAuthHandler { return p }}, spec)
	_, err := r.send(r.t.Context(), modern("a", "echo", `{"text":"x"}`))
	if err == nil || !strings.Contains(err.Error(), "HTTP 401") || p.asked.Load() != 0 {
		t.Errorf("got %v after %d questions", err, p.asked.Load())
	}
	if s := r.status("a"); s.State != upstream.Failed {
		t.Errorf("status %+v", s)
	}
}
