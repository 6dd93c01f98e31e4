package index

import (
	"strings"
	"testing"
	"time"

	"toolcrib/internal/catalog"
)

func TestSearch(t *testing.T) {
	x := build(workshop()...)
	for _, c := range []struct{ query, first string }{
		{"create issue", "github.create_issue"},
		{"create_issue", "github.create_issue"},
		{"github.create_issue", "github.create_issue"},
		{"github__create-issue", "github.create_issue"},
		{"CreateIssue", "github.create_issue"},
		{"open a new issue in my repository", "github.create_issue"},
		{"list the issues of a repository", "github.list_issues"},
		{"delete that file", "files.delete_file"},
		{"directory", "files.directory_tree"},
		{"send", "mail.send_email"},
		{"select:mail.send_email,read_file", "mail.send_email"},
		{"server:mail list", "mail.list_folders"},
		{"category:email message", "mail.send_email"},
	} {
		r := x.Search(t.Context(), &Query{Text: c.query})
		if len(r.Hits) == 0 || string(r.Hits[0].Tool.ID()) != c.first || r.Verdict != Found {
			t.Errorf("%q: %s, %s", c.query, r.Verdict, ids(r.Hits))
		}
	}
}

func TestSelection(t *testing.T) {
	x := build(workshop()...)
	r := x.Search(t.Context(), &Query{Text: "select:mail.send_email, read_file,nothing"})
	if got := ids(r.Hits); got != "mail.send_email files.read_file" {
		t.Errorf("selected: %s", got)
	}
}

func TestWithheld(t *testing.T) {
	x := build(workshop()...)
	r := x.Search(t.Context(), &Query{Text: "send email", Hidden: func(t *catalog.Tool) string {
		if t.Server().Name() == "mail" {
			return "policy"
		}
		return ""
	}})
	if r.Verdict != Withheld || len(r.Withheld) != 1 || r.Withheld[0].Why != "policy" || strings.Contains(ids(r.Hits), "mail.") {
		t.Errorf("%s %v %s", r.Verdict, r.Withheld, ids(r.Hits))
	}
}

func TestUnavailable(t *testing.T) {
	servers := workshop()
	servers[2].Failure = &catalog.Failure{Reason: "no answer", Since: moment.Add(-time.Hour)}
	r := build(servers...).Search(t.Context(), &Query{Text: "send an email"})
	if r.Verdict != Unavailable || len(r.Down) != 1 || r.Down[0].Name() != "mail" || len(r.Hits) == 0 {
		t.Errorf("%s %v %s", r.Verdict, r.Down, ids(r.Hits))
	}
}

// A word that is typed wrong is taken for the one that tools have.
func TestTypos(t *testing.T) {
	x := build(workshop()...)
	for _, c := range []struct{ query, first string }{
		{"creat an isue", "github.create_issue"}, {"directroy tree", "files.directory_tree"}, {"send emial", "mail.send_email"},
	} {
		r := x.Search(t.Context(), &Query{Text: c.query})
		if len(r.Hits) == 0 || string(r.Hits[0].Tool.ID()) != c.first {
			t.Errorf("%q: %s", c.query, ids(r.Hits))
		}
	}
	r := x.Search(t.Context(), &Query{Text: "directroy tree"})
	if told := strings.Join(r.Hits[0].Matched, ", "); !strings.Contains(told, "directory for directroy") {
		t.Errorf("told: %s", told)
	}
}

func TestNearest(t *testing.T) {
	x := build(workshop()...)
	for _, c := range []struct{ name, first string }{
		{"creat_isue", "github.create_issue"},
		{"github.create_isseu", "github.create_issue"},
		{"gihtub.list_issues", "github.list_issues"},
		{"sendEmail", "mail.send_email"},
		{"send_emial", "mail.send_email"},
	} {
		near := x.Nearest(c.name, 3)
		if len(near) == 0 || string(near[0].ID()) != c.first {
			t.Errorf("%s: %v", c.name, near)
		}
	}
	if near := x.Nearest("zzzzzzzzzzzz", 3); len(near) != 0 {
		t.Errorf("nothing like it, but %s", near[0].ID())
	}
}

// An index of a later snapshot answers as one made from nothing.
func TestTakingOver(t *testing.T) {
	servers := workshop()
	before := catalog.Build(servers, catalog.Rules{}, moment)
	first := New(nil, before, nil)
	servers[1] = listing("files", tool("read_file", "Read the contents of a file", "path"), tool("move_file", "Move or rename a file", "from", "to"))
	after := before.Next(servers, catalog.Rules{}, moment)
	second, fresh := New(first, after, nil), New(nil, after, nil)
	if first.parts[1].part != second.parts[1].part || first.parts[0].part == second.parts[0].part {
		t.Error("the wrong parts were taken over")
	}
	for _, query := range []string{"move file", "read file", "create issue", "rename", "folders"} {
		a, b := second.Search(t.Context(), &Query{Text: query}), fresh.Search(t.Context(), &Query{Text: query})
		if ids(a.Hits) != ids(b.Hits) {
			t.Errorf("%s: %s instead of %s", query, ids(a.Hits), ids(b.Hits))
		}
	}
}

