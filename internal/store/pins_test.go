package store_test

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"toolcrib/internal/store"
)

func TestPinsOutliveTheProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pins")
	p := store.Open(dir, nil).Pins()
	if _, ok := p.Load("a", "1"); ok {
		t.Error("there are pins before there were any")
	}
	p.Update("a", "1", func(_ []byte, is bool) []byte {
		if is {
			t.Error("there were pins already")
		}
		return []byte(`{"x":1}`)
	})
	p.Update("a", "1", func([]byte, bool) []byte { return nil })
	again := store.Open(dir, nil).Pins()
	if b, ok := again.Load("a", "1"); !ok || string(b) != `{"x":1}` {
		t.Errorf("another process reads %q, %v", b, ok)
	}
	if _, ok := again.Load("a", "2"); ok {
		t.Error("another command has the same pins")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.pins"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(files[0], []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, ok := again.Load("a", "1"); ok {
		t.Errorf("a damaged file reads %q", b)
	}
	store.Open(dir, nil).Prune()
}

// Several processes, each with a store of its own, lose nothing of each other's.
func TestPinsOfSeveralProcesses(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			p := store.Open(dir, nil).Pins()
			for range 5 {
				p.Update("a", "1", func(was []byte, _ bool) []byte {
					n, _ := strconv.Atoi(string(was))
					return []byte(strconv.Itoa(n + 1))
				})
			}
		})
	}
	all.Wait()
	if b, _ := store.Open(dir, nil).Pins().Load("a", "1"); string(b) != "40" {
		t.Errorf("40 changes made %s", b)
	}
}

func TestPinsInMemory(t *testing.T) {
	p := store.Open("", nil).Pins()
	p.Update("a", "1", func([]byte, bool) []byte { return []byte("x") })
	if b, ok := p.Load("a", "1"); !ok || string(b) != "x" {
		t.Errorf("%q, %v", b, ok)
	}
	if !p.Changed().IsZero() {
		t.Error("memory has a time")
	}
}
