package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func ids(tools []*Tool) string {
	var out []string
	for _, t := range tools {
		out = append(out, string(t.ID()))
	}
	return strings.Join(out, " ")
}

func TestLookups(t *testing.T) {
	s := build(
		listing("git-hub", named("create-issue"), named("issue.list"), named("a")),
		listing("my.desk", named("issue.list"), named("send_email")),
		listing("empty"),
	)
	want := "git_hub.a git_hub.create_issue git_hub.issue_list my_desk.issue_list my_desk.send_email"
	if got := ids(s.Tools()); got != want {
		t.Errorf("tools: %s", got)
	}
	for _, reference := range []string{"git_hub.create_issue", "git-hub.create-issue", "git_hub.create-issue", "git-hub.create_issue"} {
		if x := s.Resolve(reference); x == nil || x.ID() != "git_hub.create_issue" {
			t.Errorf("%s is not resolved", reference)
		}
	}
	if x := s.Resolve("my.desk.issue.list"); x == nil || x.ID() != "my_desk.issue_list" {
		t.Error("dots in names are in the way")
	}
	for _, wrong := range []string{"", ".", "git_hub", "git_hub.", ".a", "nobody.a", "git_hub.nothing"} {
		if s.Resolve(wrong) != nil || s.Tool(ToolID(wrong)) != nil {
			t.Errorf("%q is found", wrong)
		}
	}
	if s.Tool("git_hub.create-issue") != nil {
		t.Error("an original name passes for an id")
	}
	if got := ids(s.Named("issue.list")); got != "git_hub.issue_list my_desk.issue_list" {
		t.Errorf("named: %s", got)
	}
	if got := ids(s.InCategory("Email")); got != "my_desk.send_email" {
		t.Errorf("in category: %s", got)
	}
	for _, tag := range []string{"issue", "issues", "Issue"} {
		if got := ids(s.Tagged(tag)); got != "git_hub.create_issue git_hub.issue_list my_desk.issue_list" {
			t.Errorf("tagged %s: %s", tag, got)
		}
	}
	if s.Tagged("nothing") != nil || s.InCategory("nothing") != nil {
		t.Error("found nothing, but something")
	}
	if tags := s.Tags(); tags[0] != (Tag{"issue", 3}) {
		t.Errorf("tags: %v", tags)
	}
	if s.Server("empty").Len() != 0 || s.Server("nobody") != nil || len(s.Servers()) != 3 {
		t.Error("servers")
	}
}

func TestServerInfo(t *testing.T) {
	l := listing("srv", named("a"), named("b"))
	l.ServerInfo = []byte(`{"name":"acme-mcp","title":"Acme","version":"1.2","description":"Makes things"}`)
	l.Instructions = "Ask nicely."
	l.Failure = &Failure{Reason: "exit status 1", Since: time.Unix(7, 0)}
	s := build(l)
	server := s.Server("srv")
	if server.Title() != "Acme" || server.Version() != "1.2" || server.Description() != "Makes things" || server.Instructions() != "Ask nicely." || server.Len() != 2 {
		t.Errorf("%q %q %q %q %d", server.Title(), server.Version(), server.Description(), server.Instructions(), server.Len())
	}
	x := s.Tool("srv.a")
	if state := x.State(); state.Available || state.Reason != "exit status 1" || !state.Since.Equal(time.Unix(7, 0)) {
		t.Errorf("state %+v", state)
	}
	if !x.Callable() {
		t.Error("a tool that cannot be reached is still one that may be called")
	}
	l.Failure, l.ServerInfo = nil, []byte(`[1]`)
	s = build(l)
	if !s.Tool("srv.a").State().Available || s.Server("srv").Failure() != nil {
		t.Error("without a failure it is not available")
	}
	if len(problemsOf(s, Malformed)) != 1 {
		t.Errorf("told as %+v", s.Problems())
	}
}

func TestTheNewerListingCounts(t *testing.T) {
	older, newer := listing("srv", named("old")), listing("srv", named("new"))
	newer.Taken = older.Taken.Add(time.Second)
	for _, both := range [][]Listing{{older, newer}, {newer, older}} {
		s := build(both...)
		if ids(s.Tools()) != "srv.new" || len(problemsOf(s, DuplicateEntry)) != 1 {
			t.Errorf("%s, %+v", ids(s.Tools()), s.Problems())
		}
	}
}

