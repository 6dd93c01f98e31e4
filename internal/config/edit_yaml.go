package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// yaml edits by lines: a new entry comes first in its mapping or list, right
// below the key, so that no other line changes.
func (e edit) yaml(src []byte, root *node, name string, value *node) ([]byte, error) {
	end := newline(src)
	lines := strings.SplitAfter(string(src), "\n")
	at, key := root, entry{}
	depth := 0
	for ; depth < len(e.path); depth++ {
		i := slices.IndexFunc(at.entries, func(x entry) bool { return x.key == e.path[depth] })
		if i < 0 {
			break
		}
		key = at.entries[i]
		at = key.value
	}
	if depth < len(e.path) {
		if depth > 0 || value == nil {
			return nil, errors.New("the key is not there")
		}
		return appendBlock(src, nested(e.path, e.wrapped(name, value)).yaml(""), end), nil
	}
	line := key.at.Line - 1 // of the key whose entries are edited
	if line < 0 || line >= len(lines) {
		return nil, errors.New("its place is not known")
	}
	if len(at.entries)+len(at.items) == 0 { // nothing, {} or []
		head, comment, _ := strings.Cut(lines[line], "#")
		head = strings.TrimRight(head, " \t\r\n{}[]")
		if comment != "" {
			comment = " #" + strings.TrimRight(comment, "\r\n")
		}
		pad := strings.Repeat(" ", key.at.Column-1) + "  "
		lines[line] = head + comment + end + crlf(e.wrapped(name, value).yaml(pad), end)
		return []byte(strings.Join(lines, "")), nil
	}
	first := firstPlace(at)
	if first.Line <= key.at.Line {
		return e.yamlFlow(lines, at, name, value)
	}
	if first.Line > len(lines) { // lines that end in a way of their own
		return nil, errors.New("its place is not known")
	}
	pad := indentAt([]byte(lines[first.Line-1]), 0)
	if had := e.find(root, name); had != nil {
		from, to := e.block(lines, root, name, len(pad))
		if from < 0 {
			return nil, errors.New("its place is not known")
		}
		with := ""
		if value != nil {
			with = crlf(e.wrapped(name, value).yaml(pad), end)
		} else if len(at.entries)+len(at.items) == 1 {
			empty := " {}"
			if e.list {
				empty = " []"
			}
			lines[line] = emptied(lines[line], empty)
		}
		return []byte(strings.Join(slices.Concat(lines[:from], []string{with}, lines[to:]), "")), nil
	}
	added := crlf(e.wrapped(name, value).yaml(pad), end)
	if !strings.HasSuffix(lines[line], "\n") {
		added = end + added
	}
	return []byte(strings.Join(slices.Concat(lines[:line+1], []string{added}, lines[line+1:]), "")), nil
}

// yamlFlow adds an entry to a mapping in braces.
func (e edit) yamlFlow(lines []string, at *node, name string, value *node) ([]byte, error) {
	line := []rune(lines[at.at.Line-1])
	if e.list || value == nil || at.child(name) != nil || at.at.Column > len(line) || line[at.at.Column-1] != '{' {
		return nil, errors.New("its entries stand in one line")
	}
	lines[at.at.Line-1] = string(line[:at.at.Column]) + quote(name) + ": " + value.jsonLine() + ", " + string(line[at.at.Column:])
	return []byte(strings.Join(lines, "")), nil
}

// wrapped is an entry in a mapping or list of its own.
func (e edit) wrapped(name string, value *node) *node {
	if e.list {
		return &node{kind: listNode, items: []*node{value}}
	}
	return part(pair{name, value})
}

// emptied puts {} or [] behind the colon of a key, in front of a comment.
func emptied(line, empty string) string {
	text := strings.TrimRight(line, "\r\n")
	ending := line[len(text):]
	if i := strings.Index(text, " #"); i >= 0 {
		return strings.TrimRight(text[:i], " ") + empty + text[i:] + ending
	}
	return strings.TrimRight(text, " ") + empty + ending
}

func firstPlace(n *node) Position {
	if len(n.entries) > 0 {
		return n.entries[0].at
	}
	return n.items[0].at
}

// block is the lines of an entry: from its own to the last that is indented
// further, comments and blank lines behind it left out.
func (e edit) block(lines []string, root *node, name string, pad int) (from, to int) {
	at := root.below(e.path)
	from = -1
	for _, x := range at.entries {
		if !e.list && x.key == name {
			from = x.at.Line - 1
		}
	}
	if had := e.find(root, name); e.list && had != nil && len(had.entries) > 0 {
		from = had.entries[0].at.Line - 1
	}
	if from < 0 || from >= len(lines) {
		return -1, -1
	}
	to = from + 1
	for i := from + 1; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		if text == "" || text[0] == '#' {
			continue
		}
		if len(indentAt([]byte(lines[i]), 0)) <= pad {
			break
		}
		to = i + 1
	}
	return from, to
}

// appendBlock puts a block of lines at the end of a file.
func appendBlock(src []byte, block, end string) []byte {
	out := bytes.Clone(src)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, end...)
	}
	return append(out, crlf(block, end)...)
}

func crlf(text, end string) string {
	if end == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", end)
}
