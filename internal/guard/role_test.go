package guard_test

import (
	"testing"

	"toolcrib/internal/guard"
)

// Scopes, roles and subjects say together who somebody is.
func TestPolicyOfScopesAndRoles(t *testing.T) {
	s := shelf(t)
	allow := guard.Policy{Default: guard.Deny, Rules: []guard.Rule{
		{Terms: guard.Terms{Scopes: []string{"tools:admin", "all:*"}}, Verdict: guard.Allow},
		{Terms: guard.Terms{Who: []string{"ann"}, Scopes: []string{"tools:read"}, Annotations: []guard.Annotation{guard.ReadOnly}}, Verdict: guard.Allow},
	}}
	roles := guard.Policy{Default: guard.Ask, Rules: []guard.Rule{{Terms: guard.Terms{Servers: []string{"notes"}}, Verdict: guard.Allow}}, Roles: []guard.Role{
		{Name: "readers", Who: []string{"ci-*"}, ReadOnly: true},
		{Name: "trusted", Scopes: []string{"trusted"}, Default: guard.Allow},
		{Name: "late", Who: []string{"ci-*"}, Default: guard.Deny},
	}}
	for name, c := range map[string]struct {
		policy guard.Policy
		who    string
		scopes []string
		want   string // of list_issues, delete_repo, Add Note
		role   string
	}{
		"no scope":             {allow, "ann", nil, "deny deny deny", ""},
		"one of two":           {allow, "bob", []string{"x", "tools:admin"}, "allow allow allow", ""},
		"a pattern":            {allow, "bob", []string{"all:of/it"}, "allow allow allow", ""},
		"capitals matter":      {allow, "bob", []string{"TOOLS:ADMIN"}, "deny deny deny", ""},
		"not part of one":      {allow, "bob", []string{"tools:administrator"}, "deny deny deny", ""},
		"with the subject":     {allow, "ann", []string{"tools:read"}, "allow deny deny", ""},
		"of another subject":   {allow, "bob", []string{"tools:read"}, "deny deny deny", ""},
		"no role":              {roles, "ann", nil, "ask ask allow", ""},
		"a role of readers":    {roles, "ci-7", []string{"trusted"}, "ask deny deny", "readers"},
		"a role by its scopes": {roles, "ann", []string{"trusted"}, "allow allow allow", "trusted"},
	} {
		p := c.policy.Profile(c.who, c.scopes...)
		got := ""
		for _, tool := range []string{"list_issues", "delete_repo", "Add Note"} {
			got += string(p.Decide(s.Named(tool)[0]).Verdict) + " "
		}
		if got != c.want+" " || p.Role() != c.role {
			t.Errorf("%s: %s of %q, expected %s of %q", name, got, p.Role(), c.want, c.role)
		}
	}
	if by := roles.Profile("ci-7").Decide(s.Named("delete_repo")[0]).By; by != "policy.profiles readers" {
		t.Errorf("by %s", by)
	}
	if roles.Profile("ci-7").Unknown("git-hub", "nobody knows it").Verdict != guard.Deny {
		t.Error("a tool that nobody knows passes for a read-only one")
	}
}

// Callers of one name with other scopes see with other eyes, those of the same with the
// same, in whichever order their token has them.
func TestEyesOfScopes(t *testing.T) {
	g := newGate(t, shelf(t), &guard.Policy{Rules: []guard.Rule{{Terms: guard.Terms{Scopes: []string{"less"}}, Verdict: guard.Deny}}}, nil)
	if g.Eye("a") == g.Eye("a", "less") || g.Eye("a", "x", "less") != g.Eye("b", "less", "x") || g.Eye("a", "x") != g.Eye("a") {
		t.Error("scopes are not what tells them apart")
	}
	if g.Eye("a", "less").Snapshot().Len() != 0 || g.Eye("a", "x").Snapshot().Len() != 4 {
		t.Error("what they see is mixed up")
	}
}

// What nothing allows is not seen, prompts and resources neither: of a server that is
// partly allowed only that part is.
func TestDefaultOfDeny(t *testing.T) {
	g := newGate(t, shelf(t), &guard.Policy{Default: guard.Deny, Rules: []guard.Rule{{Terms: guard.Terms{Tools: []string{"list_*"}, Servers: []string{"git-hub"}}, Verdict: guard.Allow}}}, nil)
	eye := g.Eye("a")
	if eye.Denied("git-hub") != "" || eye.Bare("git-hub") == "" || eye.Denied("notes") == "" || eye.Snapshot().Len() != 1 || eye.Snapshot().Server("notes") != nil {
		t.Errorf("%q %q %q", eye.Denied("git-hub"), eye.Bare("git-hub"), eye.Denied("notes"))
	}
}
