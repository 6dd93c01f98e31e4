package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

// F28: whatever happened to a file, the store starts, warns once, reads it as
// absent, keeps it aside, and takes the next listing.
func TestDamagedFiles(t *testing.T) {
	edit := func(change func(b []byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, change(b), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	header := func(change string, to string) func(*testing.T, string) {
		return edit(func(b []byte) []byte {
			changed := bytes.Replace(b, []byte(change), []byte(to), 1)
			if bytes.Equal(changed, b) {
				panic("nothing to damage: " + change)
			}
			return changed
		})
	}
	damages := map[string]func(*testing.T, string){
		"empty":          edit(func([]byte) []byte { return nil }),
		"not JSON":       edit(func([]byte) []byte { return []byte("<html>\n</html>\n") }),
		"other JSON":     edit(func([]byte) []byte { return []byte("{}\n{}\n") }),
		"zeros":          edit(func(b []byte) []byte { return make([]byte, len(b)) }),
		"no newline":     edit(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte(" ")) }),
		"half":           edit(func(b []byte) []byte { return b[:len(b)/2] }),
		"header alone":   edit(func(b []byte) []byte { return b[:bytes.IndexByte(b, '\n')+1] }),
		"last byte gone": edit(func(b []byte) []byte { return b[:len(b)-1] }),
		"something more": edit(func(b []byte) []byte { return append(b, '\n') }),
		"twice":          edit(func(b []byte) []byte { return append(b, b...) }),
		"wrong sum":      header(`"sha256":"`, `"sha256":"0`),
		"wrong version":  header(`"format":1`, `"format":2`),
		"wrong time":     header(`"taken":"20`, `"taken":"19`),
		"other content":  header(`tool_0`, `tool_O`),
		"a memo":         header(`"toolcrib":"listing"`, `"toolcrib":"memo"`),
		"absurd size": func(t *testing.T, path string) {
			if err := os.Truncate(path, maxFile+1); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := sample("git", "before", epoch, 500)
			other := sample("hub", "other", epoch, 500)
			writer := opened(t, dir)
			save(t, writer, l)
			save(t, writer, other)
			path := listingPath(t, writer, l)
			damage(t, path)

			var r recorder
			s := Open(dir, r.options())
			if l, ok := s.Load(l.Server, l.Identity); ok {
				t.Errorf("it reads as %v", l)
			}
			if all := s.LoadAll(); len(all) != 1 || all[0].Server != "hub" {
				t.Errorf("all are %v", all)
			}
			if w := r.warnings(); len(w) != 1 || !strings.Contains(w[0], path+corruptSuffix) {
				t.Errorf("warnings %q", w)
			}
			if aside := files(t, dir, corruptSuffix); len(aside) != 1 {
				t.Errorf("aside: %q", aside)
			}
			next := sample("git", "after", epoch.Add(1), 500)
			save(t, s, next)
			if l, ok := opened(t, dir).Load(l.Server, l.Identity); !ok || l.Instructions != "after" {
				t.Errorf("after it was learned again: %v %q", ok, l.Instructions)
			}
		})
	}
}

// A listing saved over a damaged file repairs it, also when the damage is where
// only a reader of the whole would see it.
func TestSavingOverDamage(t *testing.T) {
	l := sample("git", "x", epoch, 500)
	for _, cut := range []int{0, 10, 200, 600} {
		s := opened(t, t.TempDir())
		save(t, s, l)
		if err := os.Truncate(listingPath(t, s, l), int64(cut)); err != nil {
			t.Fatal(err)
		}
		save(t, s, l)
		if _, ok := s.Load(l.Server, l.Identity); !ok {
			t.Errorf("cut at %d: not there", cut)
		}
	}
}

// Any single bit that flips, and any end that is missing, is noticed.
func TestEveryByteIsChecked(t *testing.T) {
	e, err := encodeListing(sample("git", "x", epoch, 100))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := e.write(&file); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	want, _, err := decodeListing(good)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		if _, _, err := decodeListing(good[:i]); err == nil {
			t.Errorf("cut at %d: not noticed", i)
		}
		for bit := range 8 {
			b := bytes.Clone(good)
			b[i] ^= 1 << bit
			l, _, err := decodeListing(b)
			if err == nil && fmt.Sprint(l) != fmt.Sprint(want) {
				t.Errorf("bit %d of byte %d (%q): not noticed", bit, i, good[i])
			}
		}
	}
}

// Between the look at a damaged file and its renaming another process may have
// put a good one there.
func TestReplacedFileIsNotSetAside(t *testing.T) {
	s := opened(t, t.TempDir())
	save(t, s, sample("git", "damaged", epoch, 10))
	l := sample("git", "good", epoch.Add(1), 10)
	path := listingPath(t, s, l)
	before, err := os.Open(path) // held, so that the new file gets another number
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	info, err := before.Stat()
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, l)
	s.setAside(path, info, "it was damaged")
	if l, ok := s.Load(l.Server, l.Identity); !ok || l.Instructions != "good" {
		t.Errorf("there: %v, %q", ok, l.Instructions)
	}
}

