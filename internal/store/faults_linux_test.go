package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// F28 with file systems of our own. They are mounted by a process in a mount
// namespace of its own, and go when it ends.

func init() {
	roles["full disk"] = fullDisk
	roles["read-only disk"] = readOnlyDisk
	roles["unreadable file"] = unreadableFile
	roles["forbidden directory"] = forbiddenDirectory
}

var errCannotMount = errors.New("file systems cannot be mounted here")

// mounted plays a role that mounts.
func mounted(t *testing.T, role string) {
	t.Helper()
	cmd, stderr := child(t, role, t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("%v: no mount namespace: %v", errCannotMount, err)
	}
	if err := cmd.Wait(); err != nil {
		if strings.Contains(stderr.String(), errCannotMount.Error()) {
			t.Skip(stderr)
		}
		t.Errorf("%v: %s", err, stderr)
	}
}

func mount(dir, options string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		return fmt.Errorf("%w: %w", errCannotMount, err)
	}
	return nil
}

func TestFullDisk(t *testing.T)     { mounted(t, "full disk") }
func TestReadOnlyDisk(t *testing.T) { mounted(t, "read-only disk") }

func fullDisk(disk string, _ io.Reader, _ io.Writer) error {
	if err := mount(disk, "size=256k"); err != nil {
		return err
	}
	dir := filepath.Join(disk, "cache")
	var r recorder
	s := Open(dir, r.options())
	if err := s.Save(sample("kept", "before", epoch, 20_000)); err != nil {
		return err
	}
	filler, err := os.Create(filepath.Join(disk, "filler"))
	if err != nil {
		return err
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	filler.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	if len(r.warnings()) > 0 {
		return fmt.Errorf("too early: %q", r.warnings())
	}

	for _, s := range []*Store{s, Open(dir, r.options())} { // one that is running, one that starts
		if err := s.Save(sample("kept", "before", epoch.Add(1), 20_000)); err != nil {
			return err
		}
		if l, ok := s.Load("kept", "npx kept"); !ok || !l.Taken.Equal(epoch.Add(1)) {
			return fmt.Errorf("the time of what is on disk cannot be noted: %v", l.Taken)
		}
		if err := s.Delete("kept"); err != nil {
			return err
		}
		if err := fillAgain(disk); err != nil {
			return err
		}
		if err := worksInMemory(s); err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(disk, "more")); err != nil {
			return err
		}
		if err := s.Save(sample("kept", "before", epoch, 20_000)); err != nil {
			return err
		}
		w := r.warnings()
		r.lines = nil
		if len(w) != 1 || !strings.Contains(w[0], "free space") {
			return fmt.Errorf("warnings %q", w)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*"+temporarySuffix)); len(left) > 0 {
			return fmt.Errorf("half written files left: %q", left)
		}
	}

	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		return err
	}
	if err := s.Save(sample("git", "room", epoch.Add(10), 20_000)); err != nil {
		return err
	}
	for _, server := range []string{"git", "kept"} {
		if _, ok := Open(dir, nil).Load(server, "npx "+server); !ok {
			return fmt.Errorf("%s is not on disk although there is room again", server)
		}
	}
	return nil
}

// fillAgain uses up what deleting a listing freed.
func fillAgain(disk string) error {
	f, err := os.Create(filepath.Join(disk, "more"))
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	f.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return nil
}

