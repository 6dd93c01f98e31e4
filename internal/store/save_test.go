package store

import (
	"os"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

// state is what can be seen of a file from outside.
func state(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestUnchangedContentIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	first := sample("git", "a", epoch, 5000)
	save(t, s, first)
	path := listingPath(t, s, first)
	before := state(t, path)

	save(t, s, first)
	if now := state(t, path); !os.SameFile(before, now) || !now.ModTime().Equal(before.ModTime()) {
		t.Error("the same listing was written again")
	}

	later := sample("git", "a", epoch.Add(5*time.Minute), 5000)
	save(t, s, later)
	if !os.SameFile(before, state(t, path)) {
		t.Error("the file was written although only the time is another")
	}
	for name, s := range map[string]*Store{"same": s, "next": opened(t, dir)} {
		if l, ok := s.Load(first.Server, first.Identity); !ok || !l.Taken.Equal(later.Taken) {
			t.Errorf("%s: taken %v, want %v", name, l.Taken, later.Taken)
		}
	}

	changed := sample("git", "b", epoch.Add(10*time.Minute), 5000)
	save(t, s, changed)
	if l, _ := s.Load(first.Server, first.Identity); l.Instructions != "b" || !l.Taken.Equal(changed.Taken) {
		t.Errorf("got %q of %v", l.Instructions, l.Taken)
	}
}

// Whoever listed the server later is right, whoever saves last.
func TestLaterListingStays(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		a, b := opened(t, dir), opened(t, dir)
		if dir == "" {
			b = a
		}
		load := func() catalog.Listing {
			l, _ := a.Load("git", "npx git")
			return l
		}
		save(t, a, sample("git", "late", epoch.Add(time.Minute), 100))
		save(t, b, sample("git", "early", epoch, 100))
		if l := load(); l.Instructions != "late" {
			t.Errorf("%q: got %q", dir, l.Instructions)
		}
		// The time of a confirmation counts as well.
		save(t, a, sample("git", "late", epoch.Add(time.Hour), 100))
		save(t, b, sample("git", "between", epoch.Add(30*time.Minute), 100))
		save(t, b, sample("git", "late", epoch.Add(30*time.Minute), 100))
		if l := load(); l.Instructions != "late" || !l.Taken.Equal(epoch.Add(time.Hour)) {
			t.Errorf("%q: got %q of %v", dir, l.Instructions, l.Taken)
		}
		// A failure is noted on what was there, with the same time.
		failed := sample("git", "late", epoch.Add(time.Hour), 100)
		failed.Failure = &catalog.Failure{Reason: "gone", Since: epoch.Add(2 * time.Hour)}
		save(t, b, failed)
		if l := load(); l.Failure == nil || l.Failure.Reason != "gone" {
			t.Errorf("%q: the failure was not saved", dir)
		}
	}
}

// A listing saved while the clock was a day ahead neither stays for a day nor
// looks older or newer than it can be.
func TestClockSetBack(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	start := time.Now()
	future := sample("git", "future", start.Add(24*time.Hour), 100)
	save(t, s, future)
	l, ok := s.Load(future.Server, future.Identity)
	if !ok || l.Taken.Before(start) || l.Taken.After(time.Now()) {
		t.Errorf("there: %v, taken %v after now", ok, time.Until(l.Taken))
	}
	same := future
	same.Taken = start
	save(t, s, same)
	if l, _ := s.Load(future.Server, future.Identity); !l.Taken.Equal(start) {
		t.Errorf("taken %v, want %v", l.Taken, start)
	}
	now := sample("git", "now", start.Add(time.Nanosecond), 100)
	save(t, s, now)
	if l, _ := s.Load(future.Server, future.Identity); l.Instructions != "now" || !l.Taken.Equal(now.Taken) {
		t.Errorf("got %q of %v", l.Instructions, l.Taken)
	}
}
