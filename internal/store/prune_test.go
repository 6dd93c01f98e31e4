package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// age makes files look unchanged for so long.
func age(t *testing.T, by time.Duration, paths ...string) {
	t.Helper()
	at := time.Now().Add(-by)
	for _, path := range paths {
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	long := time.Now().Add(-100 * day)
	for _, server := range []string{"unused", "loaded", "touched", "listed", "saved", "confirmed", "recent"} {
		save(t, s, sample(server, "x", long, 100))
		s.Remember(server, "npx "+server, Facts{Era: "modern"})
		release, _ := s.TryLock(server)
		release()
	}
	memos, locks := files(t, dir, memoSuffix), files(t, dir, lockSuffix)
	for _, name := range append(memos, locks...) {
		age(t, 31*day, filepath.Join(dir, name))
	}
	age(t, 29*day, s.path(stemOf("recent", "npx recent")+memoSuffix))
	young, old := filepath.Join(dir, ".toolcrib-1.tmp"), filepath.Join(dir, ".toolcrib-2.tmp")
	foreign := filepath.Join(dir, "mine.json")
	for _, path := range []string{young, old, foreign} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	age(t, 2*time.Hour, old)
	age(t, 400*day, foreign)

	next := opened(t, dir)
	next.Load("loaded", "npx loaded")
	next.LoadAll()
	next.Touch("touched", "npx touched")
	save(t, next, sample("saved", "x", long, 100))
	save(t, next, sample("confirmed", "x", time.Now(), 100))
	next.Prune()

	var kept []string
	for _, l := range next.LoadAll() {
		kept = append(kept, l.Server)
	}
	if want := []string{"confirmed", "loaded", "recent", "saved", "touched"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
	if _, ok := next.Recall("loaded", "npx loaded"); !ok {
		t.Error("the facts of a server in use are gone")
	}
	if _, ok := next.Recall("unused", "npx unused"); ok {
		t.Error("the facts of a server out of use are there")
	}
	for path, want := range map[string]bool{young: true, old: false, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v", path, err == nil)
		}
	}
	if left := files(t, dir, lockSuffix); len(left) != 0 {
		t.Errorf("locks left: %q", left)
	}
}

// Noting a use is cheap because it is rare.
func TestTouchIsRare(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	l := sample("git", "x", epoch, 100)
	save(t, s, l)
	memo := s.path(stemOf(l.Server, l.Identity) + memoSuffix)
	age(t, 23*time.Hour, memo)
	before := state(t, memo).ModTime()
	s.Load(l.Server, l.Identity)
	if !state(t, memo).ModTime().Equal(before) {
		t.Error("touched twice a day")
	}
	age(t, 25*time.Hour, memo)
	s.Load(l.Server, l.Identity)
	if time.Since(state(t, memo).ModTime()) > time.Hour {
		t.Error("not touched after a day")
	}
}
