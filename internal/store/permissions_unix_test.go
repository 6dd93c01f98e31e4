//go:build !windows

package store

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func init() {
	roles["umask 0"] = func(dir string, _ io.Reader, _ io.Writer) error { return privately(dir, 0) }
	roles["umask 0377"] = func(dir string, _ io.Reader, _ io.Writer) error { return privately(dir, 0o377) }
}

// privately makes every kind of file under a umask, and looks at the permissions.
// The umask is the whole process's, so it needs one of its own.
func privately(dir string, mask int) error {
	syscall.Umask(mask)
	dir = filepath.Join(dir, "cache")
	s := Open(dir, nil)
	for _, server := range []string{"git", "hub"} {
		if err := s.Save(sample(server, "x", epoch, 10)); err != nil {
			return err
		}
	}
	s.Remember("git", "npx git", Facts{Era: "modern"})
	release, _ := s.TryLock("git")
	defer release()
	if err := os.Truncate(s.path(stemOf("git", "npx git")+listingSuffix), 5); err != nil {
		return err
	}
	s.Load("git", "npx git")
	count := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			return fmt.Errorf("%s has %o, want %o", path, info.Mode().Perm(), want)
		}
		count++
		return nil
	})
	if err == nil && count != 6 { // the directory, a listing, a damaged one, two memos, a lock
		err = fmt.Errorf("%d files", count)
	}
	return err
}

func TestPermissions(t *testing.T) {
	for _, role := range []string{"umask 0", "umask 0377"} {
		cmd, stderr := child(t, role, t.TempDir())
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v: %s", role, err, stderr)
		}
	}
}

// A directory that was there before is closed to others if it is ours alone, is
// left alone if it is not, and is not trusted if others can write to it.
func TestDirectoryThatWasThere(t *testing.T) {
	l := sample("git", "x", epoch, 10)
	for _, c := range []struct {
		name          string
		before, after fs.FileMode
		foreign, used bool
	}{
		{"empty", 0o755, 0o700, false, true},
		{"open to all", 0o777, 0o700, false, true},
		{"with others' files", 0o755, 0o755, true, true},
		{"with others' files, open to all", 0o777, 0o777, true, false},
		{"with others' files, open to the group", 0o770, 0o770, true, false},
		{"ours", 0o700, 0o700, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.foreign {
				if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, c.before); err != nil {
				t.Fatal(err)
			}
			var r recorder
			s := Open(dir, r.options())
			if got := state(t, dir).Mode().Perm(); got != c.after {
				t.Errorf("it has %o, want %o", got, c.after)
			}
			if c.used {
				save(t, s, l)
				if len(files(t, dir, listingSuffix)) != 1 || len(r.warnings()) != 0 {
					t.Errorf("not used: %q", r.warnings())
				}
				return
			}
			inMemoryOnly(t, s, &r, "chmod go-w")
			if left := files(t, dir, ""); len(left) != 1 {
				t.Errorf("it was used: %q", left)
			}
		})
	}
}

// A pipe in the place of a file would let a reader wait for ever.
func TestPipeInPlaceOfAFile(t *testing.T) {
	l := sample("git", "x", epoch, 10)
	var r recorder
	s := Open(t.TempDir(), r.options())
	for _, suffix := range []string{listingSuffix, memoSuffix} {
		if err := syscall.Mkfifo(s.path(stemOf(l.Server, l.Identity)+suffix), 0o600); err != nil {
			t.Skipf("no pipes here: %v", err)
		}
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		if _, ok := s.Load(l.Server, l.Identity); ok || len(s.LoadAll()) != 0 {
			t.Error("a pipe reads as a listing")
		}
		if f, ok := s.Recall(l.Server, l.Identity); ok {
			t.Errorf("a pipe reads as %v", f)
		}
		s.Touch(l.Server, l.Identity)
		if err := s.Save(l); err != nil {
			t.Error(err)
		}
		s.Prune()
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
	if _, ok := s.Load(l.Server, l.Identity); !ok {
		t.Error("not saved over the pipe")
	}
}
