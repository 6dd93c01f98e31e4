package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testReader knows nothing of the computer that the test runs on.
func testReader(env map[string]string) *Reader {
	return &Reader{
		Getenv: func(name string) string { return env[name] },
		Keyring: func(name string) (string, error) {
			if name == "github" {
				return "from-keyring", nil
			}
			return "", errors.New("put it there")
		},
		System: "linux", Home: "/home/ann", Project: "/home/ann/project", Self: "/usr/bin/toolcrib",
	}
}

func TestVariablesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret.txt"), "from-file\n", 0o600)
	write(t, filepath.Join(dir, ".env"), "DOT=from-dotenv\nSET=not-this\n", 0o600)
	r := testReader(map[string]string{"SET": "value", "NUMBER": "8080"})
	for text, want := range map[string]string{
		"plain":                        "plain",
		"${SET}":                       "value",
		"a${SET}b${NUMBER}c":           "avaluebxc",
		"${env:SET}":                   "value",
		"${SET:-other}":                "value",
		"${UNSET:-other}":              "other",
		"${UNSET:-}":                   "",
		"${UNSET:-${ALSO:-${SET}}}":    "value",
		"${DOT}":                       "from-dotenv",
		"${file:secret.txt}":           "from-file",
		"${keyring:github}":            "from-keyring",
		"$SET {SET} $ { } $5":          "$SET {SET} $ { } $5",
		"$${SET}":                      "${SET}",
		"Bearer ${UNSET:-a:b}-${SET}.": "Bearer a:b-value.",
	} {
		want = strings.ReplaceAll(want, "bxc", "b8080c")
		c, err := r.Parse(filepath.Join(dir, "a.yaml"), []byte("servers:\n  a:\n    command: x\n    args: ['"+text+"']\n"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := c.Servers[0].Args[0]; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestVariablesInEveryPlaceOfAServer(t *testing.T) {
	r := testReader(map[string]string{"A": "one", "HOST": "h.example.com"})
	c, err := r.Parse("a.yaml", []byte(`servers:
  a: {command: "${A}", args: ["${A}"], env: {X: "${A}"}, cwd: "/${A}"}
  b: {url: "https://${HOST}/mcp", headers: {Authorization: "Bearer ${A}"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := c.Servers[0], c.Servers[1]
	if a.Command != "one" || a.Args[0] != "one" || a.Env["X"] != "one" || a.Dir != "/one" || b.URL != "https://h.example.com/mcp" || b.Headers["Authorization"] != "Bearer one" {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestVariableProblems(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	for text, want := range map[string]string{
		"${UNSET}":          "a.yaml:2:29: command: the variable UNSET is not set: set it, put it into .env beside this file, or write ${UNSET:-default}",
		"${env:UNSET}":      "the variable UNSET is not set",
		"${env:}":           "cannot be the name of a variable",
		"${}":               "${} is no variable: use ${NAME}",
		"${what:x}":         "${what:x} is no variable",
		"${A B}":            "is no variable",
		"${open":            "${ has no }: close it",
		"${file:none}":      "cannot be read: no such file or directory",
		"${file:}":          "${file:} needs the path of a file",
		"${file:.}":         "it is no regular file",
		"${keyring:gitlab}": `the keyring has no "gitlab": put it there`,
		"${keyring:}":       "needs the name of an entry",
	} {
		_, err := testReader(nil).Parse(file, []byte("servers:\n  a: {type: stdio, command: '"+text+"'}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

// What a variable stands for is not repeated when something is wrong with it.
func TestVariableProblemsDoNotShowSecrets(t *testing.T) {
	r := testReader(map[string]string{"URL": "hunter2"})
	_, err := r.Parse("a.yaml", []byte("servers:\n  a: {url: \"${URL}\"}\n  b: {command: x, args: [hunter2, \"${UNSET}\"]}\n"))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

// A server that is not started needs no values.
func TestVariablesOfDisabledServers(t *testing.T) {
	_, err := testReader(nil).Parse("a.yaml", []byte("servers:\n  a: {command: \"${A}\", args: [\"${B}\"], envFile: none, disabled: true}\n  b: {url: \"https://${C}/mcp\", disabled: true}\n"))
	if err != nil {
		t.Error(err)
	}
	_, err = testReader(nil).Parse("a.yaml", []byte("servers:\n  x: {command: \"${A}\"}\n  a: {command: \"${A}\", arg: 1, disabled: true}\n  z: {command: \"${A}\"}\n"))
	if err == nil || strings.Count(err.Error(), "is not set") != 2 || !strings.Contains(err.Error(), "a.yaml:3:24: unknown key") {
		t.Errorf("what is wrong besides: %v", err)
	}
}

func TestEnvFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sub", "vars"), "A=1\nB=2\n", 0o600)
	c, err := testReader(nil).Parse(filepath.Join(dir, "a.yaml"), []byte("servers:\n  a: {command: x, env: {B: own}, envFile: sub/vars}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"A": "1", "B": "own"}, c.Servers[0].Env); diff != "" {
		t.Error(diff)
	}
	want := []string{filepath.Join(dir, ".env"), filepath.Join(dir, "sub", "vars")}
	if diff := cmp.Diff(want, c.Used); diff != "" {
		t.Errorf("files that it hangs on: %s", diff)
	}
	write(t, filepath.Join(dir, "sub", "vars"), "A=1\nnonsense hunter2\n", 0o600)
	_, err = testReader(nil).Parse(filepath.Join(dir, "a.yaml"), []byte("servers:\n  a: {command: x, envFile: sub/vars}\n"))
	if err == nil || !strings.Contains(err.Error(), "vars:2:1: no NAME=value") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a bad line: %v", err)
	}
	_, err = testReader(nil).Parse(filepath.Join(dir, "a.yaml"), []byte("servers:\n  a: {command: x, envFile: none}\n"))
	if err == nil || !strings.Contains(err.Error(), "none: cannot be read: no such file") {
		t.Errorf("no file: %v", err)
	}
}

// A .env beside the configuration is somebody else's as well: what we cannot read
// of it is no error, and it may be a directory.
func TestDotenvOfOthers(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	src := []byte("servers:\n  a: {command: x, env: {A: \"${A}\"}}\n")
	write(t, filepath.Join(dir, ".env"), "A=1\nKEY=\"begin\nhunter2\nend\"\n", 0o600)
	c, err := testReader(nil).Parse(file, src)
	if err != nil || c.Servers[0].Env["A"] != "1" || len(c.Warnings) == 0 {
		t.Errorf("%v %+v", err, c.Warnings)
	}
	for _, w := range c.Warnings {
		if strings.Contains(w.Error(), "hunter2") {
			t.Error(w)
		}
	}
	if err := os.Remove(filepath.Join(dir, ".env")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".env", "bin", "python"), "", 0o600)
	if _, err := testReader(map[string]string{"A": "1"}).Parse(file, src); err != nil {
		t.Errorf("a directory: %v", err)
	}
}

func TestDotenv(t *testing.T) {
	got, bad := parseDotenv([]byte("\ufeff# comment\n\nA=1\r\nexport B = two words \nC='it is # $x'\nD=\"a\\nb \\\"q\\\"\" # after\nE=x # after\nF=\nG=a#b\nbad\n1X=2\nH=\"open\n"))
	want := map[string]string{"A": "1", "B": "two words", "C": "it is # $x", "D": "a\nb \"q\"", "E": "x", "F": "", "G": "a#b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var lines []int
	for _, p := range bad {
		lines = append(lines, p.At.Line)
	}
	if diff := cmp.Diff([]int{10, 11, 12}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestKeyringPrograms(t *testing.T) {
	for _, system := range []string{"darwin", "linux"} {
		read, store := keyringCommand(system, "github")
		if len(read) == 0 || !strings.Contains(store, "github") || read[len(read)-1] == "" {
			t.Errorf("%s: %v, %q", system, read, store)
		}
	}
	if _, err := systemKeyring("windows", "github"); err == nil || !strings.Contains(err.Error(), "use ${env:NAME}") {
		t.Errorf("a system without one: %v", err)
	}
}

// A program that stands for secret-tool, since no keyring is open in a test.
func TestKeyringByProgram(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret-tool"), "#!/bin/sh\n[ \"$5\" = github ] && echo secret-of-$3\n", 0o755)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got, err := systemKeyring("linux", "github"); err != nil || got != "secret-of-toolcrib" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := systemKeyring("linux", "gitlab"); err == nil || !strings.Contains(err.Error(), "secret-tool store") {
		t.Errorf("no such entry: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := systemKeyring("linux", "github"); err == nil || !strings.Contains(err.Error(), "secret-tool is not installed") {
		t.Errorf("no program: %v", err)
	}
}
