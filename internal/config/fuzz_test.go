package config

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Whatever a file holds, reading it ends, soon, in a Config or in an error that
// names the file, and a Config that comes out is one that can be used.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		fullYAML, fullJSON, fullTOML, Example, "", "\ufeff{}", "a: &a [*a]", "<<: {}", "? a\n: b", "- - - x", "{a: {b: {c: [", "---\n...\n",
		"servers: {a: {command: x, env: {<<: [{A: 1}]}}}", "a: !!binary x", "a: |2-\n  x", "%YAML 1.2\n---\na: 1", "\"\\ud800\": 1",
		"a.b.c=1\n[[a.d]]\n[a.d.e]\nf={g.h=[[1],{}]}", "servers: {a: {command: '${A:-${B:-c}} $${ ${file:x} ${keyring:y} ${', envFile: x}}",
		"/* */ {\"servers\": {\"a\": {\"url\": \"http://[::1\"}}}",
	} {
		for syntax := range byte(3) {
			f.Add(src, syntax)
		}
	}
	f.Fuzz(func(t *testing.T, src string, syntax byte) {
		file := "fuzz." + []string{"yaml", "json", "toml"}[syntax%3]
		r := &Reader{Getenv: func(string) string { return "" }, Keyring: func(string) (string, error) { return "", errors.New("none") }, Home: t.TempDir()}
		start := time.Now()
		c, err := r.Parse(file, []byte(src))
		if d := time.Since(start); d > 5*time.Second && len(src) < 1<<16 {
			t.Errorf("took %s for %d bytes", d, len(src))
		}
		if err != nil {
			if !IsError(err) || len(err.Error()) < len(file) || err.Error()[:len(file)] != file {
				t.Errorf("error %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range c.Servers {
			if seen[s.Name] || !validName(s.Name) || (s.Type == Stdio) != (s.Command != "") || (s.Type != Stdio) != (s.URL != "") {
				t.Errorf("accepted %+v", s)
			}
			seen[s.Name] = true
		}
	})
}

// Whatever a client's file holds, what is made of it can be used, and nothing of
// this computer is put into what a project says.
func FuzzForeign(f *testing.F) {
	archives, err := filepath.Glob(filepath.Join("testdata", "clients", "*.txtar"))
	if err != nil || len(archives) == 0 {
		f.Fatal("no files of clients", err)
	}
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(string(file.Data), strings.HasSuffix(file.Name, ".toml"), strings.HasSuffix(file.Name, ".yaml"))
		}
	}
	r := testReader(map[string]string{"GITHUB_TOKEN": "canary", "TOKEN": "canary", "KEY": "canary"})
	f.Fuzz(func(t *testing.T, src string, isTOML, isYAML bool) {
		name := "f.json"
		if isTOML {
			name = "f.toml"
		} else if isYAML {
			name = "f.yaml"
		}
		for _, scope := range []Scope{UserScope, ProjectScope} {
			for _, c := range clients {
				d := r.decoder(name, []byte(src), c.forms)
				root, err := d.tree()
				if err != nil {
					return
				}
				own := &foreign{decoder: d, client: c, scope: scope}
				own.read(root)
				for _, s := range own.out {
					if !validName(s.Name) || (s.Type == Stdio) != (s.Command != "") || (s.Type != Stdio) != (s.URL != "") || s.Untrusted != (scope == ProjectScope) {
						t.Errorf("%s: accepted %+v", c.name, s)
					}
					if s.Untrusted && !strings.Contains(src, "canary") && strings.Contains(s.node().json("", ""), "canary") {
						t.Errorf("%s: a project's file got a secret: %+v", c.name, s)
					}
				}
			}
		}
	})
}

// Whatever a toolcrib.yaml of the working directory holds, nothing of it runs, counts or
// gets at a variable.
func FuzzProjectFile(f *testing.F) {
	f.Add(hostile)
	f.Add("servers: {a: {command: a, envFile: x}}\n")
	f.Add("servers: &a {a: {command: a}}\nmcpServers: *a\n")
	f.Add("policy: {default: deny}\ninclude: [cursor]\n")
	dir := f.TempDir()
	r := testReader(map[string]string{"GITHUB_TOKEN": "canary", "RUNNER": "canary"})
	r.Home, r.Project = f.TempDir(), dir
	f.Fuzz(func(t *testing.T, src string) {
		if strings.Contains(src, "canary") {
			return
		}
		write(t, filepath.Join(dir, "toolcrib.yaml"), src, 0o600)
		c, err := r.LoadFound()
		if err != nil {
			return
		}
		settings := c
		settings.File, settings.Servers, settings.Project = "", nil, Project{}
		if !settings.means(Config{}) {
			t.Errorf("settings count: %+v", settings)
		}
		for _, s := range c.Servers {
			if s.Runs() || strings.Contains(s.node().json("", ""), "canary") {
				t.Errorf("accepted %+v", s)
			}
		}
	})
}
