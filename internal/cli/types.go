package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"toolcrib/internal/disclose"
)

// A jsonKind is the type of a JSON value, as schemas name it.
type jsonKind string

// kindOf is the type of a text that is JSON, "" for one that is not.
func kindOf(text []byte) jsonKind {
	trimmed := strings.TrimSpace(string(text))
	if trimmed == "" || !json.Valid([]byte(trimmed)) {
		return ""
	}
	switch trimmed[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if strings.ContainsAny(trimmed, ".eE") {
		return "number"
	}
	return "integer"
}

func (k jsonKind) words() string {
	switch k {
	case "array", "object", "integer":
		return "an " + string(k)
	case "null":
		return "null"
	}
	return "a " + string(k)
}

// types are what a schema says of the types of arguments. It decides only how text
// is read: whether the arguments fit is checked elsewhere.
type types struct{ root map[string]any }

func readTypes(schema json.RawMessage) types {
	var t types
	_ = json.Unmarshal(schema, &t.root) // one that cannot be read says nothing
	return t
}

// value is the value of an argument that was given as texts; ok is unset if there
// are several and it is no list.
func (t types) value(name string, texts []string) (value json.RawMessage, ok bool) {
	properties, _ := t.root["properties"].(map[string]any)
	of := properties[name]
	if len(texts) == 1 {
		return t.read(texts[0], of), true
	}
	kinds := t.kinds(of, maxReferences)
	if len(kinds) > 0 && !slices.Contains(kinds, "array") {
		return nil, false
	}
	list := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		list[i] = t.read(text, t.items(of))
	}
	return disclose.JSON(list), true
}

// read is text as a value of a schema. What the schema takes as it is written in
// JSON is that; else it is text, or the only item of a list. Without a schema, what is
// JSON is that.
func (t types) read(text string, of any) json.RawMessage {
	kinds, kind := t.kinds(of, maxReferences), kindOf([]byte(text))
	takes := func(k jsonKind) bool {
		return slices.Contains(kinds, k) || k == "integer" && slices.Contains(kinds, "number")
	}
	switch {
	case kind != "" && (len(kinds) == 0 || kind != "string" && takes(kind)):
		return json.RawMessage(strings.TrimSpace(text))
	case takes("string"):
		return disclose.JSON(text)
	case takes("array"):
		return slices.Concat(json.RawMessage("["), t.read(text, t.items(of)), json.RawMessage("]"))
	case kind != "":
		return json.RawMessage(strings.TrimSpace(text))
	}
	return disclose.JSON(text)
}

// maxReferences is how many schemas are followed to find a type.
const maxReferences = 20

// kinds are the types that a schema takes, none if it does not say.
func (t types) kinds(of any, left int) []jsonKind {
	schema := t.follow(of)
	if schema == nil || left == 0 {
		return nil
	}
	var out []jsonKind
	switch word := schema["type"].(type) {
	case string:
		return []jsonKind{jsonKind(word)}
	case []any:
		for _, one := range word {
			if name, ok := one.(string); ok {
				out = append(out, jsonKind(name))
			}
		}
		return out
	}
	if values, ok := schema["enum"].([]any); ok {
		for _, value := range values {
			if raw, err := json.Marshal(value); err == nil {
				out = append(out, kindOf(raw))
			}
		}
		return out
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		parts, _ := schema[word].([]any)
		for _, part := range parts {
			out = append(out, t.kinds(part, left-1)...)
		}
	}
	return out
}

// items is the schema of the items of a list, nil if nothing says it.
func (t types) items(of any) any {
	schema := t.follow(of)
	if schema == nil {
		return nil
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		parts, _ := schema[word].([]any)
		for _, part := range parts {
			if inner := t.follow(part); inner["items"] != nil {
				return inner["items"]
			}
		}
	}
	return schema["items"]
}

// follow is a schema, or what it refers to in the same document.
func (t types) follow(of any) map[string]any {
	schema, _ := of.(map[string]any)
	for range maxReferences {
		reference, ok := schema["$ref"].(string)
		path, local := strings.CutPrefix(reference, "#/")
		if !ok || !local {
			return schema
		}
		at := t.root
		for step := range strings.SplitSeq(path, "/") {
			at, _ = at[step].(map[string]any)
		}
		schema = at
	}
	return nil
}
