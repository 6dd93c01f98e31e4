package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write golden files anew")

// A home is a computer that a txtar file describes: its comment may name the
// system and variables, its files are below home and project.
type home struct {
	dir     string
	reader  *Reader
	archive *txtar.Archive
	path    string
}

func openHome(t *testing.T, path string) *home {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h := &home{dir: t.TempDir(), archive: archive, path: path}
	env := map[string]string{}
	h.reader = testReader(env)
	h.reader.Home, h.reader.Project = filepath.Join(h.dir, "home"), filepath.Join(h.dir, "project")
	h.reader.Self = filepath.Join(h.dir, "bin", "toolcrib")
	for line := range strings.SplitSeq(string(archive.Comment), "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "system":
			h.reader.System = value
		case "env":
			name, text, _ := strings.Cut(value, "=")
			env[name] = strings.ReplaceAll(text, "$DIR", h.dir)
		}
	}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "home/") || strings.HasPrefix(f.Name, "project/") {
			write(t, filepath.Join(h.dir, f.Name), strings.ReplaceAll(string(f.Data), "$DIR", filepath.ToSlash(h.dir)), 0o600)
		}
	}
	return h
}

// golden compares text with the file of that name in the archive.
func (h *home) golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, h.dir, "$DIR")
	i := -1
	for j, f := range h.archive.Files {
		if f.Name == name {
			i = j
		}
	}
	if *update {
		if i < 0 {
			h.archive.Files = append(h.archive.Files, txtar.File{Name: name})
			i = len(h.archive.Files) - 1
		}
		h.archive.Files[i].Data = []byte(got)
		if err := os.WriteFile(h.path, txtar.Format(h.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if i < 0 {
		t.Fatalf("%s has no %s: run the test with -update and look at it", h.path, name)
	}
	if diff := cmp.Diff(string(h.archive.Files[i].Data), got); diff != "" {
		t.Errorf("%s of %s (-want +got):\n%s", name, h.path, diff)
	}
}

// describe is what was found, as text.
func describe(found []Found) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s, %s: %s\n", f.Title, f.Scope, filepath.ToSlash(f.File))
		for _, s := range f.Servers {
			more := ""
			if s.Untrusted {
				more = ", untrusted"
			}
			fmt.Fprintf(&b, "  %s (%s, at %s%s)\n%s", s.Name, s.Type, s.At, more, s.node().yaml("    "))
		}
		for _, w := range f.Warnings {
			fmt.Fprintf(&b, "  warning %s: %s\n", w.At, w.Text)
		}
	}
	return b.String()
}

// Every client has a file that is written as its documentation shows, and what we
// make of it is golden.
func TestFilesOfClients(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the goldens have slashes")
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			h := openHome(t, filepath.Join("testdata", "clients", c.name+".txtar"))
			found, used := h.reader.Find(c.name)
			if len(found) == 0 {
				t.Fatalf("nothing found in %v", used)
			}
			h.golden(t, "found", describe(found))
		})
	}
}

// Nothing on a computer without clients, and nothing but warnings for files that
// cannot be read.
func TestFindNothing(t *testing.T) {
	r := testReader(nil)
	r.Home, r.Project = t.TempDir(), t.TempDir()
	if found, used := r.Find(); len(found) != 0 || len(used) < len(clients) {
		t.Errorf("found %v in %d files", found, len(used))
	}
	write(t, filepath.Join(r.Home, ".cursor", "mcp.json"), `{"mcpServers": {"a": {"command": "x", "env": {"T": "hunter2"}, }`, 0o600)
	write(t, filepath.Join(r.Home, ".codeium", "windsurf", "mcp_config.json"), "", 0o600)
	write(t, filepath.Join(r.Home, ".kiro", "settings", "mcp.json"), `{"mcpServers": [1], "other": {}}`, 0o600)
	found, _ := r.Find()
	if len(found) != 3 {
		t.Fatalf("found %+v", found)
	}
	text := describe(found)
	if !strings.Contains(text, "not JSON") || strings.Contains(text, "hunter2") || !strings.Contains(text, "without a name") {
		t.Error(text)
	}
}

// Paths of every system, as one table to look at.
func TestPlacesOfClients(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the golden has slashes")
	}
	var b strings.Builder
	for _, system := range []string{"linux", "darwin", "windows"} {
		r := testReader(map[string]string{"APPDATA": "%APPDATA%", "LOCALAPPDATA": "%LOCALAPPDATA%", "ProgramFiles": "%ProgramFiles%", "ProgramData": "%ProgramData%"})
		r.System, r.Home, r.Project = system, "~", "."
		for _, c := range clients {
			for _, p := range c.places {
				if p.system == "" || p.system == system {
					fmt.Fprintf(&b, "%-8s %-16s %-8s %s\n", system, c.name, p.scope, r.expandPlace(p.path))
				}
			}
		}
	}
	golden := filepath.Join("testdata", "clients", "places.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}
