package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Places are where a file is looked for when none is named, best first.
func Places(getenv func(string) string) []string {
	places := []string{"toolcrib.yaml", "toolcrib.json", "toolcrib.jsonc", "toolcrib.toml"}
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		dir, _ = os.UserConfigDir() // "" where there is no home
	}
	if dir != "" {
		for _, name := range places[:4:4] {
			places = append(places, filepath.Join(dir, "toolcrib", name))
		}
	}
	return places
}

// DefaultFile is where a first configuration goes: the user's own. It is "" where
// there is no home.
func DefaultFile(getenv func(string) string) string {
	places := Places(getenv)
	for _, p := range places {
		if filepath.IsAbs(p) {
			return p
		}
	}
	return ""
}

// Find is the first of the Places that exists. Its error is an *Error.
func Find(getenv func(string) string) (string, error) {
	places := Places(getenv)
	for _, p := range places {
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", fileError("no configuration", "looked for %s; name one with --config, have \"toolcrib import --write\" make one of what other clients have, or write a first one:\n%s",
		strings.Join(places, ", "), indent(Example))
}
