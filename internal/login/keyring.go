package login

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/zalando/go-keyring"
)

// A Keyring keeps secrets under names, better than a file does.
type Keyring interface {
	Set(name, secret string) error // errTooBig for one that it cannot hold
	Get(name string) (string, error)
	Delete(name string) error // of one that it does not have is no error
}

var errTooBig = errors.New("the keyring cannot hold that much")

// keyringService is what our entries are filed under.
const keyringService = "toolcrib login"

// keyringTime is how long a keyring may take: it may ask its owner to unlock it.
const keyringTime = 30 * time.Second

// SystemKeyring is the one of the person whose process this is, nil if there is none.
func SystemKeyring(getenv func(string) string) Keyring {
	switch runtime.GOOS {
	case "darwin", "windows":
		return systemKeyring{}
	case "linux", "freebsd", "netbsd", "openbsd", "dragonfly":
		// Where there is no session there is nobody's keyring, and asking for it would
		// begin a session that nobody ends.
		if getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
			return systemKeyring{}
		}
		if _, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")); err == nil {
			return systemKeyring{}
		}
	}
	return nil
}

// systemKeyring is Keychain, Credential Manager or a Secret Service.
type systemKeyring struct{}

func (systemKeyring) Set(name, secret string) error {
	_, err := within(func() (string, error) { return "", keyring.Set(keyringService, name, secret) })
	if errors.Is(err, keyring.ErrSetDataTooBig) {
		return errTooBig
	}
	return err
}

func (systemKeyring) Get(name string) (string, error) {
	return within(func() (string, error) { return keyring.Get(keyringService, name) })
}

func (systemKeyring) Delete(name string) error {
	_, err := within(func() (string, error) { return "", keyring.Delete(keyringService, name) })
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}

// within gives up waiting for a keyring. What it waits for cannot be interrupted.
func within(do func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := do()
		got <- answer{text, err}
	}()
	timer := time.NewTimer(keyringTime)
	defer timer.Stop()
	select {
	case a := <-got:
		return a.text, a.err
	case <-timer.C:
		return "", fmt.Errorf("the keyring did not answer in %s: unlock it", keyringTime)
	}
}
