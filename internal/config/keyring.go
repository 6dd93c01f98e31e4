package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// keyringService is what our entries in a keyring are filed under.
const keyringService = "toolcrib"

// keyringTime is how long a keyring may take: it may ask its owner to unlock it.
const keyringTime = 30 * time.Second

// keyring reads a secret out of the system's keyring, once.
func (v *variables) keyring(name string) (string, error) {
	if name == "" || strings.ContainsAny(name, "\x00\r\n") || name[0] == '-' {
		return "", fmt.Errorf("${keyring:...} needs the name of an entry")
	}
	get := v.Keyring
	if get == nil {
		get = func(name string) (string, error) { return systemKeyring(v.system(), name) }
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if value, ok := v.kept[name]; ok {
		return value, nil
	}
	value, err := get(name)
	if err != nil {
		return "", fmt.Errorf("the keyring has no %q: %w", clip(name), err)
	}
	if v.kept == nil {
		v.kept = map[string]string{}
	}
	v.kept[name] = value
	return value, nil
}

// keyringCommand is the program of a system that reads its keyring, and the
// command by which a person puts an entry into it.
func keyringCommand(system, name string) (read []string, store string) {
	switch system {
	case "darwin":
		return []string{"security", "find-generic-password", "-s", keyringService, "-a", name, "-w"},
			fmt.Sprintf("security add-generic-password -s %s -a %s -w", keyringService, name)
	case "linux", "freebsd", "netbsd", "openbsd", "dragonfly":
		return []string{"secret-tool", "lookup", "service", keyringService, "account", name},
			fmt.Sprintf("secret-tool store --label=%s service %s account %s", keyringService, keyringService, name)
	}
	return nil, ""
}

func systemKeyring(system, name string) (string, error) {
	read, store := keyringCommand(system, name)
	if read == nil {
		return "", errors.New("this system has no program that reads its keyring: use ${env:NAME} or ${file:PATH}")
	}
	ctx, cancel := context.WithTimeout(context.Background(), keyringTime)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, read[0], read[1:]...)
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	switch err := cmd.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("the program %s is not installed: install it, or use ${env:NAME} or ${file:PATH}", read[0])
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s did not answer in %s: unlock the keyring", read[0], keyringTime)
	case err != nil || out.Len() == 0:
		return "", fmt.Errorf("put it there with: %s", store)
	}
	return strings.TrimRight(out.String(), "\r\n"), nil
}
