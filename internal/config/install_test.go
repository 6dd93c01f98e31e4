package config

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// For every client: the gateway goes into its file, goes in only once, is known
// there for what it is, and comes out again without a trace.
func TestInstallRoundTrip(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the goldens have slashes")
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			h := openHome(t, filepath.Join("testdata", "clients", c.name+".txtar"))
			if c.name == "claude-code" { // it has the gateway already
				if changes, err := h.reader.Uninstall(c.name, false); err != nil || len(changes) != 1 {
					t.Fatal(changes, err)
				} else if _, err := changes[0].Write(); err != nil {
					t.Fatal(err)
				}
			}
			change, err := h.reader.Install(c.name, false, "/opt/bin/toolcrib", []string{"serve"})
			if err != nil {
				t.Fatal(err)
			}
			before := change.Before
			h.golden(t, "installed", string(change.After))
			backup, err := change.Write()
			if err != nil {
				t.Fatal(err)
			}
			if kept, err := os.ReadFile(backup); err != nil || !bytes.Equal(kept, before) {
				t.Errorf("the copy: %v", err)
			}
			again, err := h.reader.Install(c.name, false, "/opt/bin/toolcrib", []string{"serve"})
			if err != nil || again.Needed() {
				t.Errorf("a second time: %v, %v", again.Needed(), err)
			}
			found, _ := h.reader.Find(c.name)
			ours := 0
			for _, f := range found {
				for _, s := range f.Servers {
					if s.Name == ownName && h.reader.pointsBack(s) && s.Runs() {
						ours++
					}
				}
			}
			if ours != 1 {
				t.Errorf("found %d times:\n%s", ours, describe(found))
			}
			changes, err := h.reader.Uninstall(c.name, false)
			if err != nil || len(changes) != 1 {
				t.Fatal(changes, err)
			}
			if _, err := changes[0].Write(); err != nil {
				t.Fatal(err)
			}
			after, err := os.ReadFile(change.File)
			if err != nil || !bytes.Equal(after, before) {
				t.Errorf("%v: taken out again:\n%s\nwant:\n%s", err, after, before)
			}
		})
	}
}

// Where a client has no file yet, one is made; and in a project only if asked.
func TestInstallIntoNothing(t *testing.T) {
	for _, c := range clients {
		r := testReader(map[string]string{"APPDATA": t.TempDir()})
		r.Home, r.Project = t.TempDir(), t.TempDir()
		for _, inProject := range []bool{false, true} {
			change, err := r.Install(c.name, inProject, "/opt/bin/toolcrib", []string{"serve"})
			if err != nil {
				if !inProject || !strings.Contains(err.Error(), "leave --project out") {
					t.Errorf("%s: %v", c.name, err)
				}
				continue
			}
			if !change.New || inProject != strings.HasPrefix(change.File, r.Project) {
				t.Errorf("%s: %+v", c.name, change)
			}
			if _, err := change.Write(); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(change.File); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", c.name, info, err)
			}
		}
	}
}

func TestChangeFollowsLinksAndKeepsModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights")
	}
	dir := t.TempDir()
	real := write(t, filepath.Join(dir, "real.json"), "{}", 0o640)
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if _, err := (Change{File: link, Before: []byte("{}"), After: []byte("{ }")}).Write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	text, _ := os.ReadFile(real)
	info, _ = os.Stat(real)
	if string(text) != "{ }" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q with mode %s", text, info.Mode())
	}
	if _, err := (Change{File: link, Before: []byte("other"), After: []byte("x")}).Write(); err == nil || !strings.Contains(err.Error(), "changed by somebody else") {
		t.Errorf("a file that changed meanwhile: %v", err)
	}
}

func TestInstallUnknownClient(t *testing.T) {
	if _, err := new(Reader).Install("cursr", false, "x", nil); err == nil || !strings.Contains(err.Error(), "did you mean cursor?") {
		t.Error(err)
	}
}
