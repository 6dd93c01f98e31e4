package login

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
)

// change has the kept grant be another.
func change(t *testing.T, store *Store, server string, how func(*Grant)) {
	t.Helper()
	g, err := store.Load(server)
	if err != nil || g == nil {
		t.Fatalf("%+v %v", g, err)
	}
	how(g)
	if err := store.Save(g); err != nil {
		t.Fatal(err)
	}
}

func token(t *testing.T, h *Handler) (string, error) {
	t.Helper()
	source, err := h.TokenSource(t.Context())
	if err != nil || source == nil {
		return "", err
	}
	got, err := source.Token()
	if err != nil {
		t.Fatal(err)
	}
	return got.AccessToken, nil
}

func wantsLogin(err error) bool { return errors.As(err, new(*wire.LoginError)) }

func TestKeptLoginIsUsed(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	if err := connect(t, s.URL, NewHandler(s, store, nil)); err != nil {
		t.Error(err)
	}
	if n := i.Asked("/token"); n != 1 {
		t.Errorf("%d tokens", n)
	}
}

// A login that is missing is one that a person has to make, and the server is not
// asked about it again and again; once it is made it is used.
func TestLoginComesLater(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, other := loggedIn(t, i)
	g, err := other.Load(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	store := NewStore(t.TempDir())
	h := NewHandler(s, store, nil)
	asked := len(i.Seen())
	for range 5 {
		if err := connect(t, s.URL, h); !wantsLogin(err) || !strings.Contains(err.Error(), "run toolcrib login a") {
			t.Fatalf("got %v", err)
		}
	}
	if n := len(i.Seen()) - asked; n != 1 {
		t.Errorf("the server was asked %d times", n)
	}
	if err := store.Save(g); err != nil {
		t.Fatal(err)
	}
	if err := connect(t, s.URL, h); err != nil {
		t.Errorf("after the login: %v", err)
	}
	if err := store.Delete(s.URL); err != nil {
		t.Fatal(err)
	}
	if err := connect(t, s.URL, h); !wantsLogin(err) {
		t.Errorf("after the logout: %v", err)
	}
}

// One renewal is made for all who want a token, those of another process included.
func TestRenewalIsMadeOnce(t *testing.T) {
	for name, end := range map[string]time.Duration{"soon": 10 * time.Second, "already": -time.Second} {
		t.Run(name, func(t *testing.T) {
			i := mcptest.NewIssuer(t)
			s, store := loggedIn(t, i)
			var before string
			change(t, store, s.URL, func(g *Grant) {
				before = g.Access
				g.Made, g.Expires = time.Now().Add(-time.Hour), time.Now().Add(end)
			})
			handlers := []*Handler{NewHandler(s, store, nil), NewHandler(s, NewStore(filepath.Dir(store.dir)), nil)}
			var wg sync.WaitGroup
			for n := range 60 {
				wg.Go(func() {
					got, err := token(t, handlers[n%2])
					if err != nil || (end < 0 && got == before) {
						t.Errorf("got %q, %v", got, err)
					}
				})
			}
			wg.Wait()
			if n := i.Asked("/token") - 1; n != 1 {
				t.Errorf("%d renewals", n)
			}
			for _, h := range handlers {
				if got, err := token(t, h); err != nil || got == before {
					t.Errorf("afterwards: %q %v", got, err)
				}
			}
			if faults := i.Faults(); len(faults) > 0 {
				t.Errorf("we did wrong: %q", faults)
			}
		})
	}
}

// A server that takes a token no more makes us renew it, and then wants a login.
func TestTokenThatIsTakenBack(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	change(t, store, s.URL, func(g *Grant) { g.Made = time.Now().Add(-time.Hour) })
	h := NewHandler(s, store, nil)
	i.Revoke(false)
	if err := connect(t, s.URL, h); err != nil || i.Asked("/token") != 2 {
		t.Errorf("%v after %d tokens", err, i.Asked("/token"))
	}
	change(t, store, s.URL, func(g *Grant) { g.Made = time.Now().Add(-time.Hour) })
	i.Revoke(true)
	if err := connect(t, s.URL, h); !wantsLogin(err) || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("got %v", err)
	}
}

// A fresh token that the server does not take is not renewed over and over.
func TestTokenThatIsNeverTaken(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	i.Revoke(false)
	change(t, store, s.URL, func(g *Grant) { g.Made = time.Now() })
	if err := connect(t, s.URL, NewHandler(s, store, nil)); !wantsLogin(err) || i.Asked("/token") != 1 {
		t.Errorf("%v after %d tokens", err, i.Asked("/token"))
	}
}

// A request that needs more than the login has does not end the login for others.
func TestScopesThatAreTooFew(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	h := NewHandler(s, store, nil)
	resp := &http.Response{StatusCode: http.StatusForbidden, Body: http.NoBody, Header: http.Header{
		"Www-Authenticate": {`Bearer error="insufficient_scope", scope="read admin"`},
	}}
	err := h.Authorize(t.Context(), nil, resp)
	if !wantsLogin(err) || !strings.Contains(err.Error(), "the scopes read admin, to be put under oauth.scopes") {
		t.Errorf("got %v", err)
	}
	if err := connect(t, s.URL, h); err != nil {
		t.Errorf("another request: %v", err)
	}
}

