package config

import (
	"os"
	"path/filepath"
	"testing"
)

// Whoever works in their home directory has their own files there, and no project's:
// they are read once, and need no approval.
func TestFindAtHome(t *testing.T) {
	home := t.TempDir()
	for _, file := range []string{".cursor/mcp.json", ".gemini/settings.json"} {
		path := filepath.Join(home, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"mcpServers":{"files":{"command":"files"}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Logf("no links here: %v", err)
		link = home
	}
	for project, want := range map[string]int{home: 1, link: 1, t.TempDir(): 1} {
		r := &Reader{Home: home, Project: project, System: "linux", Getenv: func(string) string { return "" }}
		for _, client := range []string{"cursor", "gemini-cli"} {
			found, _ := r.Find(client)
			if len(found) != want {
				t.Fatalf("%s in %s: %d files", client, project, len(found))
			}
			if f := found[0]; f.Scope == ProjectScope || len(f.Servers) != 1 || f.Servers[0].Untrusted {
				t.Errorf("%s in %s: %+v", client, project, f)
			}
		}
	}
}
