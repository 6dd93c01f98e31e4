package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func statuses(i *Import) []string {
	var out []string
	for _, c := range i.Candidates {
		out = append(out, fmt.Sprintf("%s of %s: %s %s", c.Name, c.Client, c.Status, filepath.Base(c.Of)))
	}
	return out
}

func TestImport(t *testing.T) {
	for _, name := range []string{"toolcrib.yaml", "toolcrib.json", "toolcrib.toml"} {
		t.Run(name, func(t *testing.T) {
			r := twoClients(t)
			file := filepath.Join(t.TempDir(), "conf", name)
			i, err := r.Import(file, false)
			if err != nil {
				t.Fatal(err)
			}
			want := []string{
				"github of claude-code: new .", "files of claude-code: new .", "ours of claude-code: itself .",
				"gh of cursor: present github", "files of cursor: conflict .claude.json", "fs of cursor: present files", "own of cursor: new .", "toolcrib of cursor: itself .", "team of claude-code: project .",
			}
			if diff := cmp.Diff(want, statuses(i)); diff != "" {
				t.Error(diff)
			}
			change, err := i.Change()
			if err != nil || !change.New {
				t.Fatal(change.New, err)
			}
			if _, err := change.Write(); err != nil {
				t.Fatal(err)
			}
			// Variables stay variables.
			if !strings.Contains(string(change.After), "${TOKEN}") || strings.Contains(string(change.After), "secret") {
				t.Errorf("written:\n%s", change.After)
			}
			c, err := r.Load(file)
			if err != nil {
				t.Fatalf("%v\n%s", err, change.After)
			}
			var names []string
			for _, s := range c.Servers {
				names = append(names, s.Name)
			}
			if diff := cmp.Diff([]string{"github", "files", "own"}, names); diff != "" {
				t.Error(diff)
			}
			again, err := r.Import(file, false)
			if err != nil {
				t.Fatal(err)
			}
			if change, err := again.Change(); err != nil || change.Needed() {
				t.Errorf("a second time: %v %v", statuses(again), err)
			}
			with, err := r.Import(file, true)
			if err != nil || !slices.Contains(statuses(with), "team of claude-code: new .") {
				t.Errorf("with the project's: %v, %v", statuses(with), err)
			}
		})
	}
}

// What a person wrote stays, to the letter.
func TestImportKeepsComments(t *testing.T) {
	r := twoClients(t)
	file := write(t, filepath.Join(t.TempDir(), "toolcrib.yaml"), "# mine\nhttp: {auth: none} # loopback\n\nservers:\n  # first\n  x: {command: y, env: {A: \"${file:s}\"}}\n", 0o644)
	i, err := r.Import(file, false, "cursor")
	if err != nil {
		t.Fatal(err)
	}
	change, err := i.Change()
	if err != nil {
		t.Fatal(err)
	}
	backup, err := change.Write()
	if err != nil {
		t.Fatal(err)
	}
	text := string(change.After)
	for line := range strings.Lines(string(change.Before)) {
		if !strings.Contains(text, line) {
			t.Errorf("%q is gone from:\n%s", line, text)
		}
	}
	if kept, _ := os.ReadFile(backup); string(kept) != string(change.Before) {
		t.Errorf("the copy is %q", kept)
	}
}

func TestImportProblems(t *testing.T) {
	r := twoClients(t)
	if _, err := r.Import("none.yaml", false, "cursr"); err == nil || !strings.Contains(err.Error(), "did you mean cursor") {
		t.Error(err)
	}
	broken := write(t, filepath.Join(t.TempDir(), "toolcrib.yaml"), "servers: [\n", 0o600)
	if _, err := r.Import(broken, false); !IsError(err) {
		t.Error(err)
	}
}
