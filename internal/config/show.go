package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// YAML is what c comes to, as a file of ours would say it, without secrets.
// Servers of other clients say where they stand.
func (c Config) YAML() string {
	root := c.masked()
	var b strings.Builder
	b.WriteString("servers:")
	if len(c.Servers) == 0 {
		b.WriteString(" {}")
	}
	b.WriteString("\n")
	for i, s := range c.Servers {
		if s.Source != "" {
			b.WriteString("  # " + s.origin() + "\n")
		}
		b.WriteString(part(pair{s.Name, root.entries[0].value.entries[i].value}).yaml("  "))
	}
	root.entries = root.entries[1:]
	return b.String() + root.yaml("")
}

// origin says whose a server is, in one line.
func (s Server) origin() string {
	text := fmt.Sprintf("from %q, line %d", s.Source, s.At.Line)
	if len(s.Aliases) > 0 {
		text += fmt.Sprintf(", also called %q", s.Aliases)
	}
	if s.Untrusted {
		text += ", a project's own file: not started before toolcrib trust approves it"
	}
	return text
}

// JSON is the same as JSON.
func (c Config) JSON() string { return c.masked().json("", "  ") + "\n" }

// YAML is a server's entry, without secrets.
func (s Server) YAML() string { return s.Masked().node().yaml("") }

func (c Config) masked() *node {
	root := &node{kind: mapNode}
	servers := &node{kind: mapNode}
	for _, s := range c.Servers {
		servers.set(s.Name, s.Masked().node())
	}
	root.set("servers", servers)
	root.set("disclosure", part(
		pair{"surface", text(string(c.Disclosure.Surface))}, pair{"auto_tokens", number(c.Disclosure.AutoTokens)},
		pair{"first_call", text(string(c.Disclosure.FirstCall))}, pair{"max_result", number(c.Disclosure.MaxResult)},
		pair{"essential", texts(c.Disclosure.Essential)}, pair{"caller_header", text(c.Disclosure.CallerHeader)},
	))
	d := c.Discovery
	root.set("discovery", part(
		pair{"ttl", span(d.TTL)}, pair{"parallel", number(d.Parallel)}, pair{"timeout", span(d.Timeout)}, pair{"probe", falsely(d.NoProbe)}, pair{"cache", falsely(d.NoCache)},
		pair{"predict", part(pair{"url", text(maskURL(d.Predict.URL))}, pair{"model", text(d.Predict.Model)}, pair{"key_env", text(d.Predict.KeyEnv)})},
	))
	e := c.Search.Embedder
	root.set("search", part(
		pair{"learn", falsely(c.Search.NoLearning)},
		pair{"embedder", part(pair{"url", text(maskURL(e.URL))}, pair{"model", text(e.Model)}, pair{"key_env", text(e.KeyEnv)})},
	))
	root.set("execute", c.Execute.node())
	root.set("categories", c.categories())
	root.set("scripts", c.scripts())
	c.guarded(root)
	root.set("tracing", part(pair{"arguments", truly(c.Tracing.Arguments)}, pair{"results", truly(c.Tracing.Results)}))
	root.set("http", c.HTTP.node())
	root.set("include", texts(c.Include))
	return root
}

func (c Config) categories() *node {
	if len(c.Categories) == 0 {
		return nil
	}
	list := &node{kind: listNode}
	for _, r := range c.Categories {
		list.items = append(list.items, part(pair{"category", text(r.Category)}, pair{"server", text(r.Server)}, pair{"tools", texts(r.Tools)}, pair{"words", texts(r.Words)}))
	}
	return list
}

func (c Config) scripts() *node {
	if len(c.Scripts) == 0 {
		return nil
	}
	all := &node{kind: mapNode}
	for _, s := range c.Scripts {
		parameters := &node{kind: mapNode}
		for _, p := range s.Parameters {
			parameters.set(p.Name, &node{kind: mapNode, entries: part(
				pair{"type", text(p.Type)}, pair{"description", text(p.Description)}, pair{"required", truly(p.Required)},
				pair{"default", rawOf(p.Default)}, pair{"enum", rawOf(p.Enum)},
			).each()})
		}
		if len(parameters.entries) == 0 {
			parameters = nil
		}
		all.set(s.Name, part(pair{"file", text(s.File)}, pair{"source", text(s.Source)}, pair{"description", text(s.Description)}, pair{"parameters", parameters}))
	}
	return all
}

// rawOf is a value that is JSON already, which YAML reads too.
func rawOf(json string) *node {
	if json == "" {
		return nil
	}
	return numberOf(json)
}

// node is s as an entry of our file. What is in EnvFile is not said twice.
func (s Server) node() *node {
	kind := text(string(s.Type))
	if s.Type == Stdio || s.Type == Streamable {
		kind = nil // it follows from command or url
	}
	return part(
		pair{"command", text(s.Command)}, pair{"args", texts(s.Args)}, pair{"env", mapping(s.Env)}, pair{"envFile", text(s.EnvFile)}, pair{"cwd", text(s.Dir)},
		pair{"url", text(s.URL)}, pair{"headers", mapping(s.Headers)}, pair{"oauth", s.OAuth.node()}, pair{"type", kind}, pair{"disabled", truly(s.Disabled)},
		pair{"era", text(string(s.Era))}, pair{"sessions", text(string(s.Sessions))}, pair{"max_in_flight", number(s.MaxInFlight)},
		pair{"start_timeout", span(s.StartTimeout)}, pair{"probe_timeout", span(s.ProbeTimeout)}, pair{"call_timeout", span(s.CallTimeout)},
		pair{"queue_timeout", span(s.QueueTimeout)}, pair{"idle_timeout", span(s.IdleTimeout)}, pair{"ttl", span(s.TTL)},
		pair{"category", text(s.Category)}, pair{"tags", texts(s.Tags)}, pair{"disabledTools", texts(s.Hidden)}, pair{"autoApprove", texts(s.Approved)},
	)
}

type pair struct {
	key   string
	value *node
}

// part is a mapping of what there is, nil if that is nothing.
func part(pairs ...pair) *node {
	n := &node{kind: mapNode}
	for _, p := range pairs {
		n.set(p.key, p.value)
	}
	if len(n.entries) == 0 {
		return nil
	}
	return n
}

func text(s string) *node {
	if s == "" {
		return nil
	}
	return textOf(s)
}

func texts(list []string) *node {
	if list == nil {
		return nil
	}
	return listOf(list)
}

func number(n int) *node {
	if n == 0 {
		return nil
	}
	return numberOf(strconv.Itoa(n))
}

func truly(b bool) *node {
	if !b {
		return nil
	}
	return boolOf(true)
}

func falsely(b bool) *node {
	if !b {
		return nil
	}
	return boolOf(false)
}

func span(d time.Duration) *node {
	switch d {
	case 0:
		return nil
	case Never:
		return textOf("never")
	}
	return textOf(d.String())
}

func mapping(values map[string]string) *node {
	if len(values) == 0 {
		return nil
	}
	n := &node{kind: mapNode}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		n.set(key, textOf(values[key]))
	}
	return n
}