func readOnlyDisk(disk string, _ io.Reader, _ io.Writer) error {
	if err := mount(disk, "size=1m"); err != nil {
		return err
	}
	dir := filepath.Join(disk, "cache")
	writer := Open(dir, nil)
	for _, server := range []string{"kept", "damaged"} {
		if err := writer.Save(sample(server, "before", epoch, 20_000)); err != nil {
			return err
		}
	}
	if err := os.Truncate(writer.path(stemOf("damaged", "npx damaged")+listingSuffix), 500); err != nil {
		return err
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("%w: %w", errCannotMount, err)
	}
	var r recorder
	s := Open(dir, r.options())
	if _, ok := s.Load("kept", "npx kept"); !ok {
		return errors.New("what is there is not read")
	}
	for range 2 {
		if _, ok := s.Load("damaged", "npx damaged"); ok {
			return errors.New("a damaged listing is read")
		}
	}
	if w := r.warnings(); len(w) != 1 || !strings.Contains(w[0], "is damaged") {
		return fmt.Errorf("warnings %q", w)
	}
	r.lines = nil
	for i := range 3 {
		if err := s.Save(sample("kept", fmt.Sprint(i), epoch.Add(1), 20_000)); err != nil {
			return err
		}
	}
	s.Remember("kept", "npx kept", Facts{Era: "modern"})
	s.Prune()
	if l, _ := s.Load("kept", "npx kept"); l.Instructions != "2" {
		return fmt.Errorf("it has %q", l.Instructions)
	}
	if s.Delete("kept") == nil {
		return errors.New("it says that it forgot what is still there")
	}
	if _, ok := s.TryLock("kept"); !ok {
		return errors.New("nobody may discover")
	}
	if w := r.warnings(); len(w) != 1 || !strings.Contains(w[0], "make "+dir+" writable") {
		return fmt.Errorf("warnings %q", w)
	}
	return nil
}

// unprivileged plays a role as somebody whom permissions hold.
func unprivileged(t *testing.T, role, dir string) {
	t.Helper()
	cmd, stderr := child(t, role, dir)
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.Path = "/proc/self/exe" // the directory of the test binary is closed to others
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		for _, path := range []string{dir, filepath.Dir(dir)} {
			if err := os.Chmod(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range append(files(t, dir, ""), ".") {
			if err := os.Chown(filepath.Join(dir, name), nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("cannot be anybody else: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr)
	}
}

func TestUnreadableFile(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	for _, server := range []string{"git", "hub"} {
		l := sample(server, "before", epoch, 10)
		save(t, s, l)
		if err := os.Chmod(listingPath(t, s, l), 0); err != nil {
			t.Fatal(err)
		}
	}
	unprivileged(t, "unreadable file", dir)
}

func unreadableFile(dir string, _ io.Reader, _ io.Writer) error {
	var r recorder
	s := Open(dir, r.options())
	if all := s.LoadAll(); len(all) != 0 {
		return fmt.Errorf("it was read: %v", all)
	}
	if w := r.warnings(); len(w) != 1 || !strings.Contains(w[0], "permission denied") {
		return fmt.Errorf("warnings %q", w)
	}
	if err := s.Save(sample("git", "after", epoch, 10)); err != nil {
		return err
	}
	if l, ok := Open(dir, nil).Load("git", "npx git"); !ok || l.Instructions != "after" {
		return errors.New("what was learned again is not saved")
	}
	return nil
}

func TestForbiddenDirectory(t *testing.T) { unprivileged(t, "forbidden directory", t.TempDir()) }

func forbiddenDirectory(parent string, _ io.Reader, _ io.Writer) error {
	dir := filepath.Join(parent, "cache")
	for _, perm := range []os.FileMode{0, 0o600, 0o300, 0o500} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := os.Chmod(dir, perm); err != nil {
			return err
		}
		for _, dir := range []string{dir, filepath.Join(dir, "below")} {
			var r recorder
			if err := worksInMemory(Open(dir, r.options())); err != nil {
				return fmt.Errorf("%s of %o: %w", dir, perm, err)
			}
			// Below one that can be entered and written to there is no trouble.
			if w := r.warnings(); len(w) != 1 && (perm != 0o300 || filepath.Base(dir) != "below") {
				return fmt.Errorf("%s of %o: warnings %q", dir, perm, w)
			}
		}
		if err := errors.Join(os.Chmod(dir, 0o700), os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return nil
}
