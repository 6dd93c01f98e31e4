package config_test

import (
	"strings"
	"testing"

	"toolcrib/internal/config"
)

func TestPolicyIsRead(t *testing.T) {
	c, err := config.Parse("/etc/x/a.yaml", []byte(`
servers: {a: {command: x}}
trust: {pins: warn, new_tools: ask, findings: block}
policy:
  read_only: true
  default: deny
  rules:
    - {who: [me], scopes: ["a:*"], servers: [a], tools: ["x_*"], annotations: [writes], verdict: ask, why: because}
  limits:
    - {scopes: [b], servers: [a], per_minute: 6, per_hour: 7, at_once: 8, each: [caller, tool]}
  profiles:
    - {name: readers, who: ["ci-*"], scopes: [r], read_only: true, default: allow}
audit: {file: log/audit.jsonl, size: 1, keep: 2}
`))
	if err != nil {
		t.Fatal(err)
	}
	r := c.Policy.Rules[0]
	if c.Trust != (config.Trust{Pins: config.PinsWarn, NewTools: config.NewToolsAsk, Findings: config.FindingsBlock}) || !c.Policy.ReadOnly || c.Policy.Default != "deny" ||
		r.Who[0] != "me" || r.Scopes[0] != "a:*" || r.Servers[0] != "a" || r.Tools[0] != "x_*" || r.Annotations[0] != "writes" || r.Verdict != "ask" || r.Why != "because" || r.At.Line != 8 {
		t.Errorf("%+v %+v", c.Trust, c.Policy)
	}
	l, p := c.Policy.Limits[0], c.Policy.Profiles[0]
	if l.Scopes[0] != "b" || l.Servers[0] != "a" || l.PerMinute != 6 || l.PerHour != 7 || l.AtOnce != 8 || len(l.Each) != 2 || l.At.Line != 10 ||
		p.Name != "readers" || p.Who[0] != "ci-*" || p.Scopes[0] != "r" || !p.ReadOnly || p.Default != "allow" {
		t.Errorf("%+v %+v", l, p)
	}
	if !strings.HasSuffix(c.Audit.File, "log/audit.jsonl") || !strings.HasPrefix(c.Audit.File, "/etc") || c.Audit.Size != 1 || c.Audit.Keep != 2 {
		t.Errorf("%+v", c.Audit)
	}
	again, err := config.Parse("a.yaml", []byte(c.YAML()))
	if err != nil || again.Policy.Rules[0].Why != "because" || again.Trust != c.Trust || again.Policy.Limits[0].AtOnce != 8 || again.Policy.Profiles[0].Name != "readers" {
		t.Errorf("what is shown reads as %+v, %v", again.Policy, err)
	}
}

func TestPolicyProblems(t *testing.T) {
	for text, want := range map[string]string{
		"policy: {rules: [{tools: [a]}]}":                             "needs a verdict",
		"policy: {rules: [{tools: [], verdict: deny}]}":               "is an empty list",
		"policy: {rules: [{verdict: never}]}":                         "must be allow, deny, ask",
		"policy: {rules: [{annotations: [harmless], verdict: deny}]}": "must be read-only, writes",
		"policy: {rules: [{tool: [a], verdict: deny}]}":               `did you mean "tools"`,
		"policy: {rules: [{annotations: [], verdict: deny}]}":         "is an empty list",
		"policy: {limits: [{servers: [a]}]}":                          "needs per_minute, per_hour or at_once",
		"policy: {limits: [{per_minute: 0}]}":                         "whole number",
		"policy: {limits: [{at_once: 1, each: [person]}]}":            "must be caller, server, tool",
		"policy: {profiles: [{who: [a], read_only: true}]}":           "needs a name",
		"policy: {profiles: [{name: a, read_only: true}]}":            "needs who or scopes",
		"policy: {profiles: [{name: a, who: [a]}]}":                   "says nothing",
		"policy: {read_only: maybe}":                                  "true or false",
		"trust: {pins: perhaps}":                                      "must be on, warn, off",
		"audit: {size: 0}":                                            "whole number",
	} {
		_, err := config.Parse("a.yaml", []byte("servers: {a: {command: x}}\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}
