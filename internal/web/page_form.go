package web

import (
	"encoding/json"
	"strconv"
	"strings"

	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// A form is the fields by which a tool's arguments are typed in, made of its schema.
// What the schema says that no field can is typed as JSON.
type form struct {
	Fields  []field
	Example string // arguments that fit, as JSON
	Cut     bool   // the schema has more than is shown
}

// A field is one value.
type field struct {
	Name        string // of the property; "" of the items of an array
	ID          string // of its element
	Kind        string // string, text, number, integer, boolean, enum, object, array, json
	Required    bool
	Description string
	Default     string // as JSON, "" if there is none
	Hint        string // shown in an empty field
	Options     []option
	Fields      []field // of an object
	Item        *field  // of an array
	Min, Max    string  // of a number
}

// An option is one of the values of an enum.
type option struct {
	JSON string // the value
	Text string
}

const (
	formFields  = 200 // in one form
	formDepth   = 4
	formOptions = 300
	formText    = 600
)

// formOf makes the form of a schema.
func formOf(schema, example json.RawMessage) form {
	f := form{Example: "{}"}
	if len(example) > 0 {
		f.Example = pretty(example)
	}
	root, err := wire.ParseObject(schema)
	if err != nil {
		return f
	}
	b := formBuilder{root: root, left: formFields}
	f.Fields = b.fields(root, formDepth)
	f.Cut = b.cut
	return f
}

// A formBuilder goes through one schema.
type formBuilder struct {
	root *wire.Object
	left int // fields that there is room for
	made int
	cut  bool
}

// fields are those of an object's properties: required ones first.
func (b *formBuilder) fields(o *wire.Object, depth int) []field {
	properties, err := wire.ParseObject(o.Get("properties"))
	if err != nil {
		return nil
	}
	required := map[string]bool{}
	names, _ := wire.Elements(o.Get("required")) // none, where it is no list
	for _, raw := range names {
		if name, ok := wire.Text(raw); ok {
			required[name] = true
		}
	}
	var must, may []field
	for _, m := range properties.Members() {
		if b.left--; b.left < 0 {
			b.cut = true
			break
		}
		f := b.field(m.Name, m.Value, depth)
		if f.Required = required[m.Name]; f.Required {
			must = append(must, f)
		} else {
			may = append(may, f)
		}
	}
	return append(must, may...)
}

func (b *formBuilder) field(name string, raw []byte, depth int) field {
	b.made++
	f := field{Name: name, ID: "field-" + strconv.Itoa(b.made), Kind: "json"}
	o, ok := b.resolve(raw)
	if !ok {
		return f
	}
	f.Description = disclose.Cut(disclose.Line(o.Text("description")), formText)
	if value := o.Get("default"); len(value) > 0 && len(value) <= formText {
		f.Default = compactJSON(value)
		f.Hint = "default: " + f.Default
	}
	if options := b.options(o); options != nil {
		f.Kind, f.Options = "enum", options
		return f
	}
	switch kind := typeOf(o); kind {
	case "string":
		f.Kind = "string"
		if long(o, name) {
			f.Kind = "text"
		}
	case "number", "integer":
		f.Kind, f.Min, f.Max = kind, literal(o.Get("minimum")), literal(o.Get("maximum"))
	case "boolean":
		f.Kind = kind
	case "object":
		if depth > 0 {
			if fields := b.fields(o, depth-1); len(fields) > 0 {
				f.Kind, f.Fields = "object", fields
			}
		}
	case "array":
		if items := o.Get("items"); depth > 0 && items != nil {
			item := b.field("", items, depth-1)
			f.Kind, f.Item = "array", &item
		}
	}
	return f
}

// options are the values of an enum, nil if it is none.
func (b *formBuilder) options(o *wire.Object) []option {
	values, err := wire.Elements(o.Get("enum"))
	if err != nil || len(values) == 0 || len(values) > formOptions {
		return nil
	}
	out := make([]option, len(values))
	for i, raw := range values {
		// The value goes back as it came; what is shown of it is cleaned.
		out[i] = option{JSON: string(raw), Text: compactJSON(raw)}
		if text, ok := wire.Text(raw); ok {
			out[i].Text = disclose.Line(text)
		}
	}
	return out
}

// typeOf is the one type of a schema; null besides it goes without saying.
func typeOf(o *wire.Object) string {
	if name := o.Text("type"); name != "" {
		return name
	}
	names, err := wire.Elements(o.Get("type"))
	only := ""
	for _, raw := range names {
		if name, ok := wire.Text(raw); ok && name != "null" {
			if only != "" {
				return ""
			}
			only = name
		}
	}
	if err != nil && o.Get("properties") != nil {
		return "object"
	}
	return only
}

// long tells that a text may have several lines.
func long(o *wire.Object, name string) bool {
	for _, word := range [...]string{"body", "content", "text", "script", "code", "query", "message", "markdown", "sql"} {
		if strings.EqualFold(name, word) {
			return o.Get("maxLength") == nil && o.Get("format") == nil
		}
	}
	return false
}

func literal(raw []byte) string {
	var n json.Number
	if json.Unmarshal(raw, &n) != nil {
		return ""
	}
	return n.String()
}

// resolve follows references within the schema.
func (b *formBuilder) resolve(raw []byte) (*wire.Object, bool) {
	for range formDepth {
		o, err := wire.ParseObject(raw)
		if err != nil {
			return nil, false
		}
		pointer, ok := strings.CutPrefix(o.Text("$ref"), "#/")
		if !ok {
			return o, true
		}
		at := b.root
		parts := strings.Split(pointer, "/")
		for i, part := range parts {
			raw = at.Get(unescapePointer.Replace(part))
			if i == len(parts)-1 || raw == nil {
				break
			}
			if at, err = wire.ParseObject(raw); err != nil {
				return nil, false
			}
		}
		if raw == nil {
			return nil, false
		}
	}
	return nil, false
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