// An issuer that fails for a while ends no login that still holds.
func TestIssuerThatFails(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	change(t, store, s.URL, func(g *Grant) { g.Made, g.Expires = time.Now().Add(-time.Hour), time.Now().Add(10*time.Second) })
	i.Change(func(set *mcptest.IssuerSettings) {
		set.Token = func(w http.ResponseWriter, _ url.Values) bool {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return true
		}
	})
	h := NewHandler(s, store, nil)
	for range 5 {
		if got, err := token(t, h); err != nil || got == "" {
			t.Errorf("while it holds: %q %v", got, err)
		}
	}
	if n := i.Asked("/token") - 1; n != 1 {
		t.Errorf("%d attempts", n)
	}
	change(t, store, s.URL, func(g *Grant) { g.Expires = time.Now().Add(-time.Second) })
	if _, err := token(t, h); err == nil || wantsLogin(err) || !strings.Contains(err.Error(), "503") {
		t.Errorf("after it ended: %v", err)
	}
}

// What renews a login goes to its issuer alone, and its token to its server alone.
func TestGrantIsBound(t *testing.T) {
	one, two := mcptest.NewIssuer(t), mcptest.NewIssuer(t)
	s, store := loggedIn(t, one)
	other := Server{Name: "b", URL: mcptest.HTTP(t, &mcptest.HTTPOptions{Issuer: two}).URL}
	if err := connect(t, other.URL, NewHandler(other, store, nil)); !wantsLogin(err) {
		t.Errorf("got %v", err)
	}
	// The server now names another issuer, and takes nothing of the old one's.
	one.Change(func(set *mcptest.IssuerSettings) {
		set.Resource = func(m map[string]any) { m["authorization_servers"] = []string{two.URL} }
	})
	one.Revoke(true)
	change(t, store, s.URL, func(g *Grant) { g.Made = time.Now().Add(-time.Hour) })
	if err := connect(t, s.URL, NewHandler(s, store, nil)); !wantsLogin(err) {
		t.Errorf("got %v", err)
	}
	if n := two.Asked("/token") + two.Asked("/register"); n != 0 {
		t.Errorf("the other issuer was asked %d times", n)
	}
	for _, sent := range two.Seen() {
		if sent != "" {
			t.Errorf("the other server got %q", sent)
		}
	}
	// A file that was put in another's place is not believed.
	if err := os.Rename(store.path(s.URL), store.path(other.URL)); err != nil {
		t.Fatal(err)
	}
	if g, err := store.Load(other.URL); err == nil {
		t.Errorf("got %+v", g)
	}
}

func TestFilesThatCannotBeTrusted(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	path := store.path(s.URL)
	info, err := os.Stat(path)
	if err != nil || (runtime.GOOS != "windows" && info.Mode().Perm() != 0o600) {
		t.Errorf("%v %v", info.Mode(), err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty": "", "no JSON": "access", "another version": strings.Replace(string(good), `"version": 1`, `"version": 2`, 1),
		"a token with a line end": strings.Replace(string(good), `"access_token": "`, `"access_token": "a\r\n`, 1), "huge": string(good) + strings.Repeat(" ", maxGrant),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if g, err := store.Load(s.URL); err == nil || strings.Contains(err.Error(), "access-") {
			t.Errorf("%s: %+v %v", name, g, err)
		}
		if was, _, err := Logout(t.Context(), s, store); !was || err != nil {
			t.Errorf("%s: %v %v", name, was, err)
		}
	}
	if runtime.GOOS != "windows" {
		if err := os.WriteFile(path, good, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Load(s.URL); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("got %v", err)
		}
	}
	if err := NewStore("").Save(&Grant{}); err == nil {
		t.Error("no directory was accepted")
	}
}

func TestLogout(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	g, err := store.Load(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	was, told, err := Logout(t.Context(), s, store)
	if !was || told != nil || err != nil || i.Asked("/revoke") != 1 {
		t.Errorf("%v %v %v after %d", was, told, err, i.Asked("/revoke"))
	}
	if _, err := g.renew(t.Context(), s.client()); !errors.Is(err, errGrantEnded) {
		t.Errorf("it can still be renewed: %v", err)
	}
	if was, told, err := Logout(t.Context(), s, store); was || told != nil || err != nil {
		t.Errorf("again: %v %v %v", was, told, err)
	}
}

// A server that asks for a login gets one that came while nobody looked for it.
func TestLoginIsLookedForWhenItIsWanted(t *testing.T) {
	i := mcptest.NewIssuer(t)
	s, store := loggedIn(t, i)
	g, err := store.Load(s.URL)
	if err != nil || g == nil {
		t.Fatal(g, err)
	}
	fresh := NewStore(t.TempDir())
	h := NewHandler(s, fresh, nil)
	if source, err := h.TokenSource(t.Context()); source != nil || err != nil {
		t.Fatal(source, err)
	}
	if err := fresh.Save(g); err != nil {
		t.Fatal(err)
	}
	if err := connect(t, s.URL, h); err != nil {
		t.Error(err)
	}
}
