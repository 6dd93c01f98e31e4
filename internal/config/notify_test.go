package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Every way in which programs write a file is noticed, by the file system itself.
func TestWatchRealFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights")
	}
	dir := t.TempDir()
	real := write(t, filepath.Join(dir, "data", "one", "conf.yaml"), server("first"), 0o600)
	link := filepath.Join(dir, "current")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink(filepath.Join("data", "one"), link))
	file := filepath.Join(dir, "toolcrib.yaml")
	must(os.Symlink(filepath.Join("current", "conf.yaml"), file))
	r := testReader(nil)
	c, err := r.Load(file)
	must(err)
	applied := make(chan string, 10)
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		Watch(ctx, c, WatchOptions{
			Load:  func() (Config, error) { return r.Load(file) },
			Apply: func(c Config) error { applied <- c.Servers[0].Command; return nil },
		})
	})
	defer done.Wait()
	defer cancel()
	expect := func(want string) {
		t.Helper()
		for deadline := time.After(2 * pollTime); ; {
			select {
			case got := <-applied:
				if got == want {
					return
				}
			case <-deadline:
				t.Fatalf("%s was not noticed", want)
			}
		}
	}
	put := func(path, command string) {
		t.Helper()
		must(os.WriteFile(path, []byte(server(command)), 0o600))
	}

	put(real, "written-in-place")
	expect("written-in-place")
	must(os.Truncate(real, 0))
	put(real, "truncated-then-written")
	expect("truncated-then-written")
	put(real+".new", "renamed-over")
	must(os.Rename(real+".new", real))
	expect("renamed-over")
	must(os.Remove(real))
	put(real, "deleted-and-made-again")
	expect("deleted-and-made-again")
	write(t, filepath.Join(dir, "data", "two", "conf.yaml"), server("link-swapped"), 0o600)
	must(os.Symlink(filepath.Join("data", "two"), link+".new"))
	must(os.Rename(link+".new", link))
	expect("link-swapped")
	put(filepath.Join(dir, "data", "two", "conf.yaml"), "written-behind-the-new-link")
	expect("written-behind-the-new-link")
	must(os.Remove(file))
	put(file, "a-file-instead-of-a-link")
	expect("a-file-instead-of-a-link")
}

// A directory that does not exist yet is noticed when it comes.
func TestWatchFileToCome(t *testing.T) {
	r := testReader(nil)
	r.Home, r.Project = t.TempDir(), t.TempDir()
	file := write(t, filepath.Join(t.TempDir(), "toolcrib.yaml"), "include: cursor\n", 0o600)
	c, err := r.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	applied := make(chan int, 10)
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		Watch(ctx, c, WatchOptions{
			Load:  func() (Config, error) { return r.Load(file) },
			Apply: func(c Config) error { applied <- len(c.Servers); return nil },
		})
	})
	defer done.Wait()
	defer cancel()
	write(t, filepath.Join(r.Home, ".cursor", "mcp.json"), `{"mcpServers": {"a": {"command": "x"}}}`, 0o600)
	select {
	case n := <-applied:
		if n != 1 {
			t.Errorf("%d servers", n)
		}
	case <-time.After(2 * pollTime):
		t.Error("a client's first file was not noticed")
	}
}

func TestTrace(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dirs, paths := map[string]bool{}, map[string]bool{}
	trace(filepath.Join(dir, "a", "b", "c.json"), dirs, paths)
	if !dirs[dir] || len(dirs) != 1 {
		t.Errorf("directories %v", dirs)
	}
	for _, want := range []string{"a", "a/b", "a/b/c.json"} {
		if !paths[filepath.Join(dir, filepath.FromSlash(want))] {
			t.Errorf("%s is not among %v", want, paths)
		}
	}
	// Links that lead to each other end somewhere.
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	if os.Symlink(two, one) == nil && os.Symlink(one, two) == nil {
		trace(one, dirs, paths)
	}
}

func TestCrowded(t *testing.T) {
	dir := t.TempDir()
	for i := range mostOpened + 1 {
		if crowded(dir) {
			t.Fatalf("%d files are too many", i)
		}
		write(t, filepath.Join(dir, fmt.Sprint(i)), "", 0o600)
	}
	if !crowded(dir) {
		t.Errorf("%d files are not too many", mostOpened+1)
	}
	if crowded(filepath.Join(dir, "none")) {
		t.Error("a directory that there is not")
	}
}
