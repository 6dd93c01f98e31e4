package upstream

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// inheritedEnv are the variables that a child gets of ours. Everything else it
// needs stands in its own entry: our environment holds other servers' secrets.
var inheritedEnv = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TZ", "TMPDIR", "TMP", "TEMP",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
	// Windows programs do not start without these.
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH",
}

func childEnv(own map[string]string) []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if _, set := own[name]; set {
			continue
		}
		if slices.Contains(inheritedEnv, name) || strings.HasPrefix(name, "LC_") ||
			(runtime.GOOS == "windows" && slices.Contains(inheritedEnv, strings.ToUpper(name))) {
			env = append(env, kv)
		}
	}
	for name, value := range own {
		env = append(env, name+"="+value)
	}
	return env
}

// findCommand looks a command up on the PATH that the child will have.
func findCommand(s *Spec) (string, error) {
	path := s.Command
	if p, ok := s.Env["PATH"]; ok && !strings.ContainsRune(path, os.PathSeparator) {
		for _, dir := range strings.Split(p, string(os.PathListSeparator)) {
			if full, err := exec.LookPath(dir + string(os.PathSeparator) + path); err == nil {
				return full, nil
			}
		}
		return "", fmt.Errorf("command %q is not on the PATH that env gives it: install it, or write its full path as command", s.Command)
	}
	full, err := exec.LookPath(path)
	switch {
	case err == nil || errors.Is(err, exec.ErrDot):
		return full, nil
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("command %q is not on PATH: install it, or write its full path as command", s.Command)
	}
	return "", fmt.Errorf("command %q cannot be run: %w", s.Command, err)
}

// CheckStart says why the command of a server could not be started, as far as that can
// be told without starting it.
func (s *Spec) CheckStart() error {
	if s.Transport != Stdio {
		return nil
	}
	if err := checkDir(s.Dir); err != nil {
		return err
	}
	_, err := findCommand(s)
	return err
}

func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("working directory %q does not exist: create it, or correct cwd", dir)
	case err != nil:
		return fmt.Errorf("working directory %q cannot be used: %w", dir, err)
	case !info.IsDir():
		return fmt.Errorf("working directory %q is not a directory: correct cwd", dir)
	}
	return nil
}
