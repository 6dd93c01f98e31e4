package disclose

import (
	"encoding/json"
	"strings"

	"toolcrib/internal/wire"
)

// A Parameter is one argument of a tool, as its schema describes it.
type Parameter struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"`
	Required    bool            `json:"required,omitempty"`
	Description string          `json:"description,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Enum        json.RawMessage `json:"enum,omitempty"` // where the type does not say it
	Limits      string          `json:"limits,omitempty"`
	Fields      []Parameter     `json:"fields,omitempty"` // of an object, or of the objects of a list
}

const (
	// maxParameters and maxNesting bound what is read of one schema.
	maxParameters = 400
	maxNesting    = 4

	maxName         = 100  // characters of a parameter's name
	maxParamText    = 600  // of its description
	maxParamLiteral = 1000 // of a default or a list of values
	maxDescription  = 6000 // of a tool's description in full
)

// A reader of one schema. What it cannot say in parameters makes it inexact.
type reader struct {
	root    *wire.Object
	left    int
	inexact bool
}

// Parameters are the arguments that a schema describes, required ones first.
// exact is unset when the schema says more than they do.
func Parameters(schema json.RawMessage) (list []Parameter, exact bool) {
	root, err := wire.ParseObject(schema)
	if err != nil {
		return nil, len(schema) == 0
	}
	r := reader{root: root, left: maxParameters}
	list = r.fields(root, maxNesting)
	for _, m := range root.Members() {
		if !saidByParameters[m.Name] {
			r.inexact = true
		}
	}
	return list, !r.inexact
}

// saidByParameters are the keywords of a schema's top that its parameters say,
// or that no caller needs.
var saidByParameters = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true,
	"$schema": true, "$id": true, "title": true, "description": true, "$defs": true, "definitions": true, "default": true,
}

// fields are the members of an object's schema.
func (r *reader) fields(o *wire.Object, depth int) []Parameter {
	props, err := wire.ParseObject(o.Get("properties"))
	if err != nil {
		return nil
	}
	required := map[string]bool{}
	if names, err := wire.Elements(o.Get("required")); err == nil {
		for _, raw := range names {
			if name, ok := wire.Text(raw); ok {
				required[name] = true
			}
		}
	}
	var must, may []Parameter
	for _, m := range props.Members() {
		if r.left--; r.left < 0 {
			r.inexact = true
			break
		}
		p := r.parameter(m.Name, m.Value, depth)
		if p.Required = required[m.Name]; p.Required {
			must = append(must, p)
		} else {
			may = append(may, p)
		}
	}
	return append(must, may...)
}

func (r *reader) parameter(name string, raw []byte, depth int) Parameter {
	p := Parameter{Name: Cut(Line(name), maxName), Type: "any"}
	o, ok := r.resolve(raw)
	if !ok {
		return p
	}
	p.Type = r.word(o, depth)
	p.Description = Cut(Line(head(o.Text("description"), 4*maxParamText)), maxParamText)
	p.Default = r.literal(o.Get("default"))
	if p.Limits = limits(o); !strings.Contains(p.Type, "'") {
		p.Enum = r.literal(o.Get("enum"))
	}
	inner := o
	if items, ok := r.resolve(o.Get("items")); ok {
		inner = items
		if p.Enum == nil && !strings.Contains(p.Type, "'") {
			p.Enum = r.literal(items.Get("enum"))
		}
	}
	switch {
	case inner.Get("properties") == nil:
	case depth == 0:
		r.inexact = true
	default:
		p.Fields = r.fields(inner, depth-1)
	}
	for _, keyword := range [...]string{"anyOf", "oneOf", "allOf", "not", "if", "patternProperties", "prefixItems", "dependentRequired"} {
		if o.Get(keyword) != nil && !nullable(o.Get(keyword)) {
			r.inexact = true
		}
	}
	return p
}

// limits are what a schema says of a value besides its type.
func limits(o *wire.Object) string {
	var list []string
	for _, keyword := range [...]string{
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "format", "pattern",
	} {
		if raw := o.Get(keyword); raw != nil && len(raw) <= maxName {
			list = append(list, keyword+" "+strings.Trim(string(cleanJSON(raw)), `"`))
		}
	}
	return strings.Join(list, ", ")
}

