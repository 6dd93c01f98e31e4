package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	good := write(t, filepath.Join(dir, "good.yaml"), Example, 0o600)
	c, err := Load(good)
	if err != nil || c.File != good || len(c.Servers) != 1 || len(c.Warnings) != 0 {
		t.Errorf("the example: %+v, %v", c, err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "missing.yaml"): "there is no such file",
		dir:                                "is a directory: name the file in it",
		write(t, filepath.Join(dir, "big.yaml"), strings.Repeat(" ", MaxSize+1), 0o600): "is larger than 4 MiB",
	} {
		if _, err := Load(path); err == nil || !IsError(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestLoadUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("this user may read everything")
	}
	path := write(t, filepath.Join(t.TempDir(), "a.yaml"), Example, 0o000)
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "may not be read by this user") {
		t.Errorf("got %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	getenv := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }
	r := &Reader{Getenv: getenv, Project: dir}
	mine := filepath.Join(home, "toolcrib", "toolcrib.json")
	if _, _, err := r.Files(); err == nil || !IsError(err) || !strings.Contains(err.Error(), mine) ||
		!strings.Contains(err.Error(), ", toolcrib.json") || !strings.Contains(err.Error(), "servers:") {
		t.Errorf("nothing there: %v", err)
	}
	there := ""
	for _, name := range []string{"toolcrib.json", "toolcrib.yaml"} {
		there = write(t, filepath.Join(dir, name), Example, 0o600)
		if own, project, err := r.Files(); err != nil || own != "" || project != there {
			t.Errorf("found %q, %q, %v; want %q", own, project, err, there)
		}
	}
	write(t, mine, Example, 0o600)
	if own, project, err := r.Files(); err != nil || own != mine || project != there {
		t.Errorf("found %q, %q, %v; want %q and %q", own, project, err, mine, there)
	}
	r.Project = filepath.Dir(mine)
	if own, project, err := r.Files(); err != nil || own != mine || project != "" {
		t.Errorf("found %q, %q, %v; want %q alone, which is the user's own", own, project, err, mine)
	}
	if got := OwnFile(getenv); got != mine {
		t.Errorf("the user's own is %q, want %q", got, mine)
	}
	// A relative directory would be one of the project's.
	r.Getenv = func(name string) string { return map[string]string{"XDG_CONFIG_HOME": "config", "HOME": home}[name] }
	r.Project = dir
	write(t, filepath.Join(dir, "config", "toolcrib", "toolcrib.yaml"), Example, 0o600)
	if own, _, _ := r.Files(); strings.HasPrefix(own, dir) || strings.HasPrefix(own, "config") {
		t.Errorf("%q is the user's own", own)
	}
}
