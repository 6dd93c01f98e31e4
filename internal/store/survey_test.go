package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

func TestSurveyTellsWhatIsThereAndClearRemovesIt(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir, nil)
	for _, name := range []string{"b", "a"} {
		if err := s.Save(catalog.Listing{Server: name, Identity: "1", Version: "2025-11-25", Taken: time.Now(), Tools: []catalog.Found{{Raw: []byte(`{"name":"x"}`)}}}); err != nil {
			t.Fatal(err)
		}
	}
	release, ok := Open(dir, nil).TryLock("a") // as another process would
	if !ok {
		t.Fatal("no lock")
	}
	defer release()
	s.Predictions().Put("model", []byte("guess"))
	damagedFile := stemOf("c", "1") + listingSuffix
	other := stemOf("d", "1") + ".v2.json"
	for name, text := range map[string]string{damagedFile: "not a listing", other: "newer", "mine.txt": "of the user", usageFile: "{}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Survey()
	if got.Err != nil || len(got.Saved) != 2 || got.Saved[0].Server != "a" || got.Saved[0].Tools != 1 || got.Saved[0].Size == 0 || got.Size == 0 {
		t.Errorf("survey %+v", got)
	}
	for name, pair := range map[string][2][]string{
		"damaged": {got.Damaged, {damagedFile}}, "others": {got.Others, {other}}, "foreign": {got.Foreign, {"mine.txt"}}, "locked": {got.Locked, {"a"}},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	if _, err := os.Stat(filepath.Join(dir, damagedFile)); err != nil {
		t.Errorf("looking set a damaged file aside: %v", err)
	}

	removed, size, err := s.Clear()
	if err != nil || removed < 5 || size == 0 {
		t.Errorf("removed %d, %d bytes, %v", removed, size, err)
	}
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{serverStem("a") + lockSuffix, "mine.txt", usageFile}
	if !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
	if after := s.Survey(); len(after.Saved) != 0 {
		t.Errorf("still there: %+v", after.Saved)
	}
}

// Clearing beside gateways that save fails neither, and what is saved afterwards is there.
func TestClearBesideSaving(t *testing.T) {
	dir := t.TempDir()
	gateway, person := Open(dir, nil), Open(dir, nil)
	listing := func(n int) catalog.Listing {
		return catalog.Listing{Server: "a", Identity: "1", Version: "2025-11-25", Taken: time.Now(), Instructions: strings.Repeat("x", n)}
	}
	done := make(chan error, 1)
	go func() {
		var failed error
		for n := range 50 {
			failed = errors.Join(failed, gateway.Save(listing(n)))
		}
		done <- failed
	}()
	for saving := true; saving; {
		if _, _, err := person.Clear(); err != nil {
			t.Error(err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			saving = false
		default:
		}
	}
	if err := gateway.Save(listing(51)); err != nil {
		t.Fatal(err)
	}
	if l, ok := person.Load("a", "1"); !ok || len(l.Instructions) != 51 {
		t.Errorf("after a clear nothing is saved: %v", ok)
	}
}
