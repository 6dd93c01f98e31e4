//go:build unix

package upstream_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolcrib/internal/upstream"
)

// breakable makes a server end at once until fix is called.
func breakable(t testing.TB, spec upstream.Spec) (broken upstream.Spec, fix func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fixed")
	script := `test -e "$0" || { echo broken >&2; exit 9; }; exec "$@"`
	spec.Args = append([]string{"-c", script, file, spec.Command}, spec.Args...)
	spec.Command = "/bin/sh"
	return spec, func() {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Error(err)
		}
	}
}

// modes is a server that runs with the arguments in a file, which may change.
func modes(t testing.TB, name string, first upstream.Spec) (spec upstream.Spec, become func(upstream.Spec)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "command")
	become = func(s upstream.Spec) {
		var line strings.Builder
		for k, v := range s.Env {
			line.WriteString(k + "=" + v + " ")
		}
		line.WriteString("exec " + s.Command + " " + strings.Join(s.Args, " ") + "\n")
		if err := os.WriteFile(file, []byte(line.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	become(first)
	return upstream.Spec{Name: name, Command: "/bin/sh", Args: []string{file}}, become
}

// breakAgain takes back what fix did to a breakable server.
func breakAgain(t testing.TB, spec upstream.Spec) {
	t.Helper()
	if err := os.Remove(spec.Args[2]); err != nil {
		t.Fatal(err)
	}
}
