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

// put adds an entry, or says where the same key already stands.
func (n *node) put(e entry, seen map[string]Position) (Position, bool) {
	if at, twice := seen[e.key]; twice {
		return at, false
	}
	seen[e.key] = e.at
	n.entries = append(n.entries, e)
	return Position{}, true
}
