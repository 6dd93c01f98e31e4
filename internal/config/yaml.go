package config

import (
	"bytes"
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// mostKeys keeps the parsers' time down, which grows with the square of the keys
// in one mapping. In YAML every key has a colon.
const mostKeys = 20_000

// readYAML reads one YAML document.
func (d *decoder) readYAML() (root *node) {
	defer func() {
		// The parser is not ours, and a file that trips it over must not end a
		// gateway that is serving.
		if r := recover(); r != nil {
			d.problem(Position{1, 1}, "not YAML: the parser cannot read this file (%s)", clip(panicText(r)))
			root = nil
		}
	}()
	if bytes.Count(d.src, []byte(":")) > mostKeys {
		d.problem(Position{1, 1}, "too many keys, more than %d: this is no configuration of servers", mostKeys)
		return nil
	}
	// Doubled keys are found by put: the parser's own search is quadratic.
	file, err := parser.ParseBytes(d.src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.yamlProblem(err)
		return nil
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.DirectiveType {
			continue
		}
		if body != nil {
			d.problem(position(doc.Body.GetToken()), "a second YAML document: put everything into one")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		return &node{at: Position{1, 1}}
	}
	y := yamlReader{decoder: d, anchors: map[string]*node{}}
	return y.node(body)
}

func panicText(r any) string {
	if err, ok := r.(error); ok {
		return err.Error()
	}
	text, _ := r.(string)
	return text
}

func (d *decoder) yamlProblem(err error) {
	at := Position{1, 1}
	text := err.Error()
	var y yaml.Error
	if errors.As(err, &y) {
		at, text = position(y.GetToken()), y.GetMessage()
	}
	d.problem(at, "not YAML: %s", clip(text))
}

func position(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Position{1, 1}
	}
	return Position{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}

// A yamlReader makes nodes of the parser's tree. An alias is the very node of
// its anchor, so that aliases of aliases cannot grow.
type yamlReader struct {
	*decoder
	anchors map[string]*node
}

func (y *yamlReader) node(n ast.Node) *node {
	switch n := n.(type) {
	case nil:
		return &node{at: Position{1, 1}}
	case *ast.MappingNode:
		return y.mapping(n, n.Values)
	case *ast.MappingValueNode:
		return y.mapping(n, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		list := &node{kind: listNode, at: position(n.GetToken())}
		for _, v := range n.Values {
			list.items = append(list.items, y.node(v))
		}
		return list
	case *ast.AnchorNode:
		v := y.node(n.Value)
		y.anchors[scalarText(n.Name)] = v
		return v
	case *ast.AliasNode:
		if v := y.anchors[scalarText(n.Value)]; v != nil {
			return v
		}
		y.problem(position(n.GetToken()), "no anchor &%s stands before this alias", clip(scalarText(n.Value)))
		return &node{at: position(n.GetToken())}
	case *ast.TagNode:
		v := y.node(n.Value)
		if tag := n.GetToken().Value; tag == "!!str" && v.kind < textNode {
			v.kind = textNode
		}
		return v
	}
	return scalar(n)
}

func (y *yamlReader) mapping(n ast.Node, values []*ast.MappingValueNode) *node {
	m := &node{kind: mapNode, at: position(n.GetToken())}
	if len(values) > 0 && n.GetToken().Type != token.MappingStartType {
		m.at = position(values[0].Key.GetToken()) // not its colon
	}
	seen := make(map[string]Position, len(values))
	var merged []*node
	for _, v := range values {
		at := position(v.Key.GetToken())
		if v.Key.IsMergeKey() {
			merged = append(merged, y.mergeSources(y.node(v.Value), at)...)
			continue
		}
		y.put(m, entry{keyText(v.Key), at, y.node(v.Value)}, seen)
	}
	for _, from := range merged {
		for _, e := range from.entries {
			if !y.spend(e.at) {
				return m
			}
			m.put(e, seen) // what is written here, or merged first, wins
		}
	}
	return m
}

// mergeSources are the mappings behind "<<".
func (y *yamlReader) mergeSources(n *node, at Position) []*node {
	switch n.kind {
	case mapNode:
		return []*node{n}
	case listNode:
		return n.items
	}
	y.problem(at, "<< takes an alias of a mapping, not %s", n.kind)
	return nil
}

func keyText(k ast.MapKeyNode) string {
	if n, ok := k.(*ast.MappingKeyNode); ok && n.Value != nil {
		return scalarText(n.Value)
	}
	return scalarText(k)
}

func scalarText(n ast.Node) string {
	if n == nil {
		return ""
	}
	return scalar(n).text
}

func scalar(n ast.Node) *node {
	t := n.GetToken()
	s := &node{kind: textNode, at: position(t)}
	if t != nil {
		s.text = t.Value
	}
	switch n := n.(type) {
	case *ast.NullNode:
		s.kind = nullNode
	case *ast.BoolNode:
		s.kind = boolNode
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		s.kind = numberNode
	case *ast.StringNode:
		s.text = n.Value
	case *ast.LiteralNode:
		s.text = n.Value.Value
	}
	if s.kind == numberNode || s.kind == boolNode {
		s.text = strings.TrimSpace(s.text)
	}
	return s
}
