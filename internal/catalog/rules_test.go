package catalog

import (
	"slices"
	"testing"
	"time"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "anything", true},
		{"*", "", true},
		{"get_*", "get_issue", true},
		{"GET_*", "get_Issue", true},
		{"get_*", "forget_issue", false},
		{"*issue*", "create_issues_now", true},
		{"*_issue", "create_issues", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"a?c", "aéc", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"[a]", "a", false},
	} {
		if got := fits(c.pattern, c.name, c.name); got != c.want {
			t.Errorf("%q fits %q: %t", c.pattern, c.name, got)
		}
	}
	if !fits("create_issue", "create-issue", "create_issue") {
		t.Error("a tool is not found by its identifier")
	}
}

func TestRules(t *testing.T) {
	rules := Rules{
		Categories: []CategoryRule{
			{Category: "Danger", Tools: []string{"delete_*", "drop-*"}},
			{Category: "billing", Server: "desk*", Words: []string{"invoice", "credit note"}},
			{Category: "desk things", Server: "desk-2"},
			{Category: "!!!", Tools: []string{"*"}},
		},
		Tags: []TagRule{
			{Server: "desk*", Tags: []string{"Office", "eu"}},
			{Tool: "*invoice*", Tags: []string{"money"}},
		},
		Describe: map[string]string{"Danger": "Handle with care"},
	}
	tools := []Found{named("delete_invoice"), named("send_invoice"), named("drop-it"), named("write_credit_notes"), named("open_credit"), named("send_email")}
	s := Build([]Listing{listing("desk-1", tools...), listing("desk-2", tools...), listing("other", tools...)}, rules, time.Unix(2, 0))
	for id, want := range map[ToolID]string{
		"desk_1.delete_invoice": "danger", "desk_1.send_invoice": "billing", "desk_1.drop_it": "danger",
		"desk_1.write_credit_notes": "billing", "desk_1.open_credit": General, "desk_1.send_email": "email",
		"desk_2.send_invoice": "billing", "desk_2.open_credit": "desk-things", "desk_2.send_email": "desk-things",
		"other.send_invoice": "commerce", "other.delete_invoice": "danger",
	} {
		if got := s.Tool(id).Category(); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if got := s.Tool("desk_1.send_invoice").Tags(); !slices.Equal(got, []string{"office", "eu", "money", "send", "invoice"}) {
		t.Errorf("tags %v", got)
	}
	if got := s.Tool("other.send_email").Tags(); !slices.Equal(got, []string{"send", "email"}) {
		t.Errorf("tags %v", got)
	}
	for _, c := range s.Categories() {
		if c.Name == "danger" && (c.Description != "Handle with care" || c.Count != 6) {
			t.Errorf("%+v", c)
		}
		if c.Name == "billing" && c.Description == "" {
			t.Errorf("%+v", c)
		}
	}
}

// Whoever gave the rules may go on using their slices and maps.
func TestRulesAreCopied(t *testing.T) {
	rules := Rules{Fallback: map[string]string{"srv": "first"}, Categories: []CategoryRule{{Category: "c", Tools: []string{"x"}}}}
	listings := []Listing{listing("srv", named("act"), named("x"))}
	s := Build(listings, rules, time.Unix(2, 0))
	rules.Fallback["srv"] = "second"
	rules.Categories[0].Tools[0] = "y"
	next := s.Next(listings, rules, time.Unix(3, 0))
	if a, b := s.Tool("srv.act").Category(), next.Tool("srv.act").Category(); a != "first" || b != "second" {
		t.Errorf("%s, then %s", a, b)
	}
	if a, b := s.Tool("srv.x").Category(), next.Tool("srv.x").Category(); a != "c" || b != "second" {
		t.Errorf("%s, then %s", a, b)
	}
}
