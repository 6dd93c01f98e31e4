package probe

import (
	"encoding/json"
	"unicode/utf8"

	"toolcrib/internal/wire"
)

// maxDefinition bounds one tool's definition: a larger one keeps its name and
// description alone.
const maxDefinition = 64 << 10

// A definition is what a text says of one tool.
type definition struct {
	name        string
	description string
	schema      json.RawMessage // of the arguments, nil if it says nothing of them
	asSent      json.RawMessage // the whole, where it has the form of the protocol
	bare        bool            // a name and nothing else
}

// telling tells whether more is said than a name: many things have a name.
func (d definition) telling() bool { return d.description != "" || d.schema != nil }

// named is the definition without all but its name and description, for a place
// that vouches for no more.
func (d definition) named() definition {
	return definition{name: d.name, description: d.description}
}

// raw is the definition in the protocol's form.
func (d definition) raw() json.RawMessage {
	if d.asSent != nil {
		return d.asSent
	}
	b := append([]byte(`{"name":`), wire.Quote(d.name)...)
	if d.description != "" {
		b = append(append(b, `,"description":`...), wire.Quote(d.description)...)
	}
	if d.schema != nil {
		b = append(append(b, `,"inputSchema":`...), d.schema...)
	}
	return append(b, '}')
}

// readDefinition reads an object that may define a tool, in the protocol's form
// or in one of those that models' interfaces use.
func readDefinition(raw []byte) (definition, bool) {
	o, err := wire.ParseObject(raw)
	if err != nil {
		return definition{}, false
	}
	if f := o.Get("function"); f != nil && o.Get("name") == nil {
		inner, err := wire.ParseObject(f)
		if err != nil {
			return definition{}, false
		}
		o, raw = inner, f
	}
	return fromObject(o.Text("name"), o, raw)
}

// readNamed reads a definition whose name stands outside of it.
func readNamed(name string, raw []byte) (definition, bool) {
	o, err := wire.ParseObject(raw)
	if err != nil {
		return definition{}, false
	}
	d, ok := fromObject(name, o, raw)
	d.asSent = nil
	return d, ok
}

func fromObject(name string, o *wire.Object, raw []byte) (definition, bool) {
	d := definition{name: name}
	if !validName(name) {
		return d, false
	}
	text := o.Text("description")
	d.description = clip(plain(clip(text, 4*maxDescription)), maxDescription)
	for _, member := range []string{"inputSchema", "input_schema", "parameters"} {
		if s := o.Get(member); len(s) > 0 && s[0] == '{' && len(s) <= maxDefinition {
			d.schema = append(json.RawMessage(nil), s...)
			break
		}
	}
	d.bare = len(o.Members()) == 1
	if len(raw) <= maxDefinition && len(text) <= maxDescription && o.Get("inputSchema") != nil && d.schema != nil && utf8.Valid(raw) {
		d.asSent = append(json.RawMessage(nil), raw...)
	}
	return d, true
}