// literal is a value small enough to be shown.
func (r *reader) literal(raw []byte) json.RawMessage {
	if raw == nil {
		return nil
	}
	if clean := cleanJSON(raw); len(clean) <= maxParamLiteral {
		return clean
	}
	r.inexact = true
	return nil
}

// resolve parses a schema and follows references within it.
func (r *reader) resolve(raw []byte) (*wire.Object, bool) {
	for range maxNesting {
		o, err := wire.ParseObject(raw)
		if err != nil {
			return nil, false
		}
		ref, ok := strings.CutPrefix(o.Text("$ref"), "#/")
		if !ok {
			return o, true
		}
		if raw = r.at(ref); raw == nil {
			return o, true
		}
	}
	return nil, false
}

// at is what a reference points to.
func (r *reader) at(pointer string) []byte {
	o := r.root
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		raw := o.Get(unescapePointer.Replace(part))
		if raw == nil || i == len(parts)-1 {
			return raw
		}
		next, err := wire.ParseObject(raw)
		if err != nil {
			return nil
		}
		o = next
	}
	return nil
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// nullable tells that alternatives only say that null is allowed as well.
func nullable(raw []byte) bool {
	list, err := wire.Elements(raw)
	if err != nil || len(list) != 2 {
		return false
	}
	return string(wire.Find(list[0], "type")) == `"null"` || string(wire.Find(list[1], "type")) == `"null"`
}

// word is a type in one word: str, int, [str], a|b.
func (r *reader) word(o *wire.Object, depth int) string {
	if values, err := wire.Elements(o.Get("enum")); err == nil && len(values) > 0 {
		if word, ok := enumWord(values); ok {
			return word
		}
	}
	if raw := o.Get("const"); raw != nil && len(raw) <= 40 {
		return string(cleanJSON(raw))
	}
	if name := o.Text("type"); name != "" {
		return r.named(name, o, depth)
	}
	if names, err := wire.Elements(o.Get("type")); err == nil {
		return r.union(len(names), func(i int) string {
			name, _ := wire.Text(names[i])
			return r.named(name, o, depth)
		})
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		if list, err := wire.Elements(o.Get(keyword)); err == nil {
			return r.union(len(list), func(i int) string {
				alternative, ok := r.resolve(list[i])
				if !ok || depth == 0 {
					return "any"
				}
				return r.word(alternative, depth-1)
			})
		}
	}
	if o.Get("properties") != nil {
		return "obj"
	}
	return "any"
}

// union joins the words of alternatives; null goes without saying.
func (r *reader) union(n int, word func(int) string) string {
	var words []string
	for i := range min(n, 6) {
		w := word(i)
		if w != "null" && !contains(words, w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return "any"
	}
	return strings.Join(words, "|")
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

func (r *reader) named(name string, o *wire.Object, depth int) string {
	switch name {
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "num"
	case "boolean":
		return "bool"
	case "object":
		return "obj"
	case "array":
		items, ok := r.resolve(o.Get("items"))
		if !ok || depth == 0 {
			return "[any]"
		}
		return "[" + r.word(items, depth-1) + "]"
	case "null":
		return "null"
	}
	return "any"
}

// enumWord is a short list of values as a type.
func enumWord(values [][]byte) (string, bool) {
	const most, longest = 5, 40
	if len(values) > most {
		return "", false
	}
	words, size := make([]string, len(values)), 0
	for i, raw := range values {
		if text, ok := wire.Text(raw); ok {
			words[i] = "'" + Line(text) + "'"
		} else {
			words[i] = string(cleanJSON(raw))
		}
		size += len(words[i]) + 1
	}
	return strings.Join(words, "|"), size <= longest
}
