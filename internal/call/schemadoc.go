package call

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
)

// maxSchema is the largest schema that is read, in bytes.
const maxSchema = 1 << 20

// A schemaDoc is a schema as it was sent, decoded.
type schemaDoc struct {
	root       any
	siblings   bool // other keywords beside a $ref count, as they do since 2019
	references bool // a $ref can be followed: none is relative to an $id inside
}

func readSchema(raw []byte) (doc schemaDoc, ok bool) {
	if len(raw) > maxSchema {
		return doc, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // integers keep their 64 bits
	if d.Decode(&doc.root) != nil {
		return doc, false
	}
	root, _ := doc.root.(map[string]any)
	dialect, _ := root["$schema"].(string)
	doc.siblings = !strings.Contains(dialect, "json-schema.org/draft-0")
	doc.references = bytes.Count(raw, []byte(`"$id"`)) == present(root, "$id")
	return doc, true
}

func present(object map[string]any, name string) int {
	if _, has := object[name]; has {
		return 1
	}
	return 0
}

// resolve returns what a reference into the same document points at, nil if
// that cannot be found: we fetch nothing.
func (d *schemaDoc) resolve(ref string) any {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || !d.references {
		return nil
	}
	if pointer == "" {
		return d.root
	}
	pointer, err := url.PathUnescape(pointer)
	if err != nil || pointer[0] != '/' {
		return nil
	}
	at := d.root
	for step := range strings.SplitSeq(pointer[1:], "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			at = elementAt(v, step)
		default:
			return nil
		}
	}
	return at
}

func elementAt(list []any, index string) any {
	n := numberOf([]byte(index))
	if !n.exact || n.integer < 0 || n.integer >= int64(len(list)) {
		return nil
	}
	return list[n.integer]
}

// identity tells apart objects of a document, even those that say the same.
func identity(object map[string]any) uintptr { return reflect.ValueOf(object).Pointer() }

// strings that a value has: its own if it is one, or those of a list.
func stringsOf(value any) (out []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}
