package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// An edit changes one entry of a file and not a byte besides: comments, order and
// the way things are written stay. What comes out is read again, and must be what
// was there with that one change; otherwise nothing is changed at all.
type edit struct {
	file string // for its syntax
	path []string
	list bool // entries are items that say their names
}

// set adds an entry, or puts value in its place. A file that does not exist is
// empty.
func (e edit) set(src []byte, name string, value *node) ([]byte, error) {
	return e.setShown(src, name, value, value)
}

// setShown is set; shown is what a person gets to see of value.
func (e edit) setShown(src []byte, name string, value, shown *node) ([]byte, error) {
	out, err := e.change(src, name, value)
	var stuck stuckError
	if errors.As(err, &stuck) {
		err = fmt.Errorf("%w: add this to %s by hand:\n%s", err, e.what(), indent(e.alone(name, shown)))
	}
	return out, err
}

// remove takes an entry out. It is no error if there is none.
func (e edit) remove(src []byte, name string) ([]byte, error) {
	out, err := e.change(src, name, nil)
	var stuck stuckError
	if errors.As(err, &stuck) {
		err = fmt.Errorf("%w: remove %s from %s by hand", err, name, e.what())
	}
	return out, err
}

// A stuckError is that a file is written in a way that cannot be edited safely.
type stuckError struct{ file, why string }

func (e stuckError) Error() string {
	return fmt.Sprintf("%s cannot be edited as it is written (%s)", e.file, e.why)
}

// IsStuck tells whether err is that a file has to be edited by hand.
func IsStuck(err error) bool {
	var stuck stuckError
	return errors.As(err, &stuck)
}

func (e edit) change(src []byte, name string, value *node) ([]byte, error) {
	before, err := e.tree(src)
	if err != nil {
		return nil, err
	}
	had := e.find(before, name)
	if sameTree(had, value) {
		return src, nil
	}
	var out []byte
	switch syntaxOf(e.file, src) {
	case jsonSyntax:
		out, err = e.json(src, name, value, had != nil)
	case tomlSyntax:
		out, err = e.toml(src, before, name, value)
	default:
		out, err = e.yaml(src, before, name, value)
	}
	if err == nil {
		err = e.check(out, before, name, value)
	}
	if err != nil {
		return nil, stuckError{e.file, err.Error()}
	}
	return out, nil
}

// alone is an entry as it would be written.
func (e edit) alone(name string, value *node) string {
	switch {
	case syntaxOf(e.file, nil) == jsonSyntax:
		return quote(name) + ": " + value.json("", "  ")
	case syntaxOf(e.file, nil) == tomlSyntax && e.list:
		return "[" + value.tomlTable(e.path...) + "]"
	case syntaxOf(e.file, nil) == tomlSyntax:
		return value.toml(slices.Concat(e.path, []string{name})...)
	case e.list:
		return (&node{kind: listNode, items: []*node{value}}).yaml("")
	}
	return part(pair{name, value}).yaml("")
}

func (e edit) what() string {
	if len(e.path) == 0 {
		return "it"
	}
	return fmt.Sprintf("%q", e.path[len(e.path)-1])
}

func (e edit) tree(src []byte) (*node, error) {
	d := new(Reader).decoder(e.file, src, 0)
	d.most = maxForeign
	d.secret = true // it may be a client's file: its lines are not shown
	if len(bytes.TrimSpace(d.src)) == 0 {
		return &node{kind: mapNode}, nil
	}
	root, err := d.tree()
	if err != nil {
		return nil, err
	}
	if root.kind == nullNode { // comments alone
		return &node{kind: mapNode}, nil
	}
	if root.kind != mapNode {
		return nil, fileError(e.file, "must hold a mapping, not %s", root.kind)
	}
	return root, nil
}

// find is the entry of that name in a tree, nil if there is none.
func (e edit) find(root *node, name string) *node {
	at := root.below(e.path)
	if at == nil {
		return nil
	}
	if !e.list {
		return at.child(name)
	}
	for _, item := range at.items {
		if n := item.child("name"); n != nil && n.text == name {
			return item
		}
	}
	return nil
}

// check compares a changed file with what it should hold.
func (e edit) check(out []byte, before *node, name string, value *node) error {
	after, err := e.tree(out)
	if err != nil {
		return errors.New("the result would not be valid")
	}
	if !sameTree(e.find(after, name), value) || !sameTree(e.without(after, name), e.without(before, name)) {
		return errors.New("more than one entry would change")
	}
	return nil
}

// without is a copy of a tree that lacks one entry, and what is empty then.
func (e edit) without(root *node, name string) *node {
	return without(root, e.path, e.list, name)
}

func without(n *node, path []string, list bool, name string) *node {
	if n == nil {
		return nil
	}
	out := *n
	if len(path) > 0 {
		out.entries = nil
		for _, entry := range n.entries {
			if entry.key == path[0] {
				entry.value = without(entry.value, path[1:], list, name)
				if empty := entry.value; len(empty.entries)+len(empty.items) == 0 && empty.kind != textNode {
					continue
				}
			}
			out.entries = append(out.entries, entry)
		}
		return &out
	}
	out.entries = slices.DeleteFunc(slices.Clone(n.entries), func(entry entry) bool { return entry.key == name })
	out.items = slices.DeleteFunc(slices.Clone(n.items), func(item *node) bool {
		id := item.child("name")
		return list && id != nil && id.text == name
	})
	return &out
}

// sameTree compares values, wherever they stand.
func sameTree(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind || a.text != b.text || len(a.items) != len(b.items) || len(a.entries) != len(b.entries) {
		return false
	}
	for i := range a.items {
		if !sameTree(a.items[i], b.items[i]) {
			return false
		}
	}
	for _, e := range a.entries {
		if other := b.child(e.key); other == nil || !sameTree(e.value, other) {
			return false
		}
	}
	return true
}

// newline is how lines of a file end.
func newline(src []byte) string {
	if bytes.Contains(src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
