package store

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

const gateways = 8

func init() {
	roles["work"] = work
	roles["discover"] = discover
	roles["hold"] = hold
}

// together starts the gateways, lets all go at once and waits for them. It gives
// back what they printed.
func together(t *testing.T, role, dir string) string {
	t.Helper()
	var all []*exec.Cmd
	var starts []io.Closer
	var out, errs []*bytes.Buffer
	for range gateways {
		cmd, stderr := child(t, role, dir)
		stdout := new(bytes.Buffer)
		cmd.Stdout = stdout
		start, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all, starts = append(all, cmd), append(starts, start)
		out, errs = append(out, stdout), append(errs, stderr)
	}
	for _, start := range starts {
		start.Close()
	}
	var printed strings.Builder
	for i, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("gateway %d: %v: %s", i, err, errs[i])
		}
		printed.Write(out[i].Bytes())
	}
	return printed.String()
}

// work does everything at once with a few servers that all gateways share.
func work(dir string, in io.Reader, _ io.Writer) error {
	_, _ = io.Copy(io.Discard, in) // its end is the start
	var r recorder
	s := Open(dir, r.options())
	servers := []string{"git", "hub", "notes"}
	for i := range 60 {
		server := servers[rand.IntN(len(servers))]
		identity := "npx " + server
		mark := fmt.Sprintf("%d-%d", os.Getpid(), i)
		if rand.IntN(3) == 0 {
			mark = "same for all"
		}
		if err := s.Save(sample(server, mark, time.Now(), []int{300, 20_000, 200_000}[rand.IntN(3)])); err != nil {
			return err
		}
		l, ok := s.Load(server, identity)
		if !ok {
			return fmt.Errorf("%s is not there although all only save", server)
		}
		if err := consistent(l); err != nil {
			return err
		}
		s.Remember(server, identity, Facts{Era: mark})
		if _, ok := s.Recall(server, identity); !ok {
			return fmt.Errorf("nothing is remembered of %s", server)
		}
		for _, l := range s.LoadAll() {
			if err := consistent(l); err != nil {
				return err
			}
		}
		if i%20 == 0 {
			s.Prune()
		}
	}
	if w := r.warnings(); len(w) > 0 {
		return fmt.Errorf("warnings %q", w)
	}
	return nil
}

// F29: eight gateways on one directory write and read at once.
func TestManyProcesses(t *testing.T) {
	dir := t.TempDir()
	rounds := 1
	if *long {
		rounds = 3
	}
	for range rounds {
		together(t, "work", dir)
	}
	if all := opened(t, dir).LoadAll(); len(all) != 3 {
		t.Errorf("%d listings, want 3", len(all))
	}
	if bad := append(files(t, dir, corruptSuffix), files(t, dir, temporarySuffix)...); len(bad) > 0 {
		t.Errorf("left behind: %q", bad)
	}
}

var herd = []string{"git", "hub", "notes", "files", "search"}

// discover is a cold start of a gateway: each server is asked by whoever gets
// its lock, and the others wait for what that one finds.
func discover(dir string, in io.Reader, out io.Writer) error {
	_, _ = io.Copy(io.Discard, in)
	s := Open(dir, nil)
	deadline := time.Now().Add(time.Minute)
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	one := func(server string) bool {
		if _, ok := s.Load(server, "npx "+server); ok {
			return true
		}
		release, ok := s.TryLock(server)
		if !ok {
			return false
		}
		defer release()
		if _, ok := s.Load(server, "npx "+server); ok {
			return true
		}
		fmt.Fprintln(out, server)
		<-time.After(50 * time.Millisecond) // what asking a server takes
		return s.Save(sample(server, "x", time.Now(), 20_000)) == nil
	}
	for _, server := range herd {
		for !one(server) {
			if time.Now().After(deadline) {
				return fmt.Errorf("nobody discovers %s", server)
			}
			<-again.C
		}
	}
	return nil
}

// F29: a cold herd of eight asks no server more than twice.
func TestHerd(t *testing.T) {
	dir := t.TempDir()
	asked := map[string]int{}
	for _, server := range strings.Fields(together(t, "discover", dir)) {
		asked[server]++
	}
	for _, server := range herd {
		if n := asked[server]; n < 1 || n > 2 {
			t.Errorf("%s was asked %d times", server, n)
		}
	}
	if all := opened(t, dir).LoadAll(); len(all) != len(herd) {
		t.Errorf("%d listings, want %d", len(all), len(herd))
	}
}

// hold takes a lock and keeps it.
func hold(dir string, in io.Reader, out io.Writer) error {
	release, ok := Open(dir, nil).TryLock("git")
	defer release()
	fmt.Fprintln(out, ok)
	_, err := io.Copy(io.Discard, in)
	return err
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	s, other := opened(t, dir), opened(t, dir)
	release, ok := s.TryLock("git")
	if !ok {
		t.Fatal("a free lock was refused")
	}
	for name, s := range map[string]*Store{"same": s, "other": other} {
		if _, ok := s.TryLock("git"); ok {
			t.Errorf("%s store: locked twice", name)
		}
		if release, ok := s.TryLock("hub"); !ok {
			t.Errorf("%s store: another server is locked as well", name)
		} else {
			release()
		}
	}
	release()
	release()
	again, ok := other.TryLock("git")
	if !ok {
		t.Fatal("still locked after it was released")
	}
	release() // of the first holder: it has nothing to release any more
	if _, ok := s.TryLock("git"); ok {
		t.Error("a release that came late took the lock from another")
	}
	again()
}

// A holder that is killed does not hold anybody up.
func TestKilledLockHolder(t *testing.T) {
	dir := t.TempDir()
	cmd, _ := child(t, "hold", dir)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "true\n" {
		t.Fatalf("the holder got %q", line)
	}
	s := opened(t, dir)
	if _, ok := s.TryLock("git"); ok {
		t.Error("locked twice")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	release, ok := s.TryLock("git")
	defer release()
	if !ok {
		t.Error("the dead holder still holds it")
	}
}
