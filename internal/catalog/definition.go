package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"toolcrib/internal/wire"
)

// maxNesting is how deep a definition may nest. Real ones have a dozen levels or
// two; far deeper ones are made to keep readers busy.
const maxNesting = 128

// A definition is a tool as it was found, read. It depends on nothing but what
// was found, so it is read once for as long as the server says the same.
type definition struct {
	raw        json.RawMessage
	provenance Provenance
	confidence float64

	name, title, description  string
	input, output, meta       json.RawMessage // nil if absent
	annotations               Annotations
	statedCategory            string
	statedTags, statedRelated []string

	fingerprint string   // of the members that say what the tool is
	digest      [32]byte // of the whole
	notes       []string // what is wrong with it, but could be passed over
}

// read reads one tool. Members that are not what they should be are
// noted and passed over; without a name, there is no tool.
func (r *reader) read(f Found) (*definition, error) {
	if tooDeep(f.Raw) {
		return nil, fmt.Errorf("it nests deeper than %d levels", maxNesting)
	}
	object, err := wire.ParseObject(f.Raw)
	if err != nil {
		return nil, err
	}
	name := object.Get("name")
	if name == nil {
		return nil, fmt.Errorf("it has no name")
	}
	d := &definition{raw: f.Raw, provenance: f.Provenance, confidence: confidence(f)}
	var ok bool
	if d.name, ok = wire.Text(name); !ok {
		return nil, fmt.Errorf("its name is %s, not a string", kindOf(name))
	}
	d.title = d.text(object, "title")
	d.description = d.text(object, "description")
	d.input = d.object(object, "inputSchema")
	d.output = d.object(object, "outputSchema")
	d.meta = d.object(object, "_meta")
	if annotations := d.object(object, "annotations"); annotations != nil {
		d.annotations = readAnnotations(annotations)
		if title, ok := wire.Text(wire.Find(annotations, "title")); ok && d.title == "" {
			d.title = title
		}
	}
	d.readStated(object)
	d.fingerprint, d.digest = r.hashes(object)
	return d, nil
}

// same tells whether reading f would give d again.
func (d *definition) same(f Found) bool {
	return d.provenance == f.Provenance && d.confidence == confidence(f) && bytes.Equal(d.raw, f.Raw)
}

func (d *definition) text(object *wire.Object, member string) string {
	raw := object.Get(member)
	if absent(raw) {
		return ""
	}
	s, ok := wire.Text(raw)
	if !ok {
		d.note("%s is %s, not a string", member, kindOf(raw))
	}
	return s
}

func (d *definition) object(object *wire.Object, member string) json.RawMessage {
	raw := object.Get(member)
	if absent(raw) {
		return nil
	}
	if raw[0] != '{' {
		d.note("%s is %s, not an object", member, kindOf(raw))
		return nil
	}
	return raw
}

func (d *definition) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

func absent(raw []byte) bool { return raw == nil || string(raw) == "null" }

func kindOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// confidence is between 0 and 1; the protocol leaves no doubt.
func confidence(f Found) float64 {
	if f.Provenance == Protocol {
		return 1
	}
	if math.IsNaN(f.Confidence) {
		return 0
	}
	return min(max(f.Confidence, 0), 1)
}
