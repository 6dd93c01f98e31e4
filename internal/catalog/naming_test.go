package catalog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func tool(raw string) Found { return Found{Raw: []byte(raw), Provenance: Protocol, Confidence: 1} }

func named(name string) Found {
	return tool(fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
}

func listing(server string, tools ...Found) Listing {
	return Listing{Server: server, Taken: time.Unix(1, 0), Tools: tools}
}

func build(listings ...Listing) *Snapshot { return Build(listings, Rules{}, time.Unix(2, 0)) }

// luaNames are the identifiers by original name.
func luaNames(s *Snapshot) map[string]string {
	out := map[string]string{}
	for _, t := range s.Tools() {
		out[t.Server().Name()+"/"+t.Name()] = string(t.ID())
	}
	return out
}

func problemsOf(s *Snapshot, kind string) []Problem {
	return slices.DeleteFunc(s.Problems(), func(p Problem) bool { return p.Kind != kind })
}

func TestNameClash(t *testing.T) {
	s := build(listing("srv", named("a-b"), named("a.b"), named("a_b"), named("other")))
	got := luaNames(s)
	if got["srv/a_b"] != "srv.a_b" || got["srv/other"] != "srv.other" {
		t.Errorf("a name that is an identifier did not keep it: %v", got)
	}
	for _, name := range []string{"srv/a-b", "srv/a.b"} {
		if id := got[name]; !strings.HasPrefix(id, "srv.a_b_") || len(id) != len("srv.a_b_123456") {
			t.Errorf("%s is called %s", name, id)
		}
	}
	if got["srv/a-b"] == got["srv/a.b"] {
		t.Errorf("two tools have one identifier: %v", got)
	}
	p := problemsOf(s, NameClash)
	if len(p) != 1 || p[0].Server != "srv" || !strings.Contains(p[0].Text, `"a-b", "a.b" and "a_b"`) {
		t.Errorf("the clash was told as %+v", p)
	}
	if s.Find("srv", "a-b") == s.Find("srv", "a.b") || s.Find("srv", "a-b").Name() != "a-b" {
		t.Error("original names do not find their tools")
	}
}

// Without the clash there is no suffix, and with it nobody gets the plain name
// for being first.
func TestClashWithoutOwner(t *testing.T) {
	if got := luaNames(build(listing("srv", named("a-b")))); got["srv/a-b"] != "srv.a_b" {
		t.Errorf("got %v", got)
	}
	s := build(listing("srv", named("a-b"), named("a.b")))
	if s.Tool("srv.a_b") != nil {
		t.Error("one of two got the plain name")
	}
}

// Names that are what a suffix would make are not taken from who has them.
func TestSuffixIsTaken(t *testing.T) {
	hash := shortHash("a-b", 64)
	s := build(listing("srv", named("a-b"), named("a_b"), named("a_b_"+hash[:6]), named("a_b_"+hash[:10]),
		named("a_b_"+hash[:16]), named("a_b_"+hash), named("a_b_"+hash+"_")))
	if s.Len() != 7 || len(luaNames(s)) != 7 {
		t.Fatalf("got %v", luaNames(s))
	}
	if id := s.Find("srv", "a-b").ID(); id != ToolID("srv.a_b_"+hash+"__") {
		t.Errorf("a-b is called %s", id)
	}
	for _, tool := range s.Tools() {
		if tool.Name() != "a-b" && tool.LuaName() != tool.Name() {
			t.Errorf("%s is called %s", tool.Name(), tool.LuaName())
		}
	}
}

func TestServerClash(t *testing.T) {
	s := build(listing("my-server", named("x")), listing("my server", named("x")), listing("end", named("x")), listing("", named("x")))
	seen := map[string]bool{}
	for _, server := range s.Servers() {
		seen[server.LuaName()] = true
		if s.Server(server.LuaName()) != server || s.Server(server.Name()) != server {
			t.Errorf("server %q is not found", server.Name())
		}
	}
	if len(seen) != 4 || !seen["_end"] || !seen["_unnamed"] || seen["my_server"] {
		t.Errorf("servers are called %v", seen)
	}
	if p := problemsOf(s, NameClash); len(p) != 1 || !strings.Contains(p[0].Text, `"my server" and "my-server"`) {
		t.Errorf("the clash was told as %+v", p)
	}
}

func TestDuplicateTools(t *testing.T) {
	one, two, three := tool(`{"name":"do-it","description":"one"}`), tool(`{"name":"do-it","description":"two"}`), tool(`{"name":"do-it","description":"three"}`)
	again := tool(`{ "description":"one", "name":"do-it" }`)
	s := build(listing("srv", one, two, again, three))
	if s.Len() != 3 {
		t.Fatalf("%d tools", s.Len())
	}
	first := s.Tool("srv.do_it")
	if first == nil || first.Description() != "one" {
		t.Fatal("the first did not keep the name")
	}
	if s.Find("srv", "do-it") != first {
		t.Error("the name does not find the first")
	}
	if p := problemsOf(s, DuplicateTool); len(p) != 1 || p[0].Tool != "do-it" || !strings.Contains(p[0].Text, "3 different tools") {
		t.Errorf("told as %+v", p)
	}
	// The order of the later ones does not matter.
	other := build(listing("srv", one, three, two))
	if s.Version() != other.Version() {
		t.Error("later duplicates changed names with their order")
	}

	s = build(listing("srv", one, again))
	if s.Len() != 1 || len(problemsOf(s, DuplicateTool)) != 1 {
		t.Errorf("%d tools, %v", s.Len(), s.Problems())
	}
}

// A tool that was learned of in two ways is the surer one.
func TestSurerProvenanceWins(t *testing.T) {
	guess := Found{Raw: []byte(`{"name":"search","description":"guessed"}`), Provenance: Predicted, Confidence: 0.5}
	listed := tool(`{"name":"search","description":"listed"}`)
	for _, tools := range [][]Found{{guess, listed}, {listed, guess}} {
		s := build(listing("srv", tools...))
		if s.Len() != 1 || s.Tool("srv.search").Description() != "listed" {
			t.Errorf("got %d tools, %q", s.Len(), s.Tool("srv.search").Description())
		}
	}
}

// Whatever names there are, and in whatever order they come, each tool gets its
// own identifier, and always the same.
func TestNamesDoNotDependOnOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "b", "_", "-", ".", "é", "1", "end", "A", " "}
	for round := range 200 {
		var listings []Listing
		for _, server := range []string{"s-1", "s.1", "s_1", "t"}[:1+r.IntN(4)] {
			names := map[string]bool{}
			for range r.IntN(30) {
				var name strings.Builder
				for range r.IntN(4) {
					name.WriteString(alphabet[r.IntN(len(alphabet))])
				}
				names[name.String()] = true
			}
			l := listing(server)
			for _, name := range slices.Sorted(maps.Keys(names)) {
				l.Tools = append(l.Tools, named(name))
			}
			listings = append(listings, l)
		}
		want := build(listings...)
		ids := map[ToolID]bool{}
		for _, tool := range want.Tools() {
			ids[tool.ID()] = true
			if _, _, ok := tool.ID().Split(); !ok {
				t.Fatalf("%q is no id", tool.ID())
			}
			if want.Tool(tool.ID()) != tool || want.Find(tool.Server().Name(), tool.Name()) != tool {
				t.Fatalf("%q is not found", tool.ID())
			}
		}
		if len(ids) != want.Len() {
			t.Fatalf("round %d: %d tools have %d ids", round, want.Len(), len(ids))
		}
		r.Shuffle(len(listings), func(i, j int) { listings[i], listings[j] = listings[j], listings[i] })
		for i := range listings {
			tools := slices.Clone(listings[i].Tools)
			r.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
			listings[i].Tools = tools
		}
		got := build(listings...)
		if !maps.Equal(luaNames(got), luaNames(want)) {
			t.Fatalf("round %d: another order gives other names:\n%v\n%v", round, luaNames(got), luaNames(want))
		}
		if got.Version() != want.Version() {
			t.Fatalf("round %d: another order gives another version", round)
		}
	}
}
