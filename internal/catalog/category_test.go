package catalog

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// smallCorpus is written for these tests: a bit of everything.
func smallCorpus(t testing.TB) []Listing {
	t.Helper()
	b, err := os.ReadFile("testdata/tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var servers []struct {
		Server string
		Tools  []json.RawMessage
	}
	if err := json.Unmarshal(b, &servers); err != nil {
		t.Fatal(err)
	}
	var listings []Listing
	for _, s := range servers {
		l := listing(s.Server)
		for _, raw := range s.Tools {
			l.Tools = append(l.Tools, tool(string(raw)))
		}
		listings = append(listings, l)
	}
	return listings
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if that is right, write it anew with -update. Got:\n%s", file, got)
	}
}

func TestCategoriesAndTags(t *testing.T) {
	s := build(smallCorpus(t)...)
	var b strings.Builder
	for _, x := range s.Tools() {
		fmt.Fprintf(&b, "%-40s %-15s %s\n", x.ID(), x.Category(), strings.Join(x.Tags(), " "))
	}
	b.WriteString("\n")
	for _, c := range s.Categories() {
		fmt.Fprintf(&b, "%-15s %d  %s\n", c.Name, c.Count, c.Description)
	}
	golden(t, "testdata/classified.golden", b.String())
}

func categoryOf(t *testing.T, rules Rules, server, raw string) string {
	t.Helper()
	s := Build([]Listing{listing(server, tool(raw))}, rules, time.Unix(2, 0))
	if s.Len() != 1 {
		t.Fatalf("%d tools: %v", s.Len(), s.Problems())
	}
	return s.Tools()[0].Category()
}

// Each source of a category comes before the next.
func TestCategoryOrder(t *testing.T) {
	const raw = `{"name":"NAME","description":"TEXT","_meta":{"category":"META"}}`
	write := func(name, text, meta string) string {
		return strings.NewReplacer("NAME", name, "TEXT", text, "META", meta).Replace(raw)
	}
	rule := Rules{Categories: []CategoryRule{{Category: "ruled", Words: []string{"email"}}}}
	fallback := Rules{Fallback: map[string]string{"slack": "ours"}}
	for _, c := range []struct {
		what   string
		rules  Rules
		server string
		raw    string
		want   string
	}{
		{"a rule", rule, "slack", write("send_email", "", "stated"), "ruled"},
		{"a rule by description", rule, "slack", write("deploy", "Sends an email", "stated"), "ruled"},
		{"the server", Rules{}, "slack", write("send_email", "", "Stated So"), "stated-so"},
		{"the name", Rules{}, "slack", write("send_email", "in a spreadsheet", ""), "email"},
		{"the description", fallback, "slack", write("do", "Sends it by email", ""), "email"},
		{"the fall-back", fallback, "slack", write("do", "Does it", ""), "ours"},
		{"the server's name", Rules{}, "slack", write("do_event", "Does it", ""), "messaging"},
		{"words that could be anything's", Rules{}, "mcp-server", write("do_event", "Does it", ""), "calendar"},
		{"nothing", Rules{}, "mcp-server", write("do", "Does it", ""), General},
	} {
		if got := categoryOf(t, c.rules, c.server, c.raw); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// Only whole words count.
func TestCategoryByWholeWords(t *testing.T) {
	rules := Rules{Categories: []CategoryRule{{Category: "porting", Words: []string{"port"}}}}
	for name, want := range map[string]string{
		"report": "analytics", "import": General, "portfolio_x": "finance", "port_it": "porting", "portIt": "porting",
		"ports": "porting", "x.port": "porting", "digital": General, "emailer": General, "supper": General,
	} {
		if got := categoryOf(t, rules, "srv", fmt.Sprintf(`{"name":%q}`, name)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestServerTellsCategoryByItsInfo(t *testing.T) {
	l := listing("x", tool(`{"name":"do"}`))
	l.ServerInfo = []byte(`{"name":"acme-calendar-mcp","version":"1"}`)
	if got := build(l).Tools()[0].Category(); got != "calendar" {
		t.Error(got)
	}
	l.ServerInfo = []byte(`{"name":"SlackMCP"}`)
	if got := build(l).Tools()[0].Category(); got != "messaging" {
		t.Error(got)
	}
	l.ServerInfo = []byte(`{"name":"acme","description":"Works with SQL databases"}`)
	if got := build(l).Tools()[0].Category(); got != "databases" {
		t.Error(got)
	}
}

// A server that has a category for each of its tools tells nothing.
func TestTooManyStatedCategories(t *testing.T) {
	l := listing("srv")
	for i := range maxStatedCategories + 1 {
		l.Tools = append(l.Tools, tool(fmt.Sprintf(`{"name":"send_email_%d","_meta":{"category":"c%d"}}`, i, i)))
	}
	s := build(l)
	if c := s.Categories(); len(c) != 1 || c[0].Name != "email" {
		t.Errorf("got %v", c)
	}
	if len(problemsOf(s, ManyCategories)) != 1 {
		t.Errorf("told as %+v", s.Problems())
	}
	l.Tools = l.Tools[1:]
	if s := build(l); len(s.Categories()) != maxStatedCategories || len(s.Problems()) != 0 {
		t.Errorf("got %v, %v", s.Categories(), s.Problems())
	}
}
