package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolcrib/internal/catalog"
)

func everything() catalog.Listing {
	return catalog.Listing{
		Server: "github", Identity: "npx github --stdio", Taken: epoch, TTL: time.Hour, Private: true, Authorization: "a1b2",
		Era: "legacy", Version: "2025-11-25", Instructions: "Ask <first> & often.\nThen act. \u2028 é 🙂",
		ServerInfo:   json.RawMessage(`{"name":"github","icons":["<&>"]}`),
		Capabilities: json.RawMessage(`{ "tools" : {} }`),
		Tools: []catalog.Found{
			{Raw: json.RawMessage("{\n  \"name\": \"a\",\r\n\t\"x\": 9223372036854775807, \"y\": 1e-7}\n"), Provenance: catalog.Protocol, Confidence: 1},
			{Raw: json.RawMessage(`{"name":"<b>","d":"\u003c \u2028"}`), Provenance: catalog.Protocol, Confidence: 1},
			{Raw: json.RawMessage(`{"name":"c"}`), Provenance: catalog.Predicted, Confidence: 0.25},
			{Raw: json.RawMessage(`{"name":"d"}`), Provenance: catalog.Protocol, Confidence: 1},
		},
		Prompts:   []json.RawMessage{json.RawMessage(`{"name":"p","name":"twice"}`)},
		Resources: []json.RawMessage{json.RawMessage(`{"uri":"a:b"}`), json.RawMessage(`{"uri":"a:c"}`)},
		Templates: []json.RawMessage{json.RawMessage(`{"uriTemplate":"a:{b}"}`)},
		Failure:   &catalog.Failure{Reason: "it died", Since: epoch.Add(time.Minute)},
	}
}

