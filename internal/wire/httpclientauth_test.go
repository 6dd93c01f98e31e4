package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/oauth2"
)

// clerk is an OAuthHandler that gives out token-1, token-2, ...
type clerk struct {
	given  atomic.Int32
	refuse error
}

func (c *clerk) TokenSource(context.Context) (oauth2.TokenSource, error) {
	if n := c.given.Load(); n > 0 {
		return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: fmt.Sprintf("token-%d", n)}), nil
	}
	return nil, nil
}

func (c *clerk) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	resp.Body.Close()
	if c.refuse != nil {
		return c.refuse
	}
	c.given.Add(1)
	return nil
}

func authServer(t *testing.T, accept func(token string) (status int, challenge string)) (url string, asked func() int) {
	var n atomic.Int32
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		id := requestID(r)
		status, challenge := accept(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		if status != http.StatusOK {
			w.Header().Set("WWW-Authenticate", challenge)
			w.WriteHeader(status)
			return
		}
		answerJSON(w, ID(id), "{}")
	}))
	return s.URL, func() int { return int(n.Load()) }
}

func TestAuthorization(t *testing.T) {
	t.Run("a token, then a wider one", func(t *testing.T) {
		url, asked := authServer(t, func(token string) (int, string) {
			switch token {
			case "":
				return http.StatusUnauthorized, "Bearer"
			case "token-1":
				return http.StatusForbidden, `Bearer error="insufficient_scope", scope="more"`
			}
			return http.StatusOK, ""
		})
		l := modernLink(t, HTTPClientOptions{URL: url, OAuth: &clerk{}})
		if _, err := l.Call(testContext(t), plainCall); err != nil || asked() != 3 {
			t.Errorf("%v after %d requests", err, asked())
		}
	})
	t.Run("no end of it", func(t *testing.T) {
		url, asked := authServer(t, func(string) (int, string) { return http.StatusUnauthorized, "Bearer" })
		l := modernLink(t, HTTPClientOptions{URL: url, OAuth: &clerk{}})
		_, err := l.Call(testContext(t), plainCall)
		var status *StatusError
		if !errors.As(err, &status) || status.Status != 401 || asked() != 1+maxGrants {
			t.Errorf("%v after %d requests", err, asked())
		}
	})
	t.Run("forbidden is forbidden", func(t *testing.T) {
		c := &clerk{}
		url, asked := authServer(t, func(string) (int, string) { return http.StatusForbidden, "Bearer" })
		l := modernLink(t, HTTPClientOptions{URL: url, OAuth: c})
		if _, err := l.Call(testContext(t), plainCall); err == nil || asked() != 1 || c.given.Load() != 0 {
			t.Errorf("%v after %d requests", err, asked())
		}
	})
	t.Run("refused", func(t *testing.T) {
		no := errors.New("no such client")
		url, _ := authServer(t, func(string) (int, string) { return http.StatusUnauthorized, "Bearer" })
		_, _, err := ConnectHTTP(testContext(t), HTTPClientOptions{URL: url, OAuth: &clerk{refuse: no}}, 0, false, 0)
		if te := wantTransport(t, err, false); !errors.Is(te, no) {
			t.Errorf("got %v", te)
		}
	})
	t.Run("many at once ask once", func(t *testing.T) {
		c := &clerk{}
		url, _ := authServer(t, func(token string) (int, string) {
			if token == "" {
				return http.StatusUnauthorized, "Bearer"
			}
			return http.StatusOK, ""
		})
		l := modernLink(t, HTTPClientOptions{URL: url, OAuth: c})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := l.Call(testContext(t), plainCall); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := c.given.Load(); n != 1 {
			t.Errorf("authorized %d times", n)
		}
	})
}

// Headers may hold credentials: they go to no other host.
func TestRedirects(t *testing.T) {
	var stolen atomic.Int32
	other := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stolen.Add(1) }))
	for to, ok := range map[string]bool{"/mcp/": true, other.URL: false, "https://127.0.0.1/mcp": false} {
		for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect, http.StatusFound} {
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/mcp/" && r.Header.Get("X-Key") == "k" && r.Method == http.MethodPost {
					answerJSON(w, ID(requestID(r)), "{}")
					return
				}
				http.Redirect(w, r, to, status)
			}))
			l := modernLink(t, HTTPClientOptions{URL: s.URL + "/mcp", Header: map[string]string{"X-Key": "k"}})
			_, err := l.Call(testContext(t), plainCall)
			if followed := ok && status != http.StatusFound; followed != (err == nil) {
				t.Errorf("%d to %s: %v", status, to, err)
			}
		}
	}
	if stolen.Load() != 0 {
		t.Error("another host got the request")
	}
}
