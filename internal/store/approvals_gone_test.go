package store

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

const day = 24 * time.Hour

// An approval stays while what it is for is there, or was not long ago, and goes when
// it has been gone for long, seen so time and again or only at the beginning and the end.
func TestForgetApprovals(t *testing.T) {
	s := opened(t, t.TempDir())
	a := s.Approvals()
	for _, what := range []string{"here", "away"} {
		if err := a.Save("docs", what, []byte(what)); err != nil {
			t.Fatal(err)
		}
	}
	away := true
	forget := func() int {
		return a.Forget(t.Context(), func(what []byte) bool { return away && string(what) == "away" })
	}
	mark := s.path(stemOf("docs", "away") + goneSuffix)
	kept := func() (left, gone []string) {
		for k := range a.All() {
			if k.Err != nil {
				t.Errorf("%s: %v", k.File, k.Err)
			}
			left = append(left, string(k.What))
			if !k.Gone.IsZero() {
				gone = append(gone, string(k.What))
			}
		}
		return left, gone
	}
	expect := func(when string, removed, left, gone int) {
		t.Helper()
		n := forget()
		if l, g := kept(); n != removed || len(l) != left || len(g) != gone {
			t.Errorf("%s: %d removed, %v are left, %v are gone", when, n, l, g)
		}
	}
	expect("gone just now", 0, 2, 1)
	age(t, 89*day, mark)
	expect("for 89 days", 0, 2, 1)
	away = false
	expect("back", 0, 2, 0)
	away = true
	expect("gone again", 0, 2, 1)
	age(t, -day, mark)
	expect("by a clock that was wrong", 0, 2, 1)
	if info, err := os.Stat(mark); err != nil || info.ModTime().After(time.Now()) {
		t.Errorf("the time to come is believed: %v", err)
	}
	age(t, 91*day, mark)
	if err := a.Save("docs", "away", []byte("away")); err != nil { // approved anew: it was there
		t.Fatal(err)
	}
	expect("approved meanwhile", 0, 2, 1)
	age(t, 90*day, mark)
	expect("for 90 days", 1, 1, 0)
	if b, err := a.Load("docs", "away"); b != nil || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if left := files(t, s.dir, goneSuffix); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := a.Remove("docs", "here"); err != nil {
		t.Fatal(err)
	}
	expect("nothing", 0, 0, 0)
}

// What cannot be read is shown and left alone, and strange files are not looked at.
func TestDamagedApprovalsAreNotForgotten(t *testing.T) {
	s := opened(t, t.TempDir())
	a := s.Approvals()
	for _, place := range []string{"torn", "large"} {
		if err := a.Save("docs", place, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(a.Path("docs", place), []byte(strings.Repeat("x", map[string]int{"torn": 10, "large": maxApproval + 1}[place])), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.path("mine"+approvalSuffix), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := a.Forget(t.Context(), func([]byte) bool { t.Error("asked about what cannot be read"); return true }); n != 0 {
		t.Errorf("%d were removed", n)
	}
	damagedOnes := 0
	for k := range a.All() {
		if k.Err == nil || k.What != nil {
			t.Errorf("%s: %q", k.File, k.What)
		}
		damagedOnes++
	}
	if damagedOnes != 2 {
		t.Errorf("%d are shown", damagedOnes)
	}
}

// However many there are, one go looks at some of them, and none is passed over for ever.
func TestForgetLooksAtSomeAtATime(t *testing.T) {
	s := opened(t, t.TempDir())
	a := s.Approvals()
	const many = mostLooked + 20
	for i := range many { // as Save writes them, without waiting for the disk each time
		e := &encoded{header: header{Toolcrib: approvalKind}, pieces: [][]byte{fmt.Append(nil, i)}}
		var b strings.Builder
		if err := e.seal(); err != nil {
			t.Fatal(err)
		}
		if err := e.write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(a.Path("docs", fmt.Sprint(i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	looked := map[string]bool{}
	for goes := 0; len(looked) < many; goes++ {
		now := 0
		a.Forget(t.Context(), func(what []byte) bool { looked[string(what)] = true; now++; return false })
		if now != mostLooked {
			t.Fatalf("%d were looked at", now)
		}
		if goes > 1000 {
			t.Fatalf("%d of %d were ever looked at", len(looked), many)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	a.Forget(ended, func([]byte) bool { t.Error("it goes on after the end"); return false })
}
