package login

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

// ring is a keyring in memory.
type ring struct {
	m    map[string]string
	most int   // bytes that it can hold
	err  error // of everything, if it is not nil
}

func (r *ring) Set(name, secret string) error {
	switch {
	case r.err != nil:
		return r.err
	case len(secret) > r.most:
		return errTooBig
	}
	r.m[name] = secret
	return nil
}

func (r *ring) Get(name string) (string, error) {
	if secret, ok := r.m[name]; ok && r.err == nil {
		return secret, nil
	}
	return "", errors.Join(r.err, errors.New("not there"))
}

func (r *ring) Delete(name string) error {
	delete(r.m, name)
	return r.err
}

func grantOf(access string) *Grant {
	return &Grant{ID: "1", Server: "https://notes.example.com/mcp", Issuer: "https://login.example.com", Access: access, Refresh: "refresh-secret", ClientSecret: "client-secret", Made: time.Now().UTC().Round(0)}
}

// Wherever secrets are to be kept, they are there and nowhere else, and what was kept
// elsewhere before is found, and moves when it is saved again.
func TestPlaces(t *testing.T) {
	small, big := "access-secret", strings.Repeat("x", 3000)
	for name, c := range map[string]struct {
		place  Place
		ring   *ring // nil: there is none
		access string
		want   string // where it is then; "": it is refused
	}{
		"a file":                    {InFile, &ring{most: 2560}, small, "file"},
		"the keyring":               {InKeyring, &ring{most: 2560}, small, "keyring"},
		"the keyring if there is":   {Auto, &ring{most: 2560}, small, "keyring"},
		"no keyring":                {Auto, nil, small, "file"},
		"no keyring, but it must":   {InKeyring, nil, small, ""},
		"one that fails":            {Auto, &ring{err: errors.New("locked")}, small, "file"},
		"one that fails, and must":  {InKeyring, &ring{err: errors.New("locked")}, small, ""},
		"too big":                   {Auto, &ring{most: 2560}, big, "file"},
		"too big, though it should": {InKeyring, &ring{most: 2560}, big, "file"},
	} {
		for _, before := range []string{"", "file", "keyring"} {
			t.Run(fmt.Sprintf("%s after %q", name, before), func(t *testing.T) {
				dir := t.TempDir()
				var keys Keyring
				if c.ring != nil {
					c.ring.m = map[string]string{}
					keys = c.ring
				}
				s := NewStoreIn(dir, c.place, keys)
				g := grantOf(c.access)
				if before != "" {
					if before == "keyring" && (c.ring == nil || c.ring.err != nil || c.place == InFile && c.ring == nil) {
						t.Skip("it cannot have been there")
					}
					if err := NewStoreIn(dir, Place(before), keys).Save(grantOf("earlier")); err != nil {
						t.Fatal(err)
					}
					if got, err := s.Load(g.Server); err != nil || got.Access != "earlier" || got.Refresh != "refresh-secret" {
						t.Errorf("what was kept before reads as %+v, %v", got, err)
					}
				}
				mark := s.Mark(g.Server)
				err := s.Save(g)
				if c.want == "" {
					if err == nil || !strings.Contains(err.Error(), "login.store") {
						t.Errorf("it is kept: %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got, err := s.Load(g.Server); err != nil || got.Access != c.access || got.Refresh != "refresh-secret" || got.ClientSecret != "client-secret" || got.In != "" || g.Access != c.access {
					t.Errorf("it reads as %+v, %v", got, err)
				}
				text, err := os.ReadFile(s.path(g.Server))
				if err != nil {
					t.Fatal(err)
				}
				inFile := strings.Contains(string(text), c.access) || strings.Contains(string(text), "-secret")
				inRing := c.ring != nil && len(c.ring.m) > 0
				if inFile != (c.want == "file") || inRing != (c.want == "keyring") {
					t.Errorf("in the file: %v, in the keyring: %v", inFile, inRing)
				}
				if info, err := os.Stat(s.path(g.Server)); err != nil || othersMayRead(info) {
					t.Errorf("others may read %v, %v", info, err)
				}
				if after := s.Mark(g.Server); after != "1" || mark != "" && mark != after {
					t.Errorf("the mark was %q and is %q", mark, after)
				}
				if err := s.Delete(g.Server); err != nil && c.ring != nil && c.ring.err == nil {
					t.Error(err)
				}
				if got, err := s.Load(g.Server); got != nil || err != nil || c.ring != nil && len(c.ring.m) > 0 {
					t.Errorf("after it is deleted: %+v, %v, %v", got, err, c.ring)
				}
			})
		}
	}
}

// What is in a keyring that is gone is no login, and says what to do.
func TestKeyringThatIsGone(t *testing.T) {
	dir, r := t.TempDir(), &ring{m: map[string]string{}, most: 2560}
	g := grantOf("access")
	if err := NewStoreIn(dir, InKeyring, r).Save(g); err != nil {
		t.Fatal(err)
	}
	for name, keys := range map[string]Keyring{"none": nil, "empty": &ring{}, "locked": &ring{err: errors.New("locked")}, "rubbish": &ring{m: map[string]string{NewStore(dir).name(g.Server): "{}"}}} {
		if got, err := NewStoreIn(dir, Auto, keys).Load(g.Server); got != nil || err == nil || !strings.Contains(err.Error(), "log in again") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// The system's keyring by the library's stand-in for it.
func TestSystemKeyring(t *testing.T) {
	keyring.MockInit()
	var k systemKeyring
	if err := k.Set("a", "secret"); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Get("a"); got != "secret" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if err := errors.Join(k.Delete("a"), k.Delete("a")); err != nil {
		t.Error(err)
	}
	if _, err := k.Get("a"); err == nil {
		t.Error("it is still there")
	}
	keyring.MockInitWithError(keyring.ErrSetDataTooBig)
	if err := k.Set("a", "secret"); !errors.Is(err, errTooBig) {
		t.Errorf("too big: %v", err)
	}
	keyring.MockInit()
	if runtime.GOOS == "linux" && SystemKeyring(func(string) string { return "unix:path=/run/bus" }) == nil {
		t.Error("a session has no keyring")
	}
}