func TestFewDamagedFilesAreKept(t *testing.T) {
	dir := t.TempDir()
	var r recorder
	s := Open(dir, r.options())
	for i := range 12 {
		l := sample(fmt.Sprintf("server%02d", i), "x", epoch, 10)
		save(t, s, l)
		path := listingPath(t, s, l)
		if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.Load(l.Server, l.Identity)
		// Coarse clocks of file systems would make several equally old.
		age(t, time.Duration(100-i)*time.Minute, path+corruptSuffix)
	}
	kept := files(t, dir, corruptSuffix)
	if len(kept) != maxCorrupt || !strings.HasPrefix(kept[0], "server04") || len(r.warnings()) != 12 {
		t.Errorf("%d warnings, kept %q", len(r.warnings()), kept)
	}
}

// Of a newer gateway's files nothing is read, changed or warned about.
func TestNewerFormatIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	l := sample("git", "mine", epoch, 10)
	newer := s.path(stemOf(l.Server, l.Identity) + ".v2.json")
	if err := os.WriteFile(newer, []byte("of the future"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Load(l.Server, l.Identity); ok || len(s.LoadAll()) != 0 {
		t.Error("it was read")
	}
	save(t, s, l)
	s.Prune()
	if b, _ := os.ReadFile(newer); string(b) != "of the future" {
		t.Errorf("it is now %q", b)
	}
	if l, _ := s.Load(l.Server, l.Identity); l.Instructions != "mine" {
		t.Error("ours is not beside it")
	}
}

// inMemoryOnly checks that a store without a usable disk does all it can, and
// warned once.
func inMemoryOnly(t *testing.T, s *Store, r *recorder, reason string) {
	t.Helper()
	if err := worksInMemory(s); err != nil {
		t.Error(err)
	}
	if w := r.warnings(); len(w) != 1 || !strings.Contains(w[0], reason) || !strings.Contains(w[0], "next_step") {
		t.Errorf("warnings %q, want one with %q", w, reason)
	}
}

func worksInMemory(s *Store) error {
	for i := range 3 {
		for _, server := range []string{"git", "hub"} {
			if err := s.Save(sample(server, fmt.Sprint(i), epoch.Add(time.Duration(i)), 20_000)); err != nil {
				return err
			}
		}
	}
	s.Remember("git", "npx git", Facts{Era: "modern"})
	var all []string
	for _, l := range append(s.LoadAll(), func() catalog.Listing { l, _ := s.Load("git", "npx git"); return l }()) {
		all = append(all, l.Server+l.Instructions)
	}
	if got := strings.Join(all, " "); got != "git2 hub2 git2" {
		return fmt.Errorf("it has %s", got)
	}
	if f, ok := s.Recall("git", "npx git"); !ok || f.Era != "modern" {
		return fmt.Errorf("it recalls %v", f)
	}
	for range 2 {
		release, ok := s.TryLock("git")
		if !ok {
			return errors.New("nobody may discover")
		}
		release()
	}
	s.Prune()
	return nil
}

func TestFileInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		var r recorder
		inMemoryOnly(t, Open(dir, r.options()), &r, "a file is in the way")
	}
	if b, _ := os.ReadFile(file); string(b) != "mine" {
		t.Errorf("the file is now %q", b)
	}
	// It is used as soon as it can be.
	var r recorder
	s := Open(file, r.options())
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	l := sample("git", "x", epoch, 10)
	save(t, s, l)
	if _, ok := opened(t, file).Load(l.Server, l.Identity); !ok {
		t.Error("not on disk although it can be")
	}
}

// A directory where a listing's file should be is left alone.
func TestDirectoryInPlaceOfAListing(t *testing.T) {
	dir := t.TempDir()
	l := sample("git", "x", epoch, 10)
	var r recorder
	s := Open(dir, r.options())
	path := s.path(stemOf(l.Server, l.Identity) + listingSuffix)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Load(l.Server, l.Identity); ok {
		t.Error("a directory reads as a listing")
	}
	save(t, s, l)
	if _, ok := s.Load(l.Server, l.Identity); !ok {
		t.Error("not kept in memory")
	}
	if len(s.LoadAll()) != 1 || len(files(t, dir, temporarySuffix)) != 0 {
		t.Errorf("%d listings, temporary files %q", len(s.LoadAll()), files(t, dir, temporarySuffix))
	}
	s.Prune()
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
	if len(r.warnings()) != 2 { // that it cannot be read, and that it cannot be saved
		t.Errorf("warnings %q", r.warnings())
	}
}
