package script

import (
	"encoding/json"
	"strings"
)

// emptyTable is what Lua writes for a table with nothing in it: only the schema of
// the tool can tell whether an array or an object is meant.
const emptyTable = 2

// fillEmpty decides for every empty table in the arguments of a tool.
func fillEmpty(arguments []byte, schema json.RawMessage) []byte {
	var root any
	if len(schema) > 0 {
		_ = json.Unmarshal(schema, &root) // a schema that is none says nothing
	}
	f := &filler{in: arguments, root: root}
	f.value(root)
	return f.out
}

// A filler walks arguments and the schema together. The arguments were written by
// the bridge: they are compact and well formed.
type filler struct {
	in, out []byte
	at      int
	root    any
}

func (f *filler) value(schema any) {
	switch f.in[f.at] {
	case emptyTable:
		f.at++
		if f.wantsArray(schema, 0) {
			f.out = append(f.out, "[]"...)
		} else {
			f.out = append(f.out, "{}"...)
		}
	case '{':
		f.list('}', func() {
			key := f.scalar()
			f.copy()
			f.value(f.property(schema, key, 0))
		})
	case '[':
		f.list(']', func() { f.value(f.items(schema, 0)) })
	default:
		f.scalar()
	}
}

// list copies an array or object, whose members member copies.
func (f *filler) list(end byte, member func()) {
	f.copy()
	for f.in[f.at] != end {
		if f.in[f.at] == ',' {
			f.copy()
		}
		member()
	}
	f.copy()
}

func (f *filler) copy() {
	f.out = append(f.out, f.in[f.at])
	f.at++
}

// scalar copies a string, number, word or handle, and returns its text.
func (f *filler) scalar() string {
	start := f.at
	if f.in[f.at] == '"' {
		for f.at++; f.in[f.at] != '"'; f.at++ {
			if f.in[f.at] == '\\' {
				f.at++
			}
		}
		f.at++
	} else {
		for f.at < len(f.in) && !strings.ContainsRune(",]}", rune(f.in[f.at])) {
			f.at++
		}
	}
	f.out = append(f.out, f.in[start:f.at]...)
	return text(f.in[start:f.at])
}

// schemaDepth bounds how many references and alternatives are followed.
const schemaDepth = 16

// each calls f with a schema and all that it refers to or is made of, until one says
// that it knows.
func (f *filler) each(schema any, level int, known func(map[string]any) bool) bool {
	s, ok := schema.(map[string]any)
	if !ok || level > schemaDepth {
		return false
	}
	if known(s) {
		return true
	}
	if ref, ok := s["$ref"].(string); ok && f.each(f.resolve(ref), level+1, known) {
		return true
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		parts, _ := s[word].([]any)
		for _, part := range parts {
			if f.each(part, level+1, known) {
				return true
			}
		}
	}
	return false
}

func (f *filler) resolve(ref string) any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := f.root
	for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if path == "" || path == "/" {
			return at
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		s, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = s[step]
	}
	return at
}

// wantsArray tells whether an array is allowed and an object is not.
func (f *filler) wantsArray(schema any, level int) bool {
	array, object := false, false
	f.each(schema, level, func(s map[string]any) bool {
		types, many := s["type"].([]any)
		if !many {
			types = []any{s["type"]}
		}
		for _, t := range types {
			array = array || t == "array"
			object = object || t == "object"
		}
		if s["type"] == nil && s["items"] != nil {
			array = true
		}
		if s["type"] == nil && s["properties"] != nil {
			object = true
		}
		return false
	})
	return array && !object
}

func (f *filler) property(schema any, name string, level int) (found any) {
	f.each(schema, level, func(s map[string]any) bool {
		if properties, ok := s["properties"].(map[string]any); ok && properties[name] != nil {
			found = properties[name]
		} else if found == nil {
			found = s["additionalProperties"]
		}
		return found != nil
	})
	return found
}

func (f *filler) items(schema any, level int) (found any) {
	f.each(schema, level, func(s map[string]any) bool {
		found = s["items"]
		return found != nil
	})
	return found
}
