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

func TestFind(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	getenv := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }
	last := filepath.Join(home, "toolcrib", "toolcrib.yaml")
	if _, err := Find(getenv); err == nil || !IsError(err) || !strings.Contains(err.Error(), last) ||
		!strings.Contains(err.Error(), "toolcrib.json") || !strings.Contains(err.Error(), "servers:") {
		t.Errorf("nothing there: %v", err)
	}
	for _, path := range []string{last, "toolcrib.json", "toolcrib.yaml"} {
		write(t, path, Example, 0o600)
		if got, err := Find(getenv); err != nil || got != path {
			t.Errorf("found %q, %v; want %q", got, err, path)
		}
	}
}
