package config

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML reads a TOML document. The library's decoder judges it, because what
// TOML forbids goes beyond its grammar; its parser then says where everything is.
func (d *decoder) readTOML() (root *node) {
	defer func() {
		// As with YAML: a parser that is not ours must not end a gateway.
		if r := recover(); r != nil {
			d.problem(Position{1, 1}, "not TOML: the parser cannot read this file (%s)", clip(panicText(r)))
			root = nil
		}
	}()
	if bytes.Count(d.src, []byte("="))+bytes.Count(d.src, []byte("[")) > mostKeys {
		d.problem(Position{1, 1}, "too many keys, more than %d: this is no configuration of servers", mostKeys)
		return nil
	}
	var all map[string]any
	if err := toml.Unmarshal(d.src, &all); err != nil {
		d.tomlProblem(err)
		return nil
	}
	t := tomlReader{decoder: d, lines: &lineCounter{src: d.src, line: 1}}
	t.p.Reset(d.src)
	root = &node{kind: mapNode, at: Position{1, 1}}
	table := root
	for t.p.NextExpression() {
		switch e := t.p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = t.table(root, e)
		case unstable.KeyValue:
			t.pair(table, e)
		}
	}
	return root
}

func (d *decoder) tomlProblem(err error) {
	at := Position{1, 1}
	var bad *toml.DecodeError
	text := err.Error()
	if errors.As(err, &bad) {
		line, column := bad.Position()
		at = Position{line, runesBefore(lineOf(d.src, line), column-1) + 1}
		text = bad.Error()
	}
	d.problem(at, "not TOML: %s", clip(strings.TrimPrefix(text, "toml: ")))
}

// runesBefore counts the characters of the first n bytes of a line.
func runesBefore(line string, n int) int {
	return utf8.RuneCountInString(line[:min(max(n, 0), len(line))])
}

// A tomlReader makes nodes of the parser's expressions, which are only good until
// the next one.
type tomlReader struct {
	*decoder
	p     unstable.Parser
	lines *lineCounter
}

// at is where a key or value stands. A table or a list has no place of its own in
// the parser's tree; what is in it comes later in the file.
func (t *tomlReader) at(n *unstable.Node, otherwise Position) Position {
	if n.Raw.Length == 0 {
		return otherwise
	}
	return t.lines.anywhere(int(n.Raw.Offset))
}

// table is the mapping that [a.b] or [[a.b]] opens.
func (t *tomlReader) table(root *node, e *unstable.Node) *node {
	at := root
	for key := e.Key(); key.Next(); {
		here := t.at(key.Node(), root.at)
		child := at.child(string(key.Node().Data))
		list := e.Kind == unstable.ArrayTable && key.IsLast()
		if child == nil {
			child = &node{kind: mapNode, at: here}
			if list {
				child = &node{kind: listNode, at: here}
			}
			at.entries = append(at.entries, entry{string(key.Node().Data), here, child})
		}
		if list {
			child.items = append(child.items, &node{kind: mapNode, at: here})
		}
		if child.kind == listNode && len(child.items) > 0 {
			child = child.items[len(child.items)-1] // the table that was opened last
		}
		at = child
	}
	return at
}

// pair puts a.b = value into a mapping.
func (t *tomlReader) pair(to *node, e *unstable.Node) {
	for key := e.Key(); key.Next(); {
		name, here := string(key.Node().Data), t.at(key.Node(), to.at)
		if key.IsLast() {
			to.entries = append(to.entries, entry{name, here, t.value(e.Value(), here)})
			return
		}
		child := to.child(name)
		if child == nil {
			child = &node{kind: mapNode, at: here}
			to.entries = append(to.entries, entry{name, here, child})
		}
		to = child
	}
}

func (t *tomlReader) value(v *unstable.Node, near Position) *node {
	n := &node{kind: textNode, at: t.at(v, near), text: string(v.Data)}
	switch v.Kind {
	case unstable.Array:
		n.kind, n.text = listNode, ""
		for items := v.Children(); items.Next(); {
			n.items = append(n.items, t.value(items.Node(), n.at))
		}
	case unstable.InlineTable:
		n.kind, n.text = mapNode, ""
		for pairs := v.Children(); pairs.Next(); {
			t.pair(n, pairs.Node())
		}
	case unstable.Bool:
		n.kind = boolNode
	case unstable.Integer:
		n.kind = numberNode
		if whole, err := strconv.ParseInt(n.text, 0, 64); err == nil {
			n.text = strconv.FormatInt(whole, 10) // of 1_000 or 0xff
		}
	case unstable.Float:
		n.kind = numberNode
	}
	return n
}
