package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const discoveryYAML = `discovery:
  ttl: 10m
  parallel: 8
  probe: false
  predict: {url: "https://models.example.com/v1", model: small, key_env: MODEL_KEY}
categories:
  - {category: issues, server: "git*", tools: ["*_issue", list_issues]}
  - {category: money, words: [invoice, payment]}
servers:
  a:
    command: x
    ttl: 30s
    category: code
    tags: [mine, work]
    autoApprove: [one]
    alwaysAllow: [two]
    includeTools: [three]
    enabled_tools: [four]
`

const discoveryJSON = `{
	"discovery": {"ttl": "10m", "parallel": 8, "probe": false,
		"predict": {"url": "https://models.example.com/v1", "model": "small", "key_env": "MODEL_KEY"}},
	"categories": [
		{"category": "issues", "server": "git*", "tools": ["*_issue", "list_issues"]},
		{"category": "money", "words": ["invoice", "payment"]},
	],
	"servers": {"a": {"command": "x", "ttl": "30s", "category": "code", "tags": ["mine", "work"],
		"autoApprove": ["one"], "alwaysAllow": ["two"], "includeTools": ["three"], "enabled_tools": ["four"]}},
}`

func TestDiscoveryKeysInBothSyntaxes(t *testing.T) {
	for file, src := range map[string]string{"a.yaml": discoveryYAML, "a.json": discoveryJSON} {
		c := parse(t, file, src)
		want := Discovery{
			TTL: 10 * time.Minute, Parallel: 8, NoProbe: true,
			Predict: Predict{URL: "https://models.example.com/v1", Model: "small", KeyEnv: "MODEL_KEY"},
		}
		if diff := cmp.Diff(want, c.Discovery); diff != "" {
			t.Errorf("%s: discovery (-want +got):\n%s", file, diff)
		}
		rules := []CategoryRule{
			{Category: "issues", Server: "git*", Tools: []string{"*_issue", "list_issues"}},
			{Category: "money", Words: []string{"invoice", "payment"}},
		}
		if diff := cmp.Diff(rules, c.Categories); diff != "" {
			t.Errorf("%s: categories (-want +got):\n%s", file, diff)
		}
		server := c.Servers[0]
		server.At = Position{}
		wantServer := Server{
			Name: "a", Type: Stdio, Command: "x", TTL: 30 * time.Second, Category: "code", Tags: []string{"mine", "work"},
			Approved: []string{"one", "two", "three", "four"},
		}
		if diff := cmp.Diff(wantServer, server); diff != "" {
			t.Errorf("%s: server (-want +got):\n%s", file, diff)
		}
	}
}

// A file of the older form, with what it calls things.
func TestDiscoveryInOtherWords(t *testing.T) {
	c := parse(t, "a.yaml", "servers:\n  a: {command: x}\ndiscovery: {enabled: false, timeout: 10000, cache: false}\n")
	want := Discovery{Timeout: 10 * time.Second, NoProbe: true, NoCache: true}
	if diff := cmp.Diff(want, c.Discovery); diff != "" {
		t.Error(diff)
	}
	if c := parse(t, "a.yaml", "servers:\n  a: {command: x}\ndiscovery: {enabled: true, cache: true}\n"); c.Discovery != (Discovery{}) {
		t.Errorf("%+v", c.Discovery)
	}
}

func TestDiscoveryLeftOut(t *testing.T) {
	c := parse(t, "a.yaml", "servers:\n  a: {command: x}\ndiscovery:\ncategories:\n")
	if diff := cmp.Diff(Discovery{}, c.Discovery); diff != "" || len(c.Categories) != 0 {
		t.Errorf("%s %v", diff, c.Categories)
	}
	if c := parse(t, "a.yaml", "servers:\n  a: {command: x}\ndiscovery: {probe: true}\n"); c.Discovery.NoProbe {
		t.Error("probe: true turned it off")
	}
}

func TestDiscoveryProblems(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"ttl without unit", "discovery: {ttl: 5}\n", `a.yaml:1:18: discovery.ttl must be a time such as 30s`},
		{"parallel of none", "discovery: {parallel: 0}\n", `discovery.parallel must be a whole number from 1 to 64`},
		{"probe as text", "discovery: {probe: maybe}\n", `discovery.probe must be true or false`},
		{"unknown key", "discovery: {paralel: 2}\n", `unknown key "paralel" in discovery; did you mean "parallel"?`},
		{"a key in the file", "discovery: {predict: {url: http://h, model: m, key: x}}\n", `unknown key "key" in discovery.predict`},
		{"prediction without a model", "discovery: {predict: {url: http://h}}\n", `discovery.predict needs a url and a model`},
		{"prediction by no address", "discovery: {predict: {url: models.example.com, model: m}}\n", `a.yaml:1:28: discovery.predict.url must be an address such as https://`},
		{"prediction without a url", "discovery: {predict: {model: m}}\n", `discovery.predict needs a url and a model`},
		{"categories as mapping", "categories: {a: b}\n", `categories must be a list, not a mapping`},
		{"rule without category", "categories: [{server: a}]\n", `a.yaml:1:14: a category rule needs a category`},
		{"rule about nothing", "categories: [{category: a}]\n", `a category rule needs a server, tools or words that it is about`},
		{"rule as text", "categories: [a]\n", `a category rule must be a mapping, not text`},
		{"tags as text", "servers:\n  a: {command: x, tags: one}\n", `a.yaml:2:25: tags must be a list, not text`},
		{"approved as true", "servers:\n  a: {command: x, autoApprove: true}\n", `autoApprove must be a list`},
		{"ttl of a server", "servers:\n  a: {command: x, ttl: soon}\n", `ttl must be a time such as 30s`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("a.yaml", []byte(c.src))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestServerLookup(t *testing.T) {
	c := parse(t, "a.yaml", "servers:\n  github: {command: x}\n  gitlab: {command: x}\n  files: {command: x}\n  mail: {command: x}\n")
	if s, ok := c.Server("files"); !ok || s.Name != "files" {
		t.Errorf("files: %v %v", s.Name, ok)
	}
	if _, ok := c.Server("file"); ok {
		t.Error("there is no file")
	}
	if diff := cmp.Diff([]string{"github", "gitlab"}, c.Nearest("Git-Hub")[:2]); diff != "" {
		t.Error(diff)
	}
	if got := (Config{}).Nearest("x"); len(got) != 0 {
		t.Errorf("nearest of none: %v", got)
	}
}
