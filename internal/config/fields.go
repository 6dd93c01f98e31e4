package config

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// config reads the whole file.
func (d *decoder) config(root *node) Config {
	c := Config{File: d.file}
	names := map[string]Position{}
	servers := func(n *node) { d.servers(n, &c.Servers, names) }
	d.fields(root, "the file", []field{
		{"servers", servers},
		{"mcpServers", servers},
		{"disclosure", func(n *node) { c.Disclosure = d.disclosure(n) }},
		{"http", func(n *node) { c.HTTP = d.http(n) }},
		{"discovery", func(n *node) { c.Discovery = d.discovery(n) }},
		{"search", func(n *node) { c.Search = d.search(n) }},
		{"categories", func(n *node) { c.Categories = d.categories(n) }},
		{"scripts", func(n *node) { c.Scripts = d.scripts(n) }},
		{"execute", func(n *node) { c.Execute = d.execute(n) }},
		{"trust", func(n *node) { c.Trust = d.trust(n) }},
		{"policy", func(n *node) { c.Policy = d.policy(n) }},
		{"audit", func(n *node) { c.Audit = d.audit(n) }},
		{"login", func(n *node) { c.Logins = d.logins(n) }},
		{"tracing", func(n *node) { c.Tracing = d.tracing(n) }},
		{"include", func(n *node) { c.Include = d.include(n) }},
		{"$schema", func(n *node) { d.text(n, "$schema") }}, // for editors
	})
	if len(c.Servers) == 0 && len(c.Include) == 0 && len(d.problems) == 0 {
		d.warn(root.at, "no servers: add some under \"servers\"")
	}
	c.Warnings, c.Used, c.Private = d.warnings, d.used, slices.Clone(d.used)
	if d.plain {
		c.Private = append(c.Private, d.file)
	}
	return c
}

// servers adds the entries of one mapping. A name may stand in only one of the two.
func (d *decoder) servers(n *node, to *[]Server, names map[string]Position) {
	if n.about != nil {
		n.about.entries(func(e entry) { d.server(e) })
		return
	}
	if n.kind == nullNode {
		return
	}
	if n.kind != mapNode {
		d.problem(n.at, "servers must be a mapping of names to servers, not %s", n.kind)
		return
	}
	for _, e := range n.entries {
		if !d.spend(e.at) {
			return
		}
		if first, twice := names[e.key]; twice {
			d.problem(e.at, "server %q is already at %s: rename or remove one of them", clip(e.key), first)
			continue
		}
		names[e.key] = e.at
		if !validName(e.key) {
			d.problem(e.at, "%q cannot be a server's name: use 1 to %d printable characters without spaces around them",
				clip(e.key), mostNameLength)
			continue
		}
		*to = append(*to, d.server(e))
	}
}

const mostNameLength = 64

