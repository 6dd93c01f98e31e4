package call

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Example is a small object of arguments that fits an input schema: what is
// required, as the schema's own constants, defaults, examples and values have
// it, or else placeholders of the right type. The same schema always has the
// same example. A schema that cannot be read has the example {}.
func Example(schema []byte) []byte {
	return appendJSON(nil, exampleOf(schema))
}

// A field is a member of an example; fields are an example's object, []any a
// list, and json.Number, string, bool and nil the rest.
type field struct {
	name  string
	value any
}

type fields []field

const (
	maxExampleValues = 200
	maxExampleDepth  = 8
	maxExampleValue  = 500 // bytes of a value that the schema gives
)

func exampleOf(schema []byte) fields {
	doc, ok := readSchema(schema)
	if !ok {
		return fields{}
	}
	e := exampler{doc: doc, left: maxExampleValues}
	return e.object(e.parts(nil, doc.root, 0), 0)
}

type exampler struct {
	doc  schemaDoc
	left int // values
}

// parts are all the schemas that one value has to fit: one, what it refers to,
// its allOf, and of every anyOf and oneOf the first branch that is not null.
func (e *exampler) parts(all []map[string]any, schema any, depth int) []map[string]any {
	object, ok := schema.(map[string]any)
	if !ok || depth > maxExampleDepth || len(all) > 50 {
		return all
	}
	ref, refers := object["$ref"].(string)
	if !refers || e.doc.siblings {
		all = append(all, object)
	}
	if refers {
		all = e.parts(all, e.doc.resolve(ref), depth+1)
		if !e.doc.siblings {
			return all
		}
	}
	every, _ := object["allOf"].([]any)
	for _, one := range every {
		all = e.parts(all, one, depth+1)
	}
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		branches, _ := object[keyword].([]any)
		for _, one := range branches {
			branch, _ := one.(map[string]any)
			if branch != nil && branch["type"] != "null" {
				all = e.parts(all, branch, depth+1)
				break
			}
		}
	}
	return all
}

// value is an example of the value that is called name.
func (e *exampler) value(schema any, name string, depth int) any {
	if e.left--; e.left < 0 || depth > maxExampleDepth {
		return nil
	}
	parts := e.parts(nil, schema, 0)
	kinds := kind(anyKind)
	for _, p := range parts {
		if k := kindsNamed(p["type"]); k != 0 {
			kinds &= k
		}
	}
	if given, ok := givenValue(parts, kinds); ok {
		return given
	}
	switch {
	case kinds == anyKind && has(parts, "properties"):
		kinds = kindObject
	case kinds == anyKind && has(parts, "items"):
		kinds = kindList
	}
	switch {
	case kinds&kindString != 0:
		return placeholder(parts, name)
	case kinds&kindNumber != 0:
		return exampleNumber(parts, name, kinds)
	case kinds&kindList != 0:
		return e.list(parts, name, depth)
	case kinds&kindObject != 0:
		return e.object(parts, depth)
	case kinds&kindBool != 0:
		return false
	}
	return nil
}

func (e *exampler) list(parts []map[string]any, name string, depth int) []any {
	n := 1
	for _, p := range parts {
		n = min(max(n, countIn(p, "minItems", 0)), countIn(p, "maxItems", maxExampleValues))
	}
	list := []any{}
	for range min(n, e.left) {
		list = append(list, e.value(first(parts, "items"), singular(name), depth+1))
	}
	return list
}

func (e *exampler) object(parts []map[string]any, depth int) fields {
	out := fields{}
	for _, p := range parts {
		required, _ := p["required"].([]any)
		for _, name := range stringsOf(required) {
			if slices.ContainsFunc(out, func(f field) bool { return f.name == name }) || e.left <= 0 {
				continue
			}
			out = append(out, field{name, e.value(propertyIn(parts, name), name, depth+1)})
		}
	}
	return out
}

func propertyIn(parts []map[string]any, name string) any {
	for _, p := range parts {
		properties, _ := p["properties"].(map[string]any)
		if schema, ok := properties[name].(map[string]any); ok {
			return schema
		}
	}
	return map[string]any{}
}

// givenValue is a value that the schema itself gives.
func givenValue(parts []map[string]any, kinds kind) (any, bool) {
	for _, keyword := range [...]string{"const", "default", "examples", "example", "enum"} {
		for _, p := range parts {
			value, given := p[keyword]
			if list, ok := value.([]any); ok && (keyword == "examples" || keyword == "enum") {
				i := slices.IndexFunc(list, func(v any) bool { return v != nil })
				given = i >= 0
				if given {
					value = list[i]
				}
			}
			if !given || value == nil && keyword != "const" {
				continue
			}
			raw, err := json.Marshal(value)
			if err == nil && len(raw) <= maxExampleValue && kinds&kindOf(raw) != 0 && inEnum(parts, raw) {
				return value, true
			}
		}
	}
	return nil, false
}

// inEnum keeps an example that is none from being given.
func inEnum(parts []map[string]any, raw []byte) bool {
	for _, p := range parts {
		if set := valuesOf(p); set != nil && !set.has(raw, kindOf(raw)) {
			return false
		}
	}
	return true
}

func has(parts []map[string]any, keyword string) bool { return first(parts, keyword) != nil }

// first is the first value of a keyword, nil if no part has it.
func first(parts []map[string]any, keyword string) any {
	for _, p := range parts {
		if value := p[keyword]; value != nil {
			return value
		}
	}
	return nil
}

func appendJSON(b []byte, value any) []byte {
	switch v := value.(type) {
	case fields:
		b = append(b, '{')
		for i, f := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendPlain(b, f.name), ':')
			b = appendJSON(b, f.value)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, one := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, one)
		}
		return append(b, ']')
	}
	return appendPlain(b, value)
}

// appendPlain leaves < and > as they are: placeholders have them.
func appendPlain(b []byte, value any) []byte {
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil { // what was decoded from JSON always encodes
		return append(b, "null"...)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
}
