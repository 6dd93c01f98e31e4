package app

import (
	"errors"
	"net/http"
	"path/filepath"

	"toolcrib/internal/auth"
	"toolcrib/internal/wire"
)

// A token is the secret that agents send to the HTTP listener.
type token struct{ *secret }

// errNoToken says nothing of what was sent: it goes into logs.
var errNoToken = errors.New("no valid bearer token")

// tokenFile is where the token is kept, below the state directory.
const tokenFile = "token"

// openToken reads the token of dir, or makes one.
func openToken(dir string) (*token, error) {
	if dir == "" {
		return nil, errors.New("no directory to keep the token in: set XDG_STATE_HOME or HOME, or http.auth: none")
	}
	s, err := openSecret(filepath.Join(dir, tokenFile))
	if err != nil {
		return nil, err
	}
	return &token{s}, nil
}

// Token is the secret that agents send to the listener. It is made if there is none.
func Token(stateDir string) (string, error) {
	t, err := openToken(stateDir)
	if err != nil {
		return "", err
	}
	return readSecret(t.path)
}

// ReadToken is the token that there is already.
func ReadToken(stateDir string) (string, error) {
	return readSecret(filepath.Join(stateDir, tokenFile))
}

// check is the Authenticate of the listener.
func (t *token) check(r *http.Request) (wire.Principal, error) {
	sent, ok := auth.Bearer(r)
	if !ok || !t.is(sent) {
		return wire.Principal{}, errNoToken
	}
	return wire.Principal{Subject: "token"}, nil
}
