package app

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A secret is one that we made ourselves: random, and kept in a file of the state
// directory that only its owner can read. To get another one, the file is deleted.
type secret struct {
	path string
	sum  [sha256.Size]byte // of equal length for all secrets, as the comparison needs
}

const leastSecretLength = 32

// openSecret reads the secret in a file, or makes one.
func openSecret(path string) (*secret, error) {
	text, err := obtainSecret(path)
	if err != nil {
		return nil, err
	}
	return &secret{path: path, sum: sha256.Sum256([]byte(text))}, nil
}

// is tells whether a text is the secret, in the same time for all texts.
func (s *secret) is(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], s.sum[:]) == 1
}

// obtainSecret is what is in the file, after it is made if there is none.
func obtainSecret(path string) (string, error) {
	text, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeSecret(path); err == nil {
			text, err = readSecret(path)
		}
	}
	return text, err
}

// readSecret says nothing of what is in the file where it cannot be used: that goes into logs.
func readSecret(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read a secret of this gateway: %w", err)
	}
	if othersMayRead(info) {
		return "", fmt.Errorf("the secret in %s can be read by other users: run chmod 600 on it, or delete it to get a new one", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read a secret of this gateway: %w", err)
	}
	text := strings.TrimSpace(string(b))
	if len(text) < leastSecretLength || strings.ContainsAny(text, " \t\r\n") {
		return "", fmt.Errorf("%s holds no secret of %d characters or more: delete it to get a new one", path, leastSecretLength)
	}
	return text, nil
}

// makeSecret writes a new secret, unless another process was faster: the file
// appears under its name complete or not at all.
func makeSecret(path string) error {
	random := make([]byte, 32)
	rand.Read(random)
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make a directory for the secrets of this gateway: %w", err)
	}
	f, err := os.CreateTemp(dir, filepath.Base(path)+"-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("write a secret of this gateway: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(base64.RawURLEncoding.EncodeToString(random) + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write a secret of this gateway: %w", err)
	}
	err = os.Link(f.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) { // not every file system has links
		err = os.Rename(f.Name(), path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write a secret of this gateway: %w", err)
	}
	return nil
}