func TestVersion(t *testing.T) {
	base := func() Listing {
		l := listing("srv", tool(`{"name":"a","description":"x","_meta":{"m":1}}`), named("b"))
		l.Identity, l.Instructions = "id", "in"
		return l
	}
	want := build(base())
	same := map[string]func(*Listing){
		"another time":  func(l *Listing) { l.Taken, l.TTL = time.Unix(99, 0), time.Hour },
		"another order": func(l *Listing) { l.Tools = []Found{l.Tools[1], l.Tools[0]} },
		"spaces":        func(l *Listing) { l.Tools[0] = tool(`{ "description":"x", "_meta":{"m":1}, "name":"a" }`) },
	}
	for what, change := range same {
		l := base()
		change(&l)
		if build(l).Version() != want.Version() {
			t.Errorf("%s makes another version", what)
		}
	}
	if Build([]Listing{base()}, Rules{}, time.Unix(1000, 0)).Version() != want.Version() {
		t.Error("building it later makes another version")
	}
	differ := map[string]func(*Listing){
		"a description":  func(l *Listing) { l.Tools[0] = tool(`{"name":"a","description":"y","_meta":{"m":1}}`) },
		"_meta":          func(l *Listing) { l.Tools[0] = tool(`{"name":"a","description":"x","_meta":{"m":2}}`) },
		"a provenance":   func(l *Listing) { l.Tools[0].Provenance = Parsed },
		"one tool less":  func(l *Listing) { l.Tools = l.Tools[:1] },
		"no tools":       func(l *Listing) { l.Tools = nil },
		"a failure":      func(l *Listing) { l.Failure = &Failure{Reason: "r"} },
		"a name":         func(l *Listing) { l.Server = "srw" },
		"instructions":   func(l *Listing) { l.Instructions = "out" },
		"an identity":    func(l *Listing) { l.Identity = "other" },
		"a prompt":       func(l *Listing) { l.Prompts = append(l.Prompts, []byte(`{}`)) },
		"a resource":     func(l *Listing) { l.Resources = append(l.Resources, []byte(`{}`)) },
		"server info":    func(l *Listing) { l.ServerInfo = []byte(`{}`) },
		"who may see it": func(l *Listing) { l.Private = true },
	}
	seen := map[string]string{want.Version(): "nothing"}
	for what, change := range differ {
		l := base()
		change(&l)
		version := build(l).Version()
		if as, ok := seen[version]; ok {
			t.Errorf("%s makes the same version as %s", what, as)
		}
		seen[version] = what
	}
	if Build([]Listing{base()}, Rules{Fallback: map[string]string{"srv": "f"}}, time.Unix(2, 0)).Version() == want.Version() {
		t.Error("another category makes the same version")
	}
}

// What the next snapshot takes over does not change what it is.
func TestNextIsWhatBuildIs(t *testing.T) {
	var listings []Listing
	for i := range 8 {
		l := listing(fmt.Sprintf("srv-%d", i))
		for j := range 20 {
			l.Tools = append(l.Tools, named(fmt.Sprintf("tool-%d", j)))
		}
		listings = append(listings, l)
	}
	changes := map[string]func([]Listing) []Listing{
		"nothing":            func(l []Listing) []Listing { return l },
		"a failure":          func(l []Listing) []Listing { l[3].Failure = &Failure{Reason: "gone", Since: time.Unix(5, 0)}; return l },
		"a server less":      func(l []Listing) []Listing { return slices.Delete(l, 2, 3) },
		"a server more":      func(l []Listing) []Listing { return append(l, listing("new", named("x"))) },
		"a clash of servers": func(l []Listing) []Listing { return append(l, listing("srv.1", named("x"))) },
		"a tool changed": func(l []Listing) []Listing {
			l[0].Tools = slices.Clone(l[0].Tools)
			l[0].Tools[4] = tool(`{"name":"tool-4","description":"new"}`)
			return l
		},
		"a clash of tools": func(l []Listing) []Listing { l[0].Tools = append(slices.Clone(l[0].Tools), named("tool.4")); return l },
		"a broken tool":    func(l []Listing) []Listing { l[0].Tools = append(slices.Clone(l[0].Tools), tool(`{"name":`)); return l },
		"read anew from disk": func(l []Listing) []Listing {
			for i := range l {
				l[i].Tools = slices.Clone(l[i].Tools)
				for j := range l[i].Tools {
					l[i].Tools[j].Raw = slices.Clone(l[i].Tools[j].Raw)
				}
			}
			return l
		},
	}
	before := build(listings...)
	for what, change := range changes {
		after := change(slices.Clone(listings))
		next, fresh := before.Next(after, Rules{}, time.Unix(3, 0)), build(after...)
		if next.Version() != fresh.Version() || ids(next.Tools()) != ids(fresh.Tools()) || !reflect.DeepEqual(next.Problems(), fresh.Problems()) {
			t.Errorf("%s: next differs from a fresh one:\n%v\n%v", what, next.Problems(), fresh.Problems())
		}
		for _, x := range next.Tools() {
			if next.Server(x.Server().Name()) != x.Server() {
				t.Errorf("%s: %s belongs to another snapshot's server", what, x.ID())
			}
		}
		kept := 0
		for _, server := range next.Servers() {
			if old := before.Server(server.Name()); old != nil && old.shelf == server.shelf {
				kept++
				if old.ToolsVersion() != server.ToolsVersion() {
					t.Errorf("%s: version", what)
				}
			}
		}
		if kept < 7 {
			t.Errorf("%s: only %d of 8 servers were taken over", what, kept)
		}
	}
	if before.Version() != build(listings...).Version() {
		t.Error("making the next snapshot changed the one before")
	}
}

