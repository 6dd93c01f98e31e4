package app

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"toolcrib/internal/auth"
	"toolcrib/internal/wire"
)

// A token is the secret that agents send to the HTTP listener. It is made at
// the first start and kept in a file that only its owner can read.
type token struct {
	path string
	sum  [sha256.Size]byte // of equal length for all tokens, as the comparison needs
}

// errNoToken says nothing of what was sent: it goes into logs.
var errNoToken = errors.New("no valid bearer token")

const leastTokenLength = 32

// tokenFile is where the token is kept, below the state directory.
const tokenFile = "token"

// openToken reads the token of dir, or makes one.
func openToken(dir string) (*token, error) {
	if dir == "" {
		return nil, errors.New("no directory to keep the token in: set XDG_STATE_HOME or HOME, or http.auth: none")
	}
	path := filepath.Join(dir, tokenFile)
	text, err := readToken(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeToken(path); err == nil {
			text, err = readToken(path)
		}
	}
	if err != nil {
		return nil, err
	}
	return &token{path: path, sum: sha256.Sum256([]byte(text))}, nil
}

// Token is the secret that agents send to the listener. It is made if there is none.
func Token(stateDir string) (string, error) {
	t, err := openToken(stateDir)
	if err != nil {
		return "", err
	}
	return readToken(t.path)
}

// ReadToken is the token that there is already.
func ReadToken(stateDir string) (string, error) { return readToken(filepath.Join(stateDir, tokenFile)) }

func readToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	if othersMayRead(info) {
		return "", fmt.Errorf("the token in %s can be read by other users: run chmod 600 on it, or delete it to get a new one", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	text := strings.TrimSpace(string(b))
	if len(text) < leastTokenLength || strings.ContainsAny(text, " \t\r\n") {
		return "", fmt.Errorf("%s holds no token of %d characters or more: delete it to get a new one", path, leastTokenLength)
	}
	return text, nil
}

// makeToken writes a new token, unless another process was faster: the file
// appears under its name complete or not at all.
func makeToken(path string) error {
	secret := make([]byte, 32)
	rand.Read(secret)
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make a directory for the token: %w", err)
	}
	f, err := os.CreateTemp(dir, "token-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("write the token: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(base64.RawURLEncoding.EncodeToString(secret) + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the token: %w", err)
	}
	err = os.Link(f.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) { // not every file system has links
		err = os.Rename(f.Name(), path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write the token: %w", err)
	}
	return nil
}

// check is the Authenticate of the listener.
func (t *token) check(r *http.Request) (wire.Principal, error) {
	sent, ok := auth.Bearer(r)
	if !ok {
		return wire.Principal{}, errNoToken
	}
	sum := sha256.Sum256([]byte(sent))
	if subtle.ConstantTimeCompare(sum[:], t.sum[:]) != 1 {
		return wire.Principal{}, errNoToken
	}
	return wire.Principal{Subject: "token"}, nil
}
