package config

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tailscale/hujson"
)

// json edits by offsets: a new entry comes first in its object, so that no line
// but its own changes.
func (e edit) json(src []byte, name string, value *node, exists bool) ([]byte, error) {
	if e.list {
		return nil, errors.New("its entries are a list")
	}
	if len(bytes.TrimSpace(src)) == 0 {
		return []byte(nested(e.path, part(pair{name, value})).json("", "  ") + "\n"), nil
	}
	bom := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	text := src[bom:]
	root, err := hujson.Parse(append(text[:len(text):len(text)], '\n'))
	if err != nil {
		return nil, err
	}
	object, _ := root.Value.(*hujson.Object)
	start, depth, path := root.StartOffset, 0, e.path
	for ; object != nil && depth < len(path); depth++ {
		m := member(object, path[depth])
		if m == nil {
			break
		}
		inner, ok := m.Value.Value.(*hujson.Object)
		if !ok {
			return nil, errors.New("there is something else under that name")
		}
		object, start = inner, m.Value.StartOffset
	}
	if object == nil {
		return nil, errors.New("it is no object")
	}
	switch {
	case depth < len(path):
		name, value = path[depth], nested(path[depth+1:], part(pair{name, value}))
		fallthrough
	case !exists:
		at, with := insertion(text, object, start, name, value)
		return splice(src, bom+at, 0, with), nil
	case value == nil:
		from, to := extent(text, object, name)
		return splice(src, bom+from, to-from, ""), nil
	}
	m := member(object, name)
	at := m.Value.StartOffset
	return splice(src, bom+at, m.Value.EndOffset-at, value.json(indentAt(text, m.Name.StartOffset), stepOf(text))), nil
}

// nested wraps value into mappings of those keys.
func nested(path []string, value *node) *node {
	for i := len(path) - 1; i >= 0; i-- {
		value = part(pair{path[i], value})
	}
	return value
}

func member(o *hujson.Object, name string) *hujson.ObjectMember {
	for i := range o.Members {
		if jsonText(o.Members[i].Name.Value.(hujson.Literal)) == name {
			return &o.Members[i]
		}
	}
	return nil
}

// splice replaces n bytes at an offset.
func splice(src []byte, at, n int, with string) []byte {
	out := append([]byte{}, src[:at]...)
	return append(append(out, with...), src[at+n:]...)
}

// insertion is where a new first member of an object goes, and how. A comment
// behind the brace stays behind the brace.
func insertion(text []byte, o *hujson.Object, start int, name string, value *node) (at int, with string) {
	step, outer, end := stepOf(text), indentAt(text, start), newline(text)
	write := func(prefix string) string {
		return end + prefix + quote(name) + ": " + crlf(value.json(prefix, step), end)
	}
	at = start + 1
	extra := string(o.AfterExtra)
	if len(o.Members) > 0 {
		extra = string(o.Members[0].Name.BeforeExtra)
	}
	line := strings.Index(strings.ReplaceAll(extra, "\r\n", "\n\n"), "\n")
	if line >= 0 && !strings.Contains(extra[:line], "/*") {
		at += line
	}
	switch {
	case len(o.Members) == 0 && line >= 0:
		return at, write(outer + step)
	case len(o.Members) == 0:
		return at, write(outer+step) + end + outer
	case line < 0: // all in one line
		return at, quote(name) + ": " + value.jsonLine() + ", "
	}
	return at, write(indentAt(text, o.Members[0].Name.StartOffset)) + ","
}

// extent is where a member stands, with the line it is on and its comma.
func extent(text []byte, o *hujson.Object, name string) (from, to int) {
	for i := range o.Members {
		m := &o.Members[i]
		if jsonText(m.Name.Value.(hujson.Literal)) != name {
			continue
		}
		from, to = m.Name.StartOffset, m.Value.EndOffset
		if comma := to + len(m.Value.AfterExtra); comma < len(text) && text[comma] == ',' {
			to = comma + 1
			if i+1 < len(o.Members) && !bytes.Contains(o.Members[i+1].Name.BeforeExtra, []byte("\n")) {
				to += len(o.Members[i+1].Name.BeforeExtra)
				return from, to
			}
		} else if i > 0 { // the comma before it has to go
			before := &o.Members[i-1].Value
			from = before.EndOffset + len(before.AfterExtra)
			return from, to
		}
		extra := m.Name.BeforeExtra
		if cut := bytes.LastIndexByte(extra, '\n'); cut >= 0 {
			if cut > 0 && extra[cut-1] == '\r' {
				cut--
			}
			from -= len(extra) - cut
		}
		if len(o.Members) == 1 && len(bytes.TrimSpace(o.AfterExtra))+len(bytes.TrimSpace(extra)) == 0 && to+len(o.AfterExtra) <= len(text) {
			to += len(o.AfterExtra) // an empty object in one line
		}
		return from, to
	}
	return 0, 0
}

// indentAt is the white space in front of the line that an offset is on.
func indentAt(text []byte, offset int) string {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	rest := text[start:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

// stepOf is how far a file indents.
func stepOf(text []byte) string {
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) > 0 && len(trimmed) < len(line) && (trimmed[0] == '"' || trimmed[0] == '/') {
			return string(line[:len(line)-len(trimmed)])
		}
	}
	return "  "
}
