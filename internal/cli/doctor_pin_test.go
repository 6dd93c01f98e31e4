package cli

import (
	"os"
	"path/filepath"
	"testing"

	"toolcrib/internal/config"
)

func TestVersionToPin(t *testing.T) {
	home := t.TempDir()
	for path, text := range map[string]string{
		".npm/_npx/aa/node_modules/@scope/notes/package.json":       `{"version":"1.2.3"}`,
		".npm/_npx/bb/node_modules/broken/package.json":             `{`,
		".cache/uv/archive-v0/cc/my_notes-4.5.6.dist-info/METADATA": "",
	} {
		full := filepath.Join(home, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	getenv := func(name string) string {
		return map[string]string{"HOME": home, "npm_config_cache": filepath.Join(home, ".npm"), "UV_CACHE_DIR": filepath.Join(home, ".cache", "uv")}[name]
	}
	for _, c := range []struct{ command, written, want string }{
		{"npx", "@scope/notes", "@scope/notes@1.2.3"},
		{"npx", "@scope/notes@latest", "@scope/notes@1.2.3"},
		{"npx", "broken", "broken@VERSION"},
		{"npx", "never-run", "never-run@VERSION"},
		{"uvx", "my-notes", "my-notes==4.5.6"},
		{"uvx", "other", "other==VERSION"},
	} {
		u, _ := config.Server{Command: c.command, Args: []string{c.written}}.Unpinned()
		p := pin{u}
		version := p.fetched(getenv)
		if got := p.Pinned(version); got != c.want || (p.hint(version) == "") != (version != "") {
			t.Errorf("%s %s: %q %q, want %q", c.command, c.written, got, p.hint(version), c.want)
		}
	}
}
