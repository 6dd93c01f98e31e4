package app

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"toolcrib/internal/config"
)

// S04: what an entry says is words for a program, never a line for a shell.
func TestS04NoShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are those of unix")
	}
	dir := t.TempDir()
	made := filepath.Join(dir, "made")
	touch := "touch " + made
	c := config.Config{HTTP: openHTTP}
	for name, words := range map[string][]string{
		"arguments":    {"printf", "%s\n", "; " + touch, "$(" + touch + ")", "`" + touch + "`", "&& " + touch, "| " + touch, "> " + made, "\n" + touch},
		"command":      {"true; " + touch},
		"substitution": {"$(" + touch + ")"},
		"with words":   {"touch " + made},
	} {
		c.Servers = append(c.Servers, config.Server{
			Name: name, Type: config.Stdio, Command: words[0], Args: words[1:], Dir: dir, Env: map[string]string{"X": "$(" + touch + ")", "BASH_FUNC_printf%%": "() { " + touch + "; }"},
		})
	}
	s := serveHTTP(t, c, Options{})
	s.app.known.Refresh(t.Context())
	if _, err := os.Stat(made); err == nil {
		t.Error("a shell read an entry")
	}
}