func validName(name string) bool {
	return name != "" && utf8.RuneCountInString(name) <= mostNameLength && strings.TrimSpace(name) == name &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

func (d *decoder) server(e entry) Server {
	s := Server{Name: e.key, At: e.at}
	var typeNode, commandNode, urlNode, envFile *node
	what := "server " + e.key
	before := len(d.problems)
	if e.value.kind == nullNode && e.value.about == nil {
		d.problem(e.at, "server %s is empty: it needs a command or a url", e.key)
		return s
	}
	d.fields(e.value, what, []field{
		{"command", func(n *node) { commandNode, s.Command = n, d.value(n, "command") }},
		{"args", func(n *node) { s.Args = d.values(n, "args") }},
		{"env", func(n *node) { s.Env = d.secrets(n, "env") }},
		{"envFile", func(n *node) { envFile, s.EnvFile = n, d.value(n, "envFile") }},
		{"cwd", func(n *node) { s.Dir = d.value(n, "cwd") }},
		{"url", func(n *node) { urlNode, s.URL = n, d.value(n, "url") }},
		{"headers", func(n *node) { s.Headers = d.secrets(n, "headers") }},
		{"oauth", func(n *node) { s.OAuth = d.login(n) }},
		{"type", func(n *node) { typeNode, s.Type = n, d.transport(n) }},
		{"disabled", func(n *node) { s.Disabled = d.boolean(n, "disabled") }},
		{"era", func(n *node) { s.Era = Era(d.oneOf(n, "era", "auto", "modern", "legacy")) }},
		{"sessions", func(n *node) { s.Sessions = Sessions(d.oneOf(n, "sessions", "shared", "per_agent")) }},
		{"max_in_flight", func(n *node) { s.MaxInFlight = d.integer(n, "max_in_flight", 1, 100_000) }},
		{"start_timeout", func(n *node) { s.StartTimeout = d.duration(n, "start_timeout", 0) }},
		{"probe_timeout", func(n *node) { s.ProbeTimeout = d.duration(n, "probe_timeout", 0) }},
		{"call_timeout", func(n *node) { s.CallTimeout = d.duration(n, "call_timeout", 0) }},
		{"timeout", func(n *node) { s.CallTimeout = d.duration(n, "timeout", 0) }}, // what most clients call it
		{"queue_timeout", func(n *node) { s.QueueTimeout = d.duration(n, "queue_timeout", 0) }},
		{"idle_timeout", func(n *node) { s.IdleTimeout = d.duration(n, "idle_timeout", Never) }},
		{"ttl", func(n *node) { s.TTL = d.duration(n, "ttl", 0) }},
		{"category", func(n *node) { s.Category = d.text(n, "category") }},
		{"tags", func(n *node) { s.Tags = d.texts(n, "tags") }},
		{"disabledTools", func(n *node) { s.Hidden = append(s.Hidden, d.texts(n, "disabledTools")...) }},
		{"excludeTools", func(n *node) { s.Hidden = append(s.Hidden, d.texts(n, "excludeTools")...) }},
		{"disabled_tools", func(n *node) { s.Hidden = append(s.Hidden, d.texts(n, "disabled_tools")...) }},
		{"autoApprove", func(n *node) { s.Approved = append(s.Approved, d.texts(n, "autoApprove")...) }},
		{"alwaysAllow", func(n *node) { s.Approved = append(s.Approved, d.texts(n, "alwaysAllow")...) }},
		{"includeTools", func(n *node) { s.Approved = append(s.Approved, d.texts(n, "includeTools")...) }},
		{"enabled_tools", func(n *node) { s.Approved = append(s.Approved, d.texts(n, "enabled_tools")...) }},
	})
	if s.Disabled {
		d.forgive(before)
	} else if envFile != nil && s.EnvFile != "" && !d.held {
		d.envFile(&s)
	}
	if len(d.problems) == before && e.value.about == nil {
		d.reach(&s, e.at, typeNode, commandNode, urlNode)
	}
	return s
}

// forgive drops what was said of variables since there were n problems: what is
// not started needs no values.
func (d *decoder) forgive(n int) {
	for _, i := range slices.Backward(d.unset) {
		if i >= n {
			d.problems = slices.Delete(d.problems, i, i+1)
		}
	}
	d.unset = slices.DeleteFunc(d.unset, func(i int) bool { return i >= n })
}

// envFile puts the variables of a server's file below those of its env.
func (d *decoder) envFile(s *Server) {
	s.EnvFile = d.path(s.EnvFile, d.variables.dir)
	if d.variables.translate {
		return
	}
	pairs := d.loadDotenv(s.EnvFile)
	if pairs == nil {
		return
	}
	maps.Copy(pairs, s.Env)
	s.Env = pairs
}

// transport reads a type in any of the spellings that clients use.
func (d *decoder) transport(n *node) Type {
	switch d.oneOf(n, "type", "stdio", "http", "streamable-http", "streamableHttp", "sse") {
	case "stdio":
		return Stdio
	case "http", "streamable-http", "streamableHttp":
		return Streamable
	case "sse":
		return SSE
	}
	return ""
}

// reach checks that a server says one way to reach it, and sets its type.
func (d *decoder) reach(s *Server, at Position, typeNode, commandNode, urlNode *node) {
	switch {
	case commandNode != nil && urlNode != nil:
		d.problem(urlNode.at, "server %s has a command and a url: remove one of them", s.Name)
		return
	case commandNode == nil && urlNode == nil:
		d.problem(at, "server %s needs a command or a url", s.Name)
		return
	case commandNode != nil && strings.TrimSpace(s.Command) == "":
		d.problem(commandNode.at, "the command of server %s is empty", s.Name)
		return
	}
	switch {
	case commandNode != nil && s.Type != "" && s.Type != Stdio:
		d.problem(typeNode.at, "server %s has a command, so its type is stdio; a server of type %s needs a url", s.Name, s.Type)
		return
	case urlNode != nil && s.Type == Stdio:
		d.problem(typeNode.at, "server %s has a url, so its type is http or sse; a stdio server needs a command", s.Name)
		return
	case commandNode != nil:
		s.Type = Stdio
		return
	case s.Type == "":
		s.Type = Streamable
	}
	d.quietly(func() { d.checkURL(s, urlNode) }) // a url may hold a key
}

func (d *decoder) checkURL(s *Server, n *node) {
	if d.variables.translate || d.held || s.Disabled && strings.Contains(s.URL, "${") {
		return // there are variables in it
	}
	u, err := url.Parse(s.URL)
	if err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Host == "" {
		d.problem(n.at, "the url of server %s must start with http:// or https:// and name a host", s.Name)
	}
}