// Whatever a listing holds is there again, definitions byte for byte, in this
// process, in the next, and without a disk.
func TestRoundTrip(t *testing.T) {
	want := everything()
	for _, v := range []reflect.Value{reflect.ValueOf(want), reflect.ValueOf(want.Tools[0])} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Fatalf("the test leaves out %s.%s", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
	if n := reflect.TypeFor[catalog.Found]().NumField(); n != 3 {
		t.Fatalf("a Found has %d fields: make sameWay compare all but Raw, then change this", n)
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := opened(t, dir)
	save(t, s, want)
	memory := opened(t, "")
	save(t, memory, want)
	for name, s := range map[string]*Store{"same": s, "next": opened(t, dir), "memory": memory} {
		got, ok := s.Load(want.Server, want.Identity)
		if !ok {
			t.Fatalf("%s: not there", name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
		if d := cmp.Diff([]catalog.Listing{want}, s.LoadAll()); d != "" {
			t.Errorf("%s, all: -want +got\n%s", name, d)
		}
	}
}

func TestListingWithLittleInIt(t *testing.T) {
	s := opened(t, t.TempDir())
	for _, want := range []catalog.Listing{
		{},
		{Server: "never listed", Failure: &catalog.Failure{Reason: "no such command", Since: epoch}},
		{Server: "empty", Taken: epoch, Tools: nil},
	} {
		save(t, s, want)
		save(t, s, want)
		got, ok := s.Load(want.Server, want.Identity)
		if d := cmp.Diff(want, got); !ok || d != "" {
			t.Errorf("%q: %v, -want +got\n%s", want.Server, ok, d)
		}
	}
}

func TestIdentityIsPartOfTheName(t *testing.T) {
	s := opened(t, t.TempDir())
	a, b := sample("git", "a", epoch, 10), sample("git", "b", epoch, 10)
	a.Identity, b.Identity = "uvx git", "npx git"
	save(t, s, a)
	if _, ok := s.Load("git", "npx git"); ok {
		t.Error("another identity's listing was returned")
	}
	save(t, s, b)
	if l, _ := s.Load("git", "uvx git"); l.Instructions != "a" {
		t.Errorf("got %q", l.Instructions)
	}
	if got := len(s.LoadAll()); got != 2 {
		t.Errorf("%d listings, want 2", got)
	}
}

// A file under the name of another server is not taken for that server's, as it
// would be if two names had one hash.
func TestFileUnderAnotherName(t *testing.T) {
	s := opened(t, t.TempDir())
	l := sample("git", "a", epoch, 10)
	save(t, s, l)
	if err := os.Rename(listingPath(t, s, l), s.path(stemOf("hub", "x")+listingSuffix)); err != nil {
		t.Fatal(err)
	}
	if l, ok := s.Load("hub", "x"); ok {
		t.Errorf("got the listing of %s", l.Server)
	}
}

func TestNames(t *testing.T) {
	seen := map[string]string{}
	for _, server := range []string{
		"github", "GitHub", "git hub", "git-hub", "git/hub", "../../etc/passwd", "", ".", "..", "con", "NUL", "a:b*c?",
		"名前", "é", strings.Repeat("x", 300), strings.Repeat("x", 301), "a\x00b", "-rf", "\xff\xfe",
	} {
		stem := stemOf(server, "id")
		if other, twice := seen[strings.ToLower(stem)]; twice {
			t.Errorf("%q and %q are both %s", server, other, stem)
		}
		seen[strings.ToLower(stem)] = server
		if !filepath.IsLocal(stem) || stem[0] == '-' || stem[0] == '.' || len(stem) > 80 || strings.ContainsAny(stem, `/\:*?. `) {
			t.Errorf("%q is %q", server, stem)
		}
		for name, want := range map[string]kind{
			stem + listingSuffix: listingFile, stem + memoSuffix: memoFile, serverStem(server) + lockSuffix: lockFile,
			stem + listingSuffix + corruptSuffix: corruptFile, stem + ".v2.json": foreign, stem + ".json": foreign,
		} {
			if got, of := kindOf(name); got != want || (want == listingFile && of != stem) {
				t.Errorf("%s is taken for a %v of %q", name, got, of)
			}
		}
	}
	for _, name := range []string{"", "x", listingSuffix, "package.lock", "-0123456789.lock", "a-0123456789" + listingSuffix, ".tmp-1"} {
		if got, _ := kindOf(name); got != foreign {
			t.Errorf("%s is taken for a %v", name, got)
		}
	}
}

func TestListingThatCannotBeSaved(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	good := sample("git", "good", epoch, 10)
	save(t, s, good)
	huge := sample("git", "huge", epoch.Add(1), 10)
	huge.Tools[0].Raw = make([]byte, maxFile)
	empty := sample("git", "empty", epoch.Add(1), 10)
	empty.Tools[0].Raw = nil
	odd := sample("git", "odd", epoch.Add(1), 10)
	odd.Taken = odd.Taken.AddDate(9000, 0, 0)
	for _, l := range []catalog.Listing{huge, empty, odd} {
		if err := s.Save(l); err == nil || !strings.Contains(err.Error(), "git") {
			t.Errorf("%s: %v", l.Instructions, err)
		}
	}
	if l, _ := s.Load(good.Server, good.Identity); l.Instructions != "good" {
		t.Errorf("got %q", l.Instructions)
	}
}

func TestDelete(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		s := opened(t, dir)
		for _, identity := range []string{"one", "two"} {
			for _, server := range []string{"git", "github"} {
				l := sample(server, "x", epoch, 10)
				l.Identity = identity
				save(t, s, l)
				s.Remember(server, identity, Facts{Era: "modern"})
			}
		}
		if err := s.Delete("git"); err != nil {
			t.Fatal(err)
		}
		if err := s.Delete("nobody"); err != nil {
			t.Fatal(err)
		}
		for _, l := range s.LoadAll() {
			if l.Server != "github" {
				t.Errorf("%q: %s is still there", dir, l.Server)
			}
		}
		_, git := s.Recall("git", "one")
		_, github := s.Recall("github", "one")
		if git || !github || len(s.LoadAll()) != 2 {
			t.Errorf("%q: git remembered %v, github remembered %v, %d listings", dir, git, github, len(s.LoadAll()))
		}
	}
}

func TestDirectoryDeletedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	s := opened(t, dir)
	l := sample("git", "a", epoch, 10)
	remove := func() {
		t.Helper()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	save(t, s, l)
	remove()
	if _, ok := s.Load(l.Server, l.Identity); ok || len(s.LoadAll()) != 0 {
		t.Error("a listing is there, and its directory is not")
	}
	save(t, s, l)
	if _, ok := opened(t, dir).Load(l.Server, l.Identity); !ok {
		t.Error("not saved again")
	}
	remove()
	s.Remember("git", "x", Facts{Era: "modern"})
	if _, ok := opened(t, dir).Recall("git", "x"); !ok {
		t.Error("not remembered again")
	}
	remove()
	release, ok := s.TryLock("git")
	defer release()
	if _, twice := s.TryLock("git"); !ok || twice {
		t.Errorf("locked %v, and again %v", ok, twice)
	}
}

// Many goroutines on one store: the race detector looks on, and no reader sees
// half a listing.
func TestGoroutines(t *testing.T) {
	s := opened(t, t.TempDir())
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 20 {
				server := []string{"git", "hub", "notes"}[(g+i)%3]
				l := sample(server, strings.Repeat("m", 1+g), epoch.Add(time.Duration(i)), 3000)
				if err := s.Save(l); err != nil {
					t.Error(err)
				}
				got, ok := s.Load(server, l.Identity)
				if !ok {
					t.Errorf("%s is not there", server)
				} else if err := consistent(got); err != nil {
					t.Error(err)
				}
				s.Remember(server, l.Identity, Facts{Era: []string{"modern", "legacy"}[i%2]})
				s.Recall(server, l.Identity)
				if release, ok := s.TryLock(server); ok {
					release()
				}
				for _, l := range s.LoadAll() {
					if err := consistent(l); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
}
