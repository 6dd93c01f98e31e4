package wire

import (
	"bytes"
	"fmt"
	"strings"
)

// A ParamHeader says that a tool's argument is repeated in a header, so that
// whoever stands between agent and server can route by it.
type ParamHeader struct {
	Path   []string // from arguments to the value
	Header string   // what follows Mcp-Param-
}

const headerAnnotation = "x-mcp-header"

// maxSchemaDepth bounds the walk through a schema. Every level is scanned anew.
const maxSchemaDepth = 100

// ParamHeaders finds the x-mcp-header annotations of a tool's input schema. An
// error means that the tool must not be offered over HTTP: an annotation that
// is no header name, is on anything but a string, an integer or a boolean, is
// there twice, or stands where no chain of properties leads.
func ParamHeaders(inputSchema []byte) ([]ParamHeader, error) {
	w := headerWalk{seen: map[string]bool{}}
	if err := w.schema(bytes.TrimSpace(inputSchema), nil, true, 0); err != nil {
		return nil, err
	}
	return w.found, nil
}

type headerWalk struct {
	found []ParamHeader
	seen  map[string]bool // header names in lower case
}

// schema looks at one schema and those inside it. reachable is false once the
// way led through anything but properties: nothing then tells where in the
// arguments the value is.
func (w *headerWalk) schema(raw []byte, path []string, reachable bool, depth int) error {
	if !bytes.Contains(raw, []byte(headerAnnotation)) || raw[0] != '{' {
		return nil // nearly every schema ends here
	}
	if depth > maxSchemaDepth {
		return fmt.Errorf("%s: nested deeper than %d levels", headerAnnotation, maxSchemaDepth)
	}
	o, err := ParseObject(raw)
	if err != nil {
		return fmt.Errorf("schema at %q: %w", clip(strings.Join(path, ".")), err)
	}
	if a := o.Get(headerAnnotation); a != nil {
		if err := w.annotation(a, o.Get("type"), path, reachable); err != nil {
			return fmt.Errorf("%s at %q: %w", headerAnnotation, clip(strings.Join(path, ".")), err)
		}
	}
	for _, m := range o.Members() {
		switch m.Name {
		case "properties":
			err = w.named(m.Value, path, reachable, depth+1)
		case "patternProperties", "dependentSchemas", "$defs", "definitions":
			err = w.named(m.Value, path, false, depth+1)
		case "items", "prefixItems", "contains", "additionalItems", "additionalProperties", "propertyNames",
			"unevaluatedItems", "unevaluatedProperties", "oneOf", "anyOf", "allOf", "not", "if", "then", "else":
			err = w.unnamed(m.Value, path, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// named walks an object whose members are schemas.
func (w *headerWalk) named(raw []byte, path []string, reachable bool, depth int) error {
	if !bytes.Contains(raw, []byte(headerAnnotation)) || raw[0] != '{' {
		return nil
	}
	o, err := ParseObject(raw)
	if err != nil {
		return fmt.Errorf("schema at %q: %w", clip(strings.Join(path, ".")), err)
	}
	for _, m := range o.Members() {
		if err := w.schema(m.Value, append(path[:len(path):len(path)], m.Name), reachable, depth); err != nil {
			return err
		}
	}
	return nil
}

// unnamed walks a schema or an array of schemas.
func (w *headerWalk) unnamed(raw []byte, path []string, depth int) error {
	if raw[0] != '[' {
		return w.schema(raw, path, false, depth)
	}
	if !bytes.Contains(raw, []byte(headerAnnotation)) {
		return nil
	}
	list, err := Elements(raw)
	if err != nil {
		return err
	}
	for _, s := range list {
		if err := w.schema(s, path, false, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *headerWalk) annotation(raw, schemaType []byte, path []string, reachable bool) error {
	name, ok := Text(raw)
	if !ok || !isToken(name) {
		return fmt.Errorf("%s is no header name", clip(string(raw)))
	}
	if !reachable || len(path) == 0 {
		return fmt.Errorf("no chain of properties leads to it")
	}
	if !primitiveType(schemaType) {
		return fmt.Errorf("only a string, an integer or a boolean can be a header")
	}
	key := strings.ToLower(name)
	if w.seen[key] {
		return fmt.Errorf("the header %q is there twice", clip(name))
	}
	w.seen[key] = true
	w.found = append(w.found, ParamHeader{Path: path, Header: name})
	return nil
}

// primitiveType accepts the three types that a header can say, and a union of
// one of them with null: null is then no header.
func primitiveType(raw []byte) bool {
	if len(raw) > 0 && raw[0] == '[' {
		list, err := Elements(raw)
		if err != nil {
			return false
		}
		n := 0
		for _, t := range list {
			if string(t) == `"null"` {
				continue
			}
			if t[0] == '[' || !primitiveType(t) {
				return false
			}
			n++
		}
		return n == 1
	}
	switch string(raw) {
	case `"string"`, `"integer"`, `"boolean"`:
		return true
	}
	return false
}

// isToken tells whether s can be an HTTP field name (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