// Tools that nobody listed are below those that were.
func TestUncertainTools(t *testing.T) {
	guess := tool("create_issue", "Create a new issue in a repository", "owner", "repo", "title")
	guess.Provenance, guess.Confidence = catalog.Predicted, .4
	servers := append(workshop(), listing("another", guess))
	r := build(servers...).Search(t.Context(), &Query{Text: "create a new issue in a repository"})
	if len(r.Hits) < 2 || string(r.Hits[0].Tool.ID()) != "github.create_issue" {
		t.Errorf("first: %s", ids(r.Hits))
	}
}

func TestFilters(t *testing.T) {
	x := build(workshop()...)
	for _, q := range []Query{{Text: "read a file", Server: "mail"}, {Text: "read a file server:mail"}, {Text: "read a file", Server: "no such server"}} {
		r := x.Search(t.Context(), &q)
		if strings.Contains(ids(r.Hits), "files.") || r.Verdict != Withheld || len(r.Withheld) == 0 || r.Withheld[0].Why != otherServer {
			t.Errorf("%+v: %s %v %s", q, r.Verdict, r.Withheld, ids(r.Hits))
		}
	}
	r := x.Search(t.Context(), &Query{Text: "a file", Server: "Files"})
	if r.Verdict == None || strings.Contains(ids(r.Hits), "mail.") || len(r.Hits) == 0 {
		t.Errorf("%s %s", r.Verdict, ids(r.Hits))
	}
}

// Queries that say nothing get something to try.
func TestHopelessQueries(t *testing.T) {
	x := build(workshop()...)
	for _, text := range []string{"", "   ", "the of and", "...", "select:nothing_like_it", "server:mail"} {
		r := x.Search(t.Context(), &Query{Text: text})
		if r.Verdict != None || len(r.Hits) != 0 || len(r.Suggestions) == 0 {
			t.Errorf("%q: %s, %s, try %v", text, r.Verdict, ids(r.Hits), r.Suggestions)
		}
	}
	r := x.Search(t.Context(), &Query{Text: "select:creat_isue"})
	if len(r.Suggestions) == 0 || r.Suggestions[0] != "select:github.create_issue" {
		t.Errorf("try %v", r.Suggestions)
	}
	if r := build().Search(t.Context(), &Query{Text: "anything"}); r.Verdict != None {
		t.Errorf("nothing there, but %s", r.Verdict)
	}
}

func TestSimilar(t *testing.T) {
	x := build(append(workshop(), listing("disk", tool("load_file", "Load the contents of a file from disk", "path")))...)
	similar := x.Similar(x.Snapshot().Tool("files.read_file"), 3)
	if len(similar) == 0 || string(similar[0].ID()) != "disk.load_file" && string(similar[0].ID()) != "files.write_file" {
		t.Errorf("similar: %v", similar)
	}
	for _, s := range similar {
		if s.ID() == "files.read_file" {
			t.Error("a tool is similar to itself")
		}
	}
	if other := build(workshop()[2]); other.Similar(x.Snapshot().Tool("files.read_file"), 3) != nil {
		t.Error("a tool that is not there has similar ones")
	}
}

// Vectors of somebody's own model bring up what words do not.
func TestOwnVectors(t *testing.T) {
	snapshot := catalog.Build(workshop(), catalog.Rules{}, moment)
	x := New(nil, snapshot, &Options{Vectors: func(t *catalog.Tool) []float32 {
		switch t.ID() {
		case "mail.send_email":
			return []float32{1, 0, 0}
		case "files.read_file":
			return []float32{0, 1, 0}
		case "files.delete_file":
			return []float32{1} // of another model
		}
		return nil
	}})
	query := Query{Text: "drop grandmother a line", Vector: []float32{.9, .1, 0}}
	if r := x.Search(t.Context(), &query); len(r.Hits) == 0 || string(r.Hits[0].Tool.ID()) != "mail.send_email" {
		t.Errorf("first: %s", ids(r.Hits))
	}
	for _, vector := range [][]float32{nil, {1}, {0, 0, 0}} { // none, of another model, useless
		query.Vector = vector
		x.Search(t.Context(), &query)
	}
}

// Experience decides between equals, and nothing else.
func TestFavour(t *testing.T) {
	twin := tool("create_issue", "Create a new issue in a repository", "owner", "repo", "title")
	x := build(listing("alpha", twin), listing("beta", twin), workshop()[1])
	favour := func(server string) func(*catalog.Tool) float32 {
		return func(t *catalog.Tool) float32 {
			if t.Server().Name() == server {
				return 1
			}
			return 0
		}
	}
	without := ids(x.Search(t.Context(), &Query{Text: "open a new issue in the repository"}).Hits)
	for server, first := range map[string]string{"alpha": "alpha.create_issue", "beta": "beta.create_issue", "files": without} {
		r := x.Search(t.Context(), &Query{Text: "open a new issue in the repository", Favour: favour(server)})
		if !strings.HasPrefix(ids(r.Hits), strings.Fields(first)[0]) {
			t.Errorf("%s: %s", server, ids(r.Hits))
		}
	}
}
