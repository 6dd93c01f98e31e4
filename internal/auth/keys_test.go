package auth

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/mcptest"
)

// shelf is an issuer's web site, in memory.
type shelf struct {
	mu    sync.Mutex
	pages map[string]any // by URL; missing is 404
	down  bool
	asked map[string]int
}

func (s *shelf) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[r.URL.String()]++
	if s.down {
		return nil, errors.New("no route")
	}
	status, text := http.StatusNotFound, "nothing here"
	switch page := s.pages[r.URL.String()].(type) {
	case nil:
	case string:
		status, text = http.StatusOK, page
	default:
		b, err := json.Marshal(page)
		if err != nil {
			return nil, err
		}
		status, text = http.StatusOK, string(b)
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(text)), Header: http.Header{}, Request: r}, nil
}

const keysURL = "https://login.example.com/keys"

func TestKeysComeAndGo(t *testing.T) {
	i := mcptest.NewIssuer(t)
	site := &shelf{pages: map[string]any{keysURL: claimsOf{"keys": []any{i.JWK("one")}}}}
	synctest.Test(t, func(t *testing.T) {
		r := newResource(t, i, func(o *Options) { o.KeysURL, o.Client = keysURL, &http.Client{Transport: site} })
		status := func(kid string) int {
			_, no := ask(r, "Bearer "+i.JWT(claimsOf{"alg": "ES256", "kid": kid}, good(i, nil)))
			if no == nil {
				return 200
			}
			return no.Status
		}
		step := func(what, kid string, want, fetches int) {
			t.Helper()
			if got := status(kid); got != want || site.asked[keysURL] != fetches {
				t.Errorf("%s: %d after %d fetches, want %d after %d", what, got, site.asked[keysURL], want, fetches)
			}
		}
		step("the first", "one", 200, 1)
		for range 100 {
			step("made-up ids ask for nothing so soon", "evil", 401, 1)
		}
		time.Sleep(keysPause)
		step("a made-up id asks once", "evil", 401, 2)
		step("and not again", "evil", 401, 2)
		time.Sleep(keysPause)
		site.pages[keysURL] = claimsOf{"keys": []any{i.JWK("two")}}
		step("a new key is found", "two", 200, 3)
		step("the old one is gone", "one", 401, 3)
		site.down = true
		time.Sleep(keysAge + time.Second)
		step("an outage does not end what is known", "two", 200, 4)
		time.Sleep(keysGrace)
		step("until it is too old", "two", 503, 5)
		site.down = false
		time.Sleep(keysPause)
		step("and all is well", "two", 200, 6)
	})
}

func TestOneFetchForMany(t *testing.T) {
	i := mcptest.NewIssuer(t)
	r := newResource(t, i, nil)
	token := "Bearer " + i.JWT(header, good(i, nil))
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if _, no := ask(r, token); no != nil {
				t.Error(no)
			}
		})
	}
	wg.Wait()
	if n := i.Asked("/jwks"); n != 1 {
		t.Errorf("%d fetches", n)
	}
}

// What an issuer publishes may be wrong in many ways; tokens are then not checked,
// and nobody is let in.
func TestKeysThatCannotBeRead(t *testing.T) {
	i := mcptest.NewIssuer(t)
	well := "https://login.example.com/tenant"
	rfc := "https://login.example.com/.well-known/oauth-authorization-server/tenant"
	openID := "https://login.example.com/tenant/.well-known/openid-configuration"
	keys := claimsOf{"keys": []any{i.JWK("one")}}
	for name, c := range map[string]struct {
		pages map[string]any
		ok    bool
	}{
		"as RFC 8414 has it":    {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: keys}, true},
		"as OpenID has it":      {map[string]any{openID: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: keys}, true},
		"nothing":               {nil, false},
		"another issuer's":      {map[string]any{rfc: claimsOf{"issuer": "https://evil.example.com", "jwks_uri": keysURL}, keysURL: keys}, false},
		"keys by http":          {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": "http://login.example.com/keys"}, keysURL: keys}, false},
		"no keys":               {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: claimsOf{"keys": []any{}}}, false},
		"no JSON":               {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: "<html>"}, false},
		"too much":              {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: strings.Repeat(" ", maxDocument+1)}, false},
		"a secret for a key":    {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: claimsOf{"keys": []any{claimsOf{"kty": "oct", "k": "c2VjcmV0", "kid": "one"}}}}, false},
		"a key for encryption":  {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: claimsOf{"keys": []any{claimsOf{"kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"}}}}, false},
		"an RSA key of 16 bits": {map[string]any{rfc: claimsOf{"issuer": well, "jwks_uri": keysURL}, keysURL: claimsOf{"keys": []any{claimsOf{"kty": "RSA", "n": "xxx1", "e": "AQAB"}}}}, false},
	} {
		r := newResource(t, i, func(o *Options) { o.Issuer, o.Client = well, &http.Client{Transport: &shelf{pages: c.pages}} })
		_, no := ask(r, "Bearer "+i.JWT(header, good(i, claimsOf{"iss": well})))
		if c.ok != (no == nil) || (no != nil && no.Status != 503) {
			t.Errorf("%s: %v", name, no)
		}
	}
}
