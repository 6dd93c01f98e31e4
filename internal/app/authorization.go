package app

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"sync"

	"toolcrib/internal/catalog"
	"toolcrib/internal/config"
	"toolcrib/internal/login"
	"toolcrib/internal/store"
)

// Authorizations tell as whom servers are asked. What a server lists for one of them is
// not for another, unless it says so: a listing has a mark of the one that it is for, and
// counts for that alone.
type authorizations struct {
	key    func() []byte
	logins *login.Store
}

// authorizationKey is where the key of marks is kept, below the state directory: with it
// they tell nothing of the secrets that they stand for.
const authorizationKey = "authorization-key"

func newAuthorizations(stateDir string) *authorizations {
	return &authorizations{
		logins: login.NewStore(stateDir),
		key: sync.OnceValue(func() []byte {
			if key, err := readAuthorizationKey(stateDir); err == nil {
				return key
			}
			key := make([]byte, 32) // what is kept counts for this process alone, then
			rand.Read(key)
			return key
		}),
	}
}

func readAuthorizationKey(stateDir string) ([]byte, error) {
	if stateDir == "" {
		return nil, fs.ErrNotExist
	}
	text, err := obtainSecret(filepath.Join(stateDir, authorizationKey))
	return []byte(text), err
}

// of is the mark of whom a server is asked as: by what its entry has, and by the login.
// A renewed token is the same login.
func (a *authorizations) of(s config.Server) string {
	mark := ""
	if s.URL != "" {
		mark = a.logins.Mark(s.URL)
	}
	b, err := json.Marshal([]any{s.Command, s.Args, s.Env, s.URL, s.Headers, mark})
	if err != nil { // texts, and lists and maps of texts, always marshal
		panic(err)
	}
	mac := hmac.New(sha256.New, a.key())
	mac.Write(b)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// load is what was saved of a server, if it is for whom it is asked as now. What is for
// another is removed.
func (a *authorizations) load(from *store.Store, s config.Server, identity string) (catalog.Listing, bool) {
	l, ok := from.Load(s.Name, identity)
	if ok && l.Private && l.Authorization != a.of(s) {
		from.Forget(s.Name, identity)
		return catalog.Listing{}, false
	}
	return l, ok
}
