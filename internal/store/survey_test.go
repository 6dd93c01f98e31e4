package store

import (
	"os"
	"path/filepath"
	"slices"
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