// Of a listing with one change, the other definitions are not read again.
func TestNextReadsOnlyWhatChanged(t *testing.T) {
	l := listing("srv", named("a-1"), named("b"), named("c"))
	before := build(l)
	l.Tools = []Found{named("new"), l.Tools[0], l.Tools[1], tool(`{"name":"c","description":"changed"}`)}
	next := before.Next([]Listing{l}, Rules{}, time.Unix(3, 0))
	for name, same := range map[string]bool{"a-1": true, "b": true, "c": false} {
		if got := before.Find("srv", name).definition == next.Find("srv", name).definition; got != same {
			t.Errorf("%s taken over: %t", name, got)
		}
	}
}

// Nobody can change a snapshot: there is nothing exported to assign to, and what
// is returned is a copy where that is affordable.
func TestNothingCanBeChanged(t *testing.T) {
	for _, v := range []any{Snapshot{}, Server{}, Tool{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				t.Errorf("%s.%s can be assigned to", typ.Name(), f.Name)
			}
		}
	}
	l := listing("srv", named("send_email"), tool(`{}`))
	l.Failure = &Failure{Reason: "r"}
	s := build(l)
	s.Problems()[0].Text = "changed"
	s.Categories()[0].Count = 99
	s.Servers()[0] = nil
	s.Tags()[0].Count = 99
	s.InCategory("email")[0] = nil
	s.Server("srv").Failure().Reason = "changed"
	s.Server("srv").Tools()[0] = nil
	_ = append(s.Tools(), nil)
	_ = append(s.Tools()[0].Tags(), "x")
	if s.Problems()[0].Text == "changed" || s.Categories()[0].Count == 99 || s.Servers()[0] == nil || s.Tags()[0].Count == 99 ||
		s.InCategory("email")[0] == nil || s.Server("srv").Failure().Reason == "changed" || s.Server("srv").Tool(0) == nil || len(s.Tools()) != 1 {
		t.Error("what was returned is part of the snapshot")
	}
}

// A snapshot does not hold on to the answer that a listing was cut from.
func TestToolsAreCopied(t *testing.T) {
	answer := []byte(`[{"name":"send_email","inputSchema":{"type":"object"}},{"name":7}]`)
	l := listing("srv", Found{Raw: answer[1:54], Provenance: Protocol}, Found{Raw: answer[55:65], Provenance: Protocol})
	s := build(l)
	before := s.Tool("srv.send_email")
	clear(answer)
	if string(before.Raw()) != `{"name":"send_email","inputSchema":{"type":"object"}}` || string(before.InputSchema()) != `{"type":"object"}` {
		t.Errorf("%s, %s", before.Raw(), before.InputSchema())
	}
	kept := s.Server("srv").Listing()
	if string(kept.Tools[1].Raw) != `{"name":7}` {
		t.Errorf("%s", kept.Tools[1].Raw)
	}
	if next := s.Next([]Listing{kept}, Rules{}, time.Unix(3, 0)); next.Version() != s.Version() || next.Server("srv").shelf != s.Server("srv").shelf {
		t.Error("what it keeps does not give the same again")
	}
}

func TestManyReaders(t *testing.T) {
	s := build(smallCorpus(t)...)
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for _, x := range s.Tools() {
				s.Related(x, 5)
				s.Resolve(string(x.ID()))
				s.InCategory(x.Category())
				s.Next(nil, Rules{}, time.Unix(3, 0))
			}
			s.Tags()
		})
	}
	readers.Wait()
}

func TestEmpty(t *testing.T) {
	s := Build(nil, Rules{}, time.Unix(2, 0))
	if s.Len() != 0 || len(s.Tools()) != 0 || len(s.Servers()) != 0 || len(s.Categories()) != 0 || len(s.Problems()) != 0 || s.Version() == "" || s.Tool("a.b") != nil {
		t.Errorf("%+v", s)
	}
}
