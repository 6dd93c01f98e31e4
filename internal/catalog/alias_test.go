package catalog

import (
	"testing"
	"time"
)

func TestAliases(t *testing.T) {
	listing := func(name string) Listing {
		return Listing{Server: name, Identity: "1", Version: "2025-11-25", Tools: []Found{{Raw: []byte(`{"name":"open"}`), Provenance: Protocol}}}
	}
	rules := Rules{Aliases: map[string]string{"gh-work": "github", "notes": "github", "a-b": "github", "a.b": "notes", "later": "unlisted"}}
	s := Build([]Listing{listing("github"), listing("notes")}, rules, time.Now())
	for name, want := range map[string]string{
		"github": "github", "gh-work": "github", "gh_work": "github", "a-b": "github", "a.b": "notes",
		"notes": "notes", // its own name is nobody's alias
		"a_b":   "",      // of two servers
		"later": "", "": "", "none": "",
	} {
		got := ""
		if server := s.Server(name); server != nil {
			got = server.Name()
		}
		if got != want {
			t.Errorf("server %q is %q, want %q", name, got, want)
		}
	}
	for reference, want := range map[string]ToolID{"gh-work.open": "github.open", "gh_work.open": "github.open", "notes.open": "notes.open"} {
		if tool := s.Resolve(reference); tool == nil || tool.ID() != want {
			t.Errorf("%s is %v", reference, tool)
		}
	}
	if s.Unalias("later") != "unlisted" || s.Unalias("notes") != "notes" || s.Unalias("none") != "none" {
		t.Error("names of servers that are not listed")
	}
	if only := s.Without(nil, func(server *Server) bool { return server.Name() == "notes" }, nil); only.Server("gh-work") == nil {
		t.Error("a part of a snapshot has no aliases")
	}
	next := s.Next([]Listing{listing("github"), listing("notes")}, Rules{}, time.Now())
	if next.Server("gh-work") != nil {
		t.Error("an alias outlives its rule")
	}
	if next.Server("github").shelf != s.Server("github").shelf {
		t.Error("another alias has tools worked out anew")
	}
}
