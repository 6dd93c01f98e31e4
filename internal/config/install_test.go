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

// The same for every client that can reach an address: the address and the token are
// where the client reads them, and nowhere else.
func TestInstallHTTPRoundTrip(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the goldens have slashes")
	}
	address := Address{URL: "http://127.0.0.1:7400/mcp", Token: "token-of-the-gateway"}
	for _, c := range clients {
		if c.write.noRemote {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			h := openHome(t, filepath.Join("testdata", "clients", c.name+".txtar"))
			h.uninstall(t, c)
			before := h.installHTTP(t, c, address, "installed-http")
			h.reaches(t, c, address, address.Token)
			// with a variable in its place, where the client has some
			named := address
			named.Env = "GATEWAY_TOKEN"
			change, err := h.reader.InstallHTTP(c.name, false, named)
			switch {
			case err != nil && strings.Contains(err.Error(), "leave --token-env out"):
			case err != nil:
				t.Fatal(err)
			default:
				if bytes.Contains(change.After, []byte(address.Token)) || !bytes.Contains(change.After, []byte("GATEWAY_TOKEN")) {
					t.Errorf("the token itself is written:\n%s", change.After)
				}
				if _, err := change.Write(); err != nil {
					t.Fatal(err)
				}
				get := h.reader.Getenv
				h.reader.Getenv = func(name string) string {
					if name == "GATEWAY_TOKEN" {
						return "token-of-a-variable"
					}
					return get(name)
				}
				h.reaches(t, c, address, "token-of-a-variable")
			}
			changes, err := h.reader.Uninstall(c.name, false)
			if err != nil || len(changes) != 1 || !bytes.Equal(changes[0].After, before) {
				t.Errorf("%v: taken out again: %+v", err, changes)
			}
		})
	}
}

// uninstall takes the gateway out of a fixture that has it already.
func (h *home) uninstall(t *testing.T, c *client) {
	t.Helper()
	changes, err := h.reader.Uninstall(c.name, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		if _, err := change.Write(); err != nil {
			t.Fatal(err)
		}
	}
}

// installHTTP writes the entry of an address, and shows that it is written once.
func (h *home) installHTTP(t *testing.T, c *client, a Address, golden string) (before []byte) {
	t.Helper()
	change, err := h.reader.InstallHTTP(c.name, false, a)
	if err != nil {
		t.Fatal(err)
	}
	h.golden(t, golden, string(change.After))
	if _, err := change.Write(); err != nil {
		t.Fatal(err)
	}
	again, err := h.reader.InstallHTTP(c.name, false, a)
	if err != nil || again.Needed() {
		t.Errorf("a second time: %v, %v", again.Needed(), err)
	}
	return change.Before
}

// reaches checks what is read of the entry: the address, and the token in a header.
func (h *home) reaches(t *testing.T, c *client, a Address, token string) {
	t.Helper()
	found, _ := h.reader.Find(c.name)
	ours := 0
	for _, f := range found {
		for _, s := range f.Servers {
			if s.Name != ownName {
				continue
			}
			ours++
			if s.URL != a.URL || s.Type != Streamable || s.Headers["Authorization"] != "Bearer "+token || !h.reader.pointsBack(s) || !s.Runs() {
				t.Errorf("read back: %+v", s)
			}
		}
	}
	if ours != 1 {
		t.Errorf("found %d times:\n%s", ours, describe(found))
	}
}

// A project's file is read by others: the token itself is never in it.
func TestInstallHTTPIntoProject(t *testing.T) {
	r := testReader(nil)
	r.Home, r.Project = t.TempDir(), t.TempDir()
	a := Address{URL: "http://127.0.0.1:7332/mcp", Token: "secret"}
	if _, err := r.InstallHTTP("cursor", true, a); err == nil || !strings.Contains(err.Error(), "--token-env") {
		t.Error(err)
	}
	a.Env = "TOOLCRIB_TOKEN"
	change, err := r.InstallHTTP("cursor", true, a)
	if err != nil || bytes.Contains(change.After, []byte("secret")) || !bytes.Contains(change.After, []byte("Bearer ${env:TOOLCRIB_TOKEN}")) {
		t.Errorf("%s, %v", change.After, err)
	}
	if _, err := r.InstallHTTP("claude-desktop", false, a); err == nil || !strings.Contains(err.Error(), "only starts programs") {
		t.Error(err)
	}
}
