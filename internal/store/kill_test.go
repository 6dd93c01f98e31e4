package store

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

func init() { roles["save until killed"] = saveUntilKilled }

// saveUntilKilled goes on from what is there, one version after the other, and
// says each when it is saved.
func saveUntilKilled(dir string, _ io.Reader, out io.Writer) error {
	s := Open(dir, nil)
	n := 0
	if l, ok := s.Load("git", "npx git"); ok {
		n, _ = strconv.Atoi(l.Instructions)
	}
	for {
		n++
		// Sizes differ, so that the kill meets every stage of a write.
		if err := s.Save(sample("git", strconv.Itoa(n), epoch.Add(time.Duration(n)), []int{500, 20_000, 500_000}[n%3])); err != nil {
			return err
		}
		s.Remember("git", "npx git", Facts{Rung: strconv.Itoa(n)})
		if _, err := fmt.Fprintln(out, n); err != nil {
			return err
		}
	}
}

// F27: kill -9 in the middle of writes. Nothing is ever damaged, and what was
// said to be saved is there.
func TestKilledWhileSaving(t *testing.T) {
	rounds := 15
	if *long {
		rounds = 100
	}
	dir := t.TempDir()
	saved := 0
	for round := range rounds {
		cmd, stderr := child(t, "save until killed", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + rand.IntN(6) {
			if !lines.Scan() {
				t.Fatalf("round %d: the writer ended: %s", round, stderr)
			}
			saved, _ = strconv.Atoi(lines.Text())
		}
		<-time.After(rand.N(4 * time.Millisecond)) // somewhere within the next write
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			saved, _ = strconv.Atoi(lines.Text())
		}
		_ = cmd.Wait() // it was killed

		s := opened(t, dir)
		l, ok := s.Load("git", "npx git")
		if !ok {
			t.Fatalf("round %d: nothing there, %d was saved", round, saved)
		}
		if err := consistent(l); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		// The one in flight may have made it, and nobody heard of it.
		if n, _ := strconv.Atoi(l.Instructions); n != saved && n != saved+1 {
			t.Fatalf("round %d: %d is there, %d was saved", round, n, saved)
		}
		if f, _ := s.Recall("git", "npx git"); f.Rung != strconv.Itoa(saved) && f.Rung != strconv.Itoa(saved+1) {
			t.Fatalf("round %d: recalls %s, %d was remembered", round, f.Rung, saved)
		}
		if all := s.LoadAll(); len(all) != 1 || len(files(t, dir, corruptSuffix)) != 0 {
			t.Fatalf("round %d: %d listings, damaged: %q", round, len(all), files(t, dir, corruptSuffix))
		}
	}
	// What the killed left half written goes in time.
	left := files(t, dir, temporarySuffix)
	t.Logf("%d saved in %d rounds, %d half written files", saved, rounds, len(left))
	for _, name := range left {
		age(t, 2*abandonedFor, dir+string(os.PathSeparator)+name)
	}
	s := opened(t, dir)
	s.Prune()
	if left := files(t, dir, temporarySuffix); len(left) != 0 || len(s.LoadAll()) != 1 {
		t.Errorf("left %q, %d listings", left, len(s.LoadAll()))
	}
}
