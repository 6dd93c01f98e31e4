package store

import (
	"os"
	"testing"
)

func TestRemember(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]*Store{"disk": opened(t, dir), "memory": opened(t, "")} {
		if f, ok := s.Recall("git", "npx"); ok {
			t.Errorf("%s: remembers %v from nowhere", name, f)
		}
		s.Remember("git", "npx", Facts{Era: "modern"})
		s.Remember("git", "npx", Facts{Rung: "stderr"})
		s.Remember("git", "uvx", Facts{Era: "legacy", Rung: "protocol"})
		s.Remember("hub", "npx", Facts{})
		if f, _ := s.Recall("git", "npx"); f != (Facts{Era: "modern", Rung: "stderr"}) {
			t.Errorf("%s: got %v", name, f)
		}
		s.Remember("git", "npx", Facts{Era: "legacy"})
		if f, _ := s.Recall("git", "npx"); f != (Facts{Era: "legacy", Rung: "stderr"}) {
			t.Errorf("%s: got %v", name, f)
		}
		if _, ok := s.Recall("hub", "npx"); ok {
			t.Errorf("%s: nothing was remembered, and it is there", name)
		}
		if len(s.LoadAll()) != 0 {
			t.Errorf("%s: facts are taken for a listing", name)
		}
	}
	if f, _ := opened(t, dir).Recall("git", "npx"); f != (Facts{Era: "legacy", Rung: "stderr"}) {
		t.Errorf("the next process recalls %v", f)
	}
}

func TestKnownFactsAreNotWritten(t *testing.T) {
	s := opened(t, t.TempDir())
	s.Remember("git", "npx", Facts{Era: "modern", Rung: "protocol"})
	path := s.path(stemOf("git", "npx") + memoSuffix)
	before := state(t, path)
	s.Remember("git", "npx", Facts{Era: "modern"})
	if !os.SameFile(before, state(t, path)) {
		t.Error("written again")
	}
}

// A use that is noted for a server without facts is no fact, and is not taken
// for damage; noting it does not lose facts.
func TestTouchAndFacts(t *testing.T) {
	s := opened(t, t.TempDir())
	s.Touch("git", "npx")
	if f, ok := s.Recall("git", "npx"); ok {
		t.Errorf("recalls %v", f)
	}
	s.Remember("git", "npx", Facts{Rung: "protocol"})
	age(t, 2*touchEvery, s.path(stemOf("git", "npx")+memoSuffix))
	s.Touch("git", "npx")
	if f, _ := s.Recall("git", "npx"); f.Rung != "protocol" {
		t.Errorf("recalls %v", f)
	}
}

func TestDamagedMemo(t *testing.T) {
	var r recorder
	dir := t.TempDir()
	s := Open(dir, r.options())
	s.Remember("git", "npx", Facts{Era: "modern"})
	path := s.path(stemOf("git", "npx") + memoSuffix)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-10] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if f, ok := s.Recall("git", "npx"); ok {
		t.Errorf("recalls %v", f)
	}
	s.Remember("git", "npx", Facts{Era: "legacy"})
	if f, _ := s.Recall("git", "npx"); f.Era != "legacy" {
		t.Errorf("recalls %v", f)
	}
	if w := r.warnings(); len(w) != 1 || len(files(t, dir, corruptSuffix)) != 1 {
		t.Errorf("warned %q", w)
	}
}
