package guard_test

import (
	"testing"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/guard"
)

func shelf(t *testing.T) *catalog.Snapshot {
	t.Helper()
	found := func(definitions ...string) (list []catalog.Found) {
		for _, d := range definitions {
			list = append(list, catalog.Found{Raw: []byte(d), Provenance: catalog.Protocol})
		}
		return list
	}
	return catalog.Build([]catalog.Listing{
		{Server: "git-hub", Tools: found(`{"name":"list_issues","annotations":{"readOnlyHint":true}}`, `{"name":"delete_repo","annotations":{"destructiveHint":true}}`, `{"name":"create/issue"}`)},
		{Server: "notes", Tools: found(`{"name":"Add Note","description":"writes a note","_meta":{"tags":["memory"]}}`)},
	}, catalog.Rules{Categories: []catalog.CategoryRule{{Category: "writing", Server: "notes"}}}, time.Time{})
}

func TestPolicyDecides(t *testing.T) {
	s := shelf(t)
	deny := func(about guard.Terms) guard.Policy {
		return guard.Policy{Rules: []guard.Rule{{Terms: about, Verdict: guard.Deny}}}
	}
	for name, c := range map[string]struct {
		policy guard.Policy
		who    string
		want   string // of list_issues, delete_repo, create/issue, Add Note
	}{
		"nothing":              {guard.Policy{}, "x", "allow allow allow allow"},
		"a server":             {deny(guard.Terms{Servers: []string{"git-hub"}}), "x", "deny deny deny allow"},
		"by its identifier":    {deny(guard.Terms{Servers: []string{"git_hub"}}), "x", "deny deny deny allow"},
		"a pattern":            {deny(guard.Terms{Tools: []string{"delete_*"}}), "x", "allow deny allow allow"},
		"an id":                {deny(guard.Terms{Tools: []string{"git_hub.create_issue"}}), "x", "allow allow deny allow"},
		"an original name":     {deny(guard.Terms{Tools: []string{"git-hub.create/*"}}), "x", "allow allow deny allow"},
		"in capitals":          {deny(guard.Terms{Tools: []string{"ADD NOTE"}}), "x", "allow allow allow deny"},
		"brackets mean naught": {deny(guard.Terms{Tools: []string{"[a-z]*"}}), "x", "allow allow allow allow"},
		"a category":           {deny(guard.Terms{Categories: []string{"writing"}}), "x", "allow allow allow deny"},
		"a tag":                {deny(guard.Terms{Tags: []string{"memory"}}), "x", "allow allow allow deny"},
		"destructive":          {deny(guard.Terms{Annotations: []guard.Annotation{guard.Destructive}}), "x", "allow deny allow allow"},
		"writes":               {deny(guard.Terms{Annotations: []guard.Annotation{guard.Writes}}), "x", "allow deny deny deny"},
		"read only":            {guard.Policy{ReadOnly: true, Rules: []guard.Rule{{Verdict: guard.Allow}}}, "x", "allow deny deny deny"},
		"another caller":       {deny(guard.Terms{Who: []string{"ci-*"}}), "x", "allow allow allow allow"},
		"that caller":          {deny(guard.Terms{Who: []string{"ci-*"}}), "ci-1", "deny deny deny deny"},
		"nobody known":         {deny(guard.Terms{Who: []string{"local"}}), guard.Subject(""), "deny deny deny deny"},
		"the first counts": {guard.Policy{Default: guard.Deny, Rules: []guard.Rule{
			{Terms: guard.Terms{Tools: []string{"list_*"}}, Verdict: guard.Allow}, {Terms: guard.Terms{Servers: []string{"git*"}}, Verdict: guard.Ask},
		}}, "x", "allow ask ask deny"},
	} {
		p := c.policy.Profile(c.who)
		got := ""
		for _, tool := range []string{"list_issues", "delete_repo", "create/issue", "Add Note"} {
			d := p.Decide(s.Named(tool)[0])
			got += string(d.Verdict) + " "
			if d.Verdict != guard.Allow && d.Why == "" {
				t.Errorf("%s: %s is refused without a reason", name, tool)
			}
		}
		if got != c.want+" " {
			t.Errorf("%s: %s, expected %s", name, got, c.want)
		}
	}
}

func TestPolicyOfServersAndUnknownTools(t *testing.T) {
	p := guard.Policy{Rules: []guard.Rule{
		{Terms: guard.Terms{Servers: []string{"a"}}, Verdict: guard.Deny},
		{Terms: guard.Terms{Servers: []string{"b"}, Tools: []string{"x*"}}, Verdict: guard.Deny},
		{Terms: guard.Terms{Servers: []string{"c"}, Annotations: []guard.Annotation{guard.ReadOnly}}, Verdict: guard.Allow},
		{Terms: guard.Terms{Servers: []string{"c"}}, Verdict: guard.Ask},
	}}
	q := p.Profile("me")
	for server, want := range map[string]guard.Verdict{"a": guard.Deny, "b": guard.Allow, "c": guard.Ask} {
		if got := q.DecideServer(server).Verdict; got != want {
			t.Errorf("server %s: %s", server, got)
		}
	}
	for _, c := range []struct {
		server, tool string
		want         guard.Verdict
	}{{"a", "y", guard.Deny}, {"b", "x1", guard.Deny}, {"b", "y", guard.Allow}, {"c", "y", guard.Ask}, {"d", "y", guard.Allow}} {
		if got := q.Unknown(c.server, c.tool).Verdict; got != c.want {
			t.Errorf("%s.%s: %s", c.server, c.tool, got)
		}
	}
	if (&guard.Policy{ReadOnly: true}).Profile("me").Unknown("a", "b").Verdict != guard.Deny {
		t.Error("a tool that nobody knows passes for a read-only one")
	}
}

func TestProfilesAreShared(t *testing.T) {
	p := guard.Policy{Rules: []guard.Rule{{Terms: guard.Terms{Who: []string{"a*"}}, Verdict: guard.Deny}, {Terms: guard.Terms{Who: []string{"b"}}, Verdict: guard.Deny}}}
	if p.Profile("a1").Key != p.Profile("a2").Key || p.Profile("a1").Key == p.Profile("b").Key || !p.Profile("c").Open() || p.Profile("b").Open() {
		t.Error("callers of the same rules have others, or those of others the same")
	}
}
