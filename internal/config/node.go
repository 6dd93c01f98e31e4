package config

import "fmt"

// A Position in a file, both counted from 1. Columns count characters, not bytes.
type Position struct{ Line, Column int }

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

type kind uint8

const (
	nullNode kind = iota
	boolNode
	numberNode
	textNode
	listNode
	mapNode
)

func (k kind) String() string {
	return [...]string{"nothing", "true or false", "a number", "text", "a list", "a mapping"}[k]
}

// A node is one value of a file and where it stands.
type node struct {
	kind    kind
	at      Position
	text    string // of a scalar, as written, quotes and escapes undone
	items   []*node
	entries []entry

	about *Schema // of a node that stands for any value: what reads it describes it
}

// An entry is one key of a mapping.
type entry struct {
	key   string
	at    Position
	value *node
}

// child is the value of a key, nil if there is none.
func (n *node) child(key string) *node {
	if n == nil {
		return nil
	}
	for _, e := range n.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// each is the entries of a mapping, none of anything else.
func (n *node) each() []entry {
	if n == nil {
		return nil
	}
	return n.entries
}

// texts are the items of a list that are text.
func (n *node) texts() []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, item := range n.items {
		if item.kind == textNode {
			out = append(out, item.text)
		}
	}
	return out
}

// rewrite changes every text below n, once: aliases are the same node in several
// places, and a few lines of them are more places than anybody can visit.
func (n *node) rewrite(change func(string) string) {
	n.rewriteNew(change, map[*node]bool{})
}

func (n *node) rewriteNew(change func(string) string, done map[*node]bool) {
	if n == nil || done[n] {
		return
	}
	done[n] = true
	if n.kind == textNode {
		n.text = change(n.text)
	}
	for _, item := range n.items {
		item.rewriteNew(change, done)
	}
	for _, e := range n.entries {
		e.value.rewriteNew(change, done)
	}
}

// below is what a path of keys leads to, nil if that is nothing.
func (n *node) below(path []string) *node {
	for _, key := range path {
		n = n.child(key)
	}
	return n
}

// put adds an entry, or says where the same key already stands.
func (n *node) put(e entry, seen map[string]Position) (Position, bool) {
	if at, twice := seen[e.key]; twice {
		return at, false
	}
	seen[e.key] = e.at
	n.entries = append(n.entries, e)
	return Position{}, true
}
