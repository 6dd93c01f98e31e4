package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	u := opened(t, dir).Usage()
	now := epoch
	u.Searched("me", []string{"a.x", "b.y"}, now)
	u.Called("me", "b.y", now)
	u.Called("me", "b.y", now)
	u.Called("me", "c.z", now.Add(time.Minute))
	u.Called("you", "d.w", now)
	u.Called("me", "late.t", now.Add(time.Hour))
	check := func(u *Usage) {
		t.Helper()
		if got := strings.Join(u.Together("b.y", 5), " "); got != "c.z" {
			t.Errorf("called with b.y: %s", got)
		}
		if got := u.Together("late.t", 5); len(got) != 0 {
			t.Errorf("called with late.t: %v", got)
		}
		if u.Favour("b.y") <= 0 || u.Favour("a.x") != 0 || u.Favour("c.z") != 0 {
			t.Errorf("favoured: %v %v %v", u.Favour("b.y"), u.Favour("a.x"), u.Favour("c.z"))
		}
	}
	check(u)
	u.Save()
	check(u)
	check(opened(t, dir).Usage())
}

// Two gateways on one directory add to each other's counts.
func TestUsageOfTwo(t *testing.T) {
	dir := t.TempDir()
	one, two := opened(t, dir).Usage(), opened(t, dir).Usage()
	for _, u := range []*Usage{one, two} {
		u.Called("me", "a.x", epoch)
		u.Called("me", "b.y", epoch)
		u.Save()
	}
	if n := opened(t, dir).Usage().known.Together["a.x"]["b.y"]; n != 2 {
		t.Errorf("counted %d", n)
	}
}

func TestUsageIsBounded(t *testing.T) {
	dir := t.TempDir()
	u := opened(t, dir).Usage()
	for i := range 3 * maxUsageTools {
		caller, tool := fmt.Sprintf("caller%d", i%(2*maxCallers)), fmt.Sprintf("server%d.tool%d", i%50, i)
		u.Searched(caller, []string{tool}, epoch)
		u.Called(caller, tool, epoch)
		u.Called(caller, "hub.all", epoch)
	}
	for range 3 * maxCount {
		u.Searched("me", []string{"hub.all"}, epoch)
		u.Called("me", "hub.all", epoch)
	}
	u.Save()
	again := opened(t, dir).Usage()
	if len(u.callers) > maxCallers || len(again.known.Chosen) > maxUsageTools || len(again.known.Together) > maxUsageTools ||
		len(again.known.Together["hub.all"]) > maxPartners {
		t.Errorf("%d callers, %d chosen, %d together, %d partners", len(u.callers), len(again.known.Chosen), len(again.known.Together), len(again.known.Together["hub.all"]))
	}
	if n := again.known.Chosen["hub.all"]; n > 3*maxCount/2 || again.Favour("hub.all") != 1 {
		t.Errorf("chosen %d times", n)
	}
}

// A file that is not ours to read is as if it were not there.
func TestUsageOfAnything(t *testing.T) {
	for _, text := range []string{"", "{", "null", `{"chosen":null,"together":{"a":null}}`, `{"chosen":[1]}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "usage.v1.counts"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		u := opened(t, dir).Usage()
		u.Called("me", "a.x", epoch)
		u.Called("me", "b.y", epoch)
		u.Save()
		if got := opened(t, dir).Usage().Together("a.x", 1); len(got) != 1 {
			t.Errorf("%q: %v", text, got)
		}
	}
	if u := Open("", nil).Usage(); u != nil {
		u.Called("me", "a.x", epoch)
		u.Save()
	}
}
