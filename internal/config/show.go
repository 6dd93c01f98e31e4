package config

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// YAML is what c comes to, as a file of ours would say it, without secrets.
func (c Config) YAML() string { return c.masked().yaml("") }

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
		pair{"ttl", span(d.TTL)}, pair{"parallel", number(d.Parallel)}, pair{"timeout", span(d.Timeout)}, pair{"probe", falsely(d.NoProbe)},
		pair{"predict", part(pair{"url", text(maskURL(d.Predict.URL))}, pair{"model", text(d.Predict.Model)}, pair{"key_env", text(d.Predict.KeyEnv)})},
	))
	root.set("categories", c.categories())
	c.guarded(root)
	root.set("http", c.HTTP.node())
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
		pair{"category", text(s.Category)}, pair{"tags", texts(s.Tags)}, pair{"autoApprove", texts(s.Approved)},
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
