package config

import (
	"encoding/json"
	"regexp"
	"strings"
)

func textOf(s string) *node   { return &node{kind: textNode, text: s} }
func numberOf(s string) *node { return &node{kind: numberNode, text: s} }
func boolOf(b bool) *node {
	if b {
		return &node{kind: boolNode, text: "true"}
	}
	return &node{kind: boolNode, text: "false"}
}

func listOf(texts []string) *node {
	n := &node{kind: listNode}
	for _, t := range texts {
		n.items = append(n.items, textOf(t))
	}
	return n
}

// set adds a key, unless there is nothing to say.
func (n *node) set(key string, value *node) {
	if value != nil {
		n.entries = append(n.entries, entry{key: key, value: value})
	}
}

// json is n as JSON, indented by a prefix and steps as json.Indent has them.
func (n *node) json(prefix, step string) string {
	inner := prefix + step
	var parts []string
	switch n.kind {
	case nullNode:
		return "null"
	case boolNode, numberNode:
		return n.text
	case textNode:
		return quote(n.text)
	case listNode:
		for _, item := range n.items {
			parts = append(parts, item.json(inner, step))
		}
		if n.flat() {
			return "[" + strings.Join(parts, ", ") + "]"
		}
		return "[\n" + inner + strings.Join(parts, ",\n"+inner) + "\n" + prefix + "]"
	}
	for _, e := range n.entries {
		parts = append(parts, quote(e.key)+": "+e.value.json(inner, step))
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{\n" + inner + strings.Join(parts, ",\n"+inner) + "\n" + prefix + "}"
}

// jsonLine is n as JSON in one line.
func (n *node) jsonLine() string {
	var parts []string
	switch n.kind {
	case listNode:
		for _, item := range n.items {
			parts = append(parts, item.jsonLine())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case mapNode:
		for _, e := range n.entries {
			parts = append(parts, quote(e.key)+": "+e.value.jsonLine())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.json("", "")
}

// flat tells whether a list fits into one line: it has single values alone.
func (n *node) flat() bool {
	for _, item := range n.items {
		if item.kind >= listNode {
			return false
		}
	}
	return true
}

// quote is text as a JSON string, which YAML and TOML read too.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // text has an encoding, whatever it holds
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// yaml is n as the lines of a YAML block, each behind indent.
func (n *node) yaml(indent string) string {
	var b strings.Builder
	switch n.kind {
	case mapNode:
		for _, e := range n.entries {
			b.WriteString(indent + yamlScalar(e.key) + ":" + e.value.yamlValue(indent+"  "))
		}
	case listNode:
		for _, item := range n.items {
			b.WriteString(indent + "-" + item.yamlItem(indent+"  "))
		}
	}
	return b.String()
}

// yamlValue is what follows the colon of a key.
func (n *node) yamlValue(indent string) string {
	switch {
	case n.kind == listNode && n.flat():
		var parts []string
		for _, item := range n.items {
			parts = append(parts, item.yamlFlow())
		}
		return " [" + strings.Join(parts, ", ") + "]\n"
	case n.kind == mapNode && len(n.entries) == 0:
		return " {}\n"
	case n.kind >= listNode:
		return "\n" + n.yaml(indent)
	case n.kind == textNode:
		return " " + yamlScalar(n.text) + "\n"
	}
	return " " + n.json("", "") + "\n"
}

// yamlItem is what follows the dash of a list.
func (n *node) yamlItem(indent string) string {
	if n.kind == mapNode && len(n.entries) > 0 {
		return " " + strings.TrimPrefix(n.yaml(indent), indent)
	}
	return n.yamlValue(indent)
}

func (n *node) yamlFlow() string {
	if n.kind == textNode && plainFlow.MatchString(n.text) && !yamlWord.MatchString(n.text) {
		return n.text
	}
	return n.json("", "")
}

var (
	plainYAML = regexp.MustCompile(`^[A-Za-z_/.][A-Za-z0-9_ ./@+=,()-]*(:[A-Za-z0-9_/.@+=,()-]+)*$`)
	plainFlow = regexp.MustCompile(`^[A-Za-z_/.][A-Za-z0-9_./@+=()-]*(:[A-Za-z0-9_/.@+=()-]+)*$`)
	spanYAML  = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(h|m|s|ms))+$`)
	yamlWord  = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|y|n|null|\.inf|\.nan|[.][0-9].*)$`)
)

func yamlScalar(s string) string {
	if spanYAML.MatchString(s) || plainYAML.MatchString(s) && !yamlWord.MatchString(s) && strings.TrimSpace(s) == s {
		return s
	}
	return quote(s)
}

// toml is n as a TOML table of that name, its own tables inline.
func (n *node) toml(name ...string) string {
	var b strings.Builder
	keys := make([]string, len(name))
	for i, key := range name {
		keys[i] = tomlKey(key)
	}
	b.WriteString("[" + strings.Join(keys, ".") + "]\n")
	for _, e := range n.entries {
		b.WriteString(tomlKey(e.key) + " = " + e.value.tomlValue() + "\n")
	}
	return b.String()
}

func (n *node) tomlValue() string {
	var parts []string
	switch n.kind {
	case nullNode:
		return `""`
	case listNode:
		for _, item := range n.items {
			parts = append(parts, item.tomlValue())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case mapNode:
		for _, e := range n.entries {
			parts = append(parts, tomlKey(e.key)+" = "+e.value.tomlValue())
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return n.json("", "")
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func tomlKey(key string) string {
	if bareKey.MatchString(key) {
		return key
	}
	return quote(key)
}
