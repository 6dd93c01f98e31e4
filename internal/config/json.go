package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// readJSON reads JSON with comments and trailing commas.
func (d *decoder) readJSON() *node {
	// The newline ends a comment in the last line, which the parser wants.
	v, err := hujson.Parse(append(d.src[:len(d.src):len(d.src)], '\n'))
	if err != nil {
		d.jsonProblem(err)
		return nil
	}
	return d.jsonNode(&v, &lineCounter{src: d.src, line: 1})
}

// jsonProblem takes the position out of the parser's text, the only place that has it.
func (d *decoder) jsonProblem(err error) {
	var line, column int
	at := Position{1, 1}
	if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scan == nil {
		at = Position{line, runesBefore(lineOf(d.src, line), column-1) + 1}
	}
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	text, _, _ := strings.Cut(err.Error(), "invalid literal: ") // what follows may be a secret
	if text == "" {
		text = "no string, number, true, false or null"
	}
	d.problem(at, "not JSON: %s", clip(strings.ReplaceAll(text, "unexpected EOF", "the file ends too early")))
}

func (d *decoder) jsonNode(v *hujson.Value, lines *lineCounter) *node {
	n := &node{at: lines.position(v.StartOffset)}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.kind = mapNode
		seen := make(map[string]Position, len(value.Members))
		for i := range value.Members {
			m := &value.Members[i]
			at := lines.position(m.Name.StartOffset)
			e := entry{jsonText(m.Name.Value.(hujson.Literal)), at, d.jsonNode(&m.Value, lines)}
			d.put(n, e, seen)
		}
	case *hujson.Array:
		n.kind = listNode
		for i := range value.Elements {
			n.items = append(n.items, d.jsonNode(&value.Elements[i], lines))
		}
	case hujson.Literal:
		n.text = string(value)
		switch value.Kind() {
		case 't', 'f':
			n.kind = boolNode
		case '0':
			n.kind = numberNode
		case '"':
			n.kind, n.text = textNode, jsonText(value)
		}
	}
	return n
}

func jsonText(literal hujson.Literal) string {
	var s string
	if json.Unmarshal(literal, &s) != nil {
		return string(literal) // the parser has checked it
	}
	return s
}

// A lineCounter turns rising offsets into positions in one pass over the file.
type lineCounter struct {
	src       []byte
	offset    int // everything before it is counted
	line      int
	lineStart int
	columnAt  int // offset up to which column is counted
	column    int // characters between lineStart and columnAt
}

// anywhere is position for offsets that may also fall.
func (l *lineCounter) anywhere(offset int) Position {
	if offset < l.columnAt {
		*l = lineCounter{src: l.src, line: 1}
	}
	return l.position(offset)
}

func (l *lineCounter) position(offset int) Position {
	offset = min(offset, len(l.src))
	for ; l.offset < offset; l.offset++ {
		if l.src[l.offset] == '\n' {
			l.line++
			l.lineStart = l.offset + 1
			l.columnAt, l.column = l.lineStart, 0
		}
	}
	l.column += utf8.RuneCount(l.src[l.columnAt:offset])
	l.columnAt = offset
	return Position{l.line, l.column + 1}
}
