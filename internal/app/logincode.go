package app

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A login code gets its user's browser into the page once, so that nobody has to copy a
// token, and lets it decide as the page's key does. It goes by a file that only the user can
// read and no network: whoever might listen in the gateway's place learns nothing that is
// worth anything.
type loginCode struct {
	Sum   string    `json:"sum"` // of the code
	Until time.Time `json:"until"`
}

// codeTime is how long a code is good.
const codeTime = time.Minute

func codeFile(dir string) string { return filepath.Join(dir, "page-code") }

// NewLoginCode makes a code for the gateway that has the same state directory. There is one
// at a time.
func NewLoginCode(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no directory to leave a login code in: set XDG_STATE_HOME or HOME")
	}
	secret := make([]byte, 24)
	rand.Read(secret)
	code := base64.RawURLEncoding.EncodeToString(secret)
	sum := sha256.Sum256([]byte(code))
	text, err := json.Marshal(loginCode{hex.EncodeToString(sum[:]), time.Now().Add(codeTime)})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a directory for the login code: %w", err)
	}
	f, err := os.CreateTemp(dir, "page-code-*") // with mode 0600
	if err != nil {
		return "", fmt.Errorf("write the login code: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), codeFile(dir))
	}
	if err != nil {
		return "", fmt.Errorf("write the login code: %w", err)
	}
	return code, nil
}

// takeCode tells whether a code is good. Then it is not any more.
func takeCode(dir, code string) bool {
	info, err := os.Stat(codeFile(dir))
	if err != nil || othersMayRead(info) || info.Size() > 1<<10 {
		return false
	}
	text, err := os.ReadFile(codeFile(dir))
	var is loginCode
	if err != nil || json.Unmarshal(text, &is) != nil {
		return false
	}
	sum := sha256.Sum256([]byte(code))
	if subtle.ConstantTimeCompare([]byte(hex.EncodeToString(sum[:])), []byte(is.Sum)) != 1 || time.Now().After(is.Until) {
		return false
	}
	return os.Remove(codeFile(dir)) == nil // of two that come at once, one
}

// tokenFor is the token that a code stands for.
func tokenFor(dir, code string) (string, bool) {
	if !takeCode(dir, code) {
		return "", false
	}
	token, err := ReadToken(dir)
	return token, err == nil
}
