package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnpinnedLaunches(t *testing.T) {
	for _, c := range []struct{ line, name string }{ // name "": nothing to say
		{"npx -y notes", "notes"},
		{"npx notes", "notes"},
		{"npx -y @scope/notes", "@scope/notes"},
		{"npx -y @scope/notes@latest", "@scope/notes"},
		{"npx -y notes@next --port 1", "notes"},
		{"npx -y notes@^1.2", "notes"},
		{"npx --yes --package=notes notes-bin", "notes"},
		{"npx -p notes notes-bin", "notes"},
		{"npx --registry https://r.example.com notes", "notes"},
		{"npx -y -- notes --flag", "notes"},
		{"/usr/local/bin/npx -y notes", "notes"},
		{`C:\node\npx.cmd -y notes`, "notes"},
		{"cmd /c npx -y notes", "notes"},
		{"bunx notes", "notes"},
		{"pnpm dlx notes", "notes"},
		{"npm exec -- notes", "notes"},
		{"uvx notes", "notes"},
		{"uvx notes[extra]", "notes"},
		{"uvx notes>=1", "notes"},
		{"uvx notes@latest", "notes"},
		{"uvx --from notes serve", "notes"},
		{"uvx --python 3.12 notes", "notes"},
		{"uv tool run notes", "notes"},
		{"pipx run notes", "notes"},

		{"npx -y notes@1.2.3", ""},
		{"npx -y @scope/notes@1", ""},
		{"npx ./local", ""},
		{"npx github:owner/notes", ""},
		{"npx owner/notes", ""},
		{"npx", ""},
		{"npx -y", ""},
		{"npm start", ""},
		{"uv run server.py", ""},
		{"uvx notes==1.2.3", ""},
		{"uvx notes@1.2.3", ""},
		{"uvx --from git+https://example.com/notes notes", ""},
		{"node server.js", ""},
		{"env", ""},
	} {
		words := strings.Fields(c.line)
		p, loose := unpinned(words[0], words[1:])
		if loose != (c.name != "") || p.name != c.name && loose {
			t.Errorf("%s: %q %v, want %q", c.line, p.name, loose, c.name)
		}
	}
}

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
		p, _ := unpinned(c.command, []string{c.written})
		version := p.fetched(getenv)
		if got := p.pinned(version); got != c.want || (p.hint(version) == "") != (version != "") {
			t.Errorf("%s %s: %q %q, want %q", c.command, c.written, got, p.hint(version), c.want)
		}
	}
}
