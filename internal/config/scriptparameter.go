package config

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A ScriptParameter is a member of the args of a script.
type ScriptParameter struct {
	Name        string
	Type        string // of JSON; "" for any
	Description string
	Required    bool
	Default     string // JSON, "" for none
	Enum        string // JSON, a list of all values there are; "" for any
}

func (d *decoder) scriptParameters(n *node, script string) []ScriptParameter {
	if n.about != nil {
		n.about.entries(func(e entry) { d.scriptParameter(e) })
		return nil
	}
	if n.kind == nullNode {
		return nil
	}
	if n.kind != mapNode {
		d.problem(n.at, "parameters of %s must be a mapping of names to parameters, not %s", script, n.kind)
		return nil
	}
	var out []ScriptParameter
	for _, e := range n.entries {
		if !d.spend(e.at) {
			break
		}
		if !validName(e.key) {
			d.problem(e.at, "%q cannot be a parameter's name: use 1 to %d printable characters without spaces around them", clip(e.key), mostNameLength)
			continue
		}
		out = append(out, d.scriptParameter(e))
	}
	return out
}

func (d *decoder) scriptParameter(e entry) ScriptParameter {
	p := ScriptParameter{Name: e.key}
	what := "parameter " + e.key
	var value, values *node
	before := len(d.problems)
	d.fields(e.value, what, []field{
		{"type", func(n *node) {
			p.Type = d.oneOf(n, "type", "string", "integer", "number", "boolean", "array", "object")
		}},
		{"description", func(n *node) { p.Description = d.text(n, "description") }},
		{"required", func(n *node) { p.Required = d.boolean(n, "required") }},
		{"default", func(n *node) { value = n }},
		{"enum", func(n *node) { values = n }},
	})
	if e.value.about != nil {
		return p
	}
	if values != nil {
		p.Enum = d.enum(values, p.Type)
	}
	if value != nil {
		p.Default = d.jsonOf(value, "default")
		d.fits(value, "default", p.Type)
		if values != nil && values.kind == listNode && len(d.problems) == before && !slices.ContainsFunc(values.items, func(n *node) bool { return n.text == value.text }) {
			d.problem(value.at, "default must be one of the values of enum")
		}
		if p.Required {
			d.problem(value.at, "%s has a default, so it cannot be required: remove one of them", what)
		}
	}
	return p
}

// enum reads the values that a parameter may have.
func (d *decoder) enum(n *node, of string) string {
	if n.kind != listNode || len(n.items) == 0 {
		d.problem(n.at, "enum must be a list of values, not %s", n.kind)
		return ""
	}
	for _, item := range n.items {
		if item.kind == listNode || item.kind == mapNode {
			d.problem(item.at, "an item of enum must be a single value, not %s", item.kind)
			return ""
		}
		d.fits(item, "an item of enum", of)
	}
	return d.jsonOf(n, "enum")
}

// fits reports a value that is of another type than it is said to be.
func (d *decoder) fits(n *node, what, of string) {
	kinds := map[string]kind{"string": textNode, "integer": numberNode, "number": numberNode, "boolean": boolNode, "array": listNode, "object": mapNode}
	if want, known := kinds[of]; known && (n.kind != want || of == "integer" && strings.ContainsAny(n.text, ".eE")) {
		d.problem(n.at, "%s must be of the type %s, not %s", what, of, said(n))
	}
}

// said is a value as a message names it.
func said(n *node) string {
	if n.kind == numberNode || n.kind == boolNode {
		return clip(n.text)
	}
	return n.kind.String()
}

// jsonOf writes a value as JSON, "" if it cannot be written so.
func (d *decoder) jsonOf(n *node, what string) string {
	if !d.spend(n.at) {
		return ""
	}
	switch n.kind {
	case nullNode:
		return "null"
	case boolNode:
		return strings.ToLower(n.text)
	case numberNode:
		if !jsonNumber.MatchString(n.text) {
			d.problem(n.at, "%s: write the number %s in digits", what, clip(n.text))
			return ""
		}
		return n.text
	case textNode:
		return asJSON(n.text)
	}
	var parts []string
	for _, item := range n.items {
		parts = append(parts, d.jsonOf(item, what))
	}
	for _, e := range n.entries {
		parts = append(parts, asJSON(e.key)+":"+d.jsonOf(e.value, what))
	}
	if n.kind == listNode {
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "{" + strings.Join(parts, ",") + "}"
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// asJSON is text as a JSON string.
func asJSON(text string) string {
	b, _ := json.Marshal(text) // text has an encoding, whatever it holds
	return string(b)
}
