package config

import (
	"encoding/json"
	"strings"
)

// A Schema is a JSON Schema, as far as files of ours need one.
type Schema struct {
	Type        any // a word or several
	Words       []string
	Pattern     string
	Least, Most int
	Items       *Schema
	Keys        []SchemaKey // of a mapping, in the order of the decoder
	Closed      bool        // there are no other keys
	Other       *Schema     // of the values of a mapping with any keys
	Alternative *Schema     // anyOf this and itself
	About       string
	Default     string
}

// A SchemaKey is one key of a mapping.
type SchemaKey struct {
	Name string
	*Schema
}

// anyScalar is what text may be: nobody quotes a port.
var anyScalar = []string{"string", "number", "boolean"}

// FileSchema describes our own file, as the decoder that reads it does: every
// reader that is handed a node with a schema fills the schema in, instead of
// reading a value.
func FileSchema() *Schema {
	root := &node{about: new(Schema)}
	d := new(Reader).decoder("schema", nil, ownForms)
	d.config(root)
	root.about.document("")
	return root.about
}

// object has each reader of a mapping describe its value.
func (s *Schema) object(known []field) {
	s.Type, s.Closed = "object", true
	for _, f := range known {
		child := new(Schema)
		f.read(&node{about: child})
		s.Keys = append(s.Keys, SchemaKey{f.key, child})
	}
}

// entries has the reader of one entry describe those of a mapping with any keys.
func (s *Schema) entries(read func(entry)) {
	s.Type, s.Other = "object", new(Schema)
	read(entry{value: &node{about: s.Other}})
}

func (s *Schema) duration(never bool) {
	s.Type = "string"
	s.Pattern = `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`
	if never {
		s.Pattern = `^(never|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$`
	}
	s.Alternative = &Schema{Type: "integer", Least: leastMillis, Most: int(longestTime.Milliseconds())}
}

// document adds what the table of keys says of each.
func (s *Schema) document(path string) {
	for _, k := range s.Keys {
		at := strings.TrimPrefix(path+"."+k.Name, ".")
		if about, ok := keyAt(at); ok {
			k.About, k.Default = about.Meaning, about.Default
		}
		k.document(at)
	}
	if s.Other != nil {
		s.Other.document(path + ".*")
	}
	if s.Items != nil {
		s.Items.document(path + "[]")
	}
}

// Paths are the keys of s and below, such as servers.*.command.
func (s *Schema) Paths() []string {
	var out []string
	s.walk("", func(path string, _ *Schema) { out = append(out, path) })
	return out
}

func (s *Schema) walk(path string, see func(string, *Schema)) {
	for _, k := range s.Keys {
		at := strings.TrimPrefix(path+"."+k.Name, ".")
		see(at, k.Schema)
		k.walk(at, see)
	}
	if s.Other != nil {
		s.Other.walk(path+".*", see)
	}
	if s.Items != nil {
		s.Items.walk(path+"[]", see)
	}
}

// MarshalJSON writes s as JSON Schema has it.
func (s *Schema) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	set := func(key string, value any, is bool) {
		if is {
			out[key] = value
		}
	}
	self := map[string]any{}
	to := out
	if s.Alternative != nil {
		to = self
		out["anyOf"] = []any{self, s.Alternative}
	}
	if s.Type != nil {
		to["type"] = s.Type
	}
	if s.Pattern != "" {
		to["pattern"] = s.Pattern
	}
	set("enum", s.Words, s.Words != nil)
	set("minimum", s.Least, s.Most != 0)
	set("maximum", s.Most, s.Most != 0)
	set("items", s.Items, s.Items != nil)
	set("additionalProperties", false, s.Closed)
	set("description", s.About, s.About != "")
	set("default", s.Default, s.Default != "")
	if s.Other != nil {
		out["additionalProperties"] = s.Other
	}
	if len(s.Keys) > 0 {
		properties := map[string]*Schema{}
		for _, k := range s.Keys {
			properties[k.Name] = k.Schema
		}
		out["properties"] = properties
	}
	return json.Marshal(out)
}

// SchemaText is the JSON Schema of our own file.
func SchemaText() []byte {
	body, err := json.Marshal(FileSchema())
	if err != nil {
		panic(err) // words, numbers and maps of them always marshal
	}
	var all map[string]any
	_ = json.Unmarshal(body, &all)
	all["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	all["title"] = "Toolcrib configuration"
	text, _ := json.MarshalIndent(all, "", "  ")
	return append(text, '\n')
}
