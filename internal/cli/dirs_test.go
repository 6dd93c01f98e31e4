package cli

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestStateDir(t *testing.T) {
	env := func(pairs map[string]string) func(string) string {
		return func(name string) string { return pairs[name] }
	}
	if got, want := stateDir(env(map[string]string{"XDG_STATE_HOME": "/s", "HOME": "/h"})), filepath.Join("/s", "toolcrib"); got != want {
		t.Errorf("with XDG_STATE_HOME: %q, want %q", got, want)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if got, want := stateDir(env(map[string]string{"HOME": "/h"})), "/h/.local/state/toolcrib"; got != want {
		t.Errorf("with HOME: %q, want %q", got, want)
	}
	if got := stateDir(env(nil)); got != "" {
		t.Errorf("without a home: %q", got)
	}
}
