package config

import (
	"errors"
	"slices"
	"strings"
)

// toml adds a table at the end of the file, which may always be done, and takes
// tables out with their lines.
func (e edit) toml(src []byte, root *node, name string, value *node) ([]byte, error) {
	end := newline(src)
	if had := e.find(root, name); had != nil {
		var err error
		if src, err = e.cutTables(src, root, name); err != nil {
			return nil, err
		}
	}
	if value == nil {
		return src, nil
	}
	var block string
	if e.list {
		block = "[" + value.tomlTable(e.path...) // [[name]]
	} else {
		block = value.toml(slices.Concat(e.path, []string{name})...)
	}
	if len(src) > 0 {
		block = "\n" + block
	}
	return appendBlock(src, block, end), nil
}

// tomlTable is a table of a list, without the first of its brackets.
func (n *node) tomlTable(name ...string) string {
	head, rest, _ := strings.Cut(n.toml(name...), "\n")
	return head + "]\n" + rest
}

// cutTables removes the lines of an entry and of the tables below it.
func (e edit) cutTables(src []byte, root *node, name string) ([]byte, error) {
	lines := strings.SplitAfter(string(src), "\n")
	starts := e.tables(root, name)
	if len(starts) == 0 {
		return nil, errors.New("it is not a table of its own")
	}
	slices.Sort(starts)
	for _, line := range slices.Backward(starts) {
		from := line - 1
		if from >= len(lines) || !strings.HasPrefix(strings.TrimSpace(lines[from]), "[") {
			return nil, errors.New("it is not a table of its own")
		}
		to := from + 1
		for i := from + 1; i < len(lines); i++ {
			text := strings.TrimSpace(lines[i])
			if strings.HasPrefix(text, "[") {
				break
			}
			if text != "" && text[0] != '#' {
				to = i + 1
			}
		}
		if from > 0 && strings.TrimSpace(lines[from-1]) == "" && (to >= len(lines) || strings.TrimSpace(strings.Join(lines[to:], "")) == "" || strings.TrimSpace(lines[to]) == "") {
			from-- // the blank line that set it off
		}
		lines = slices.Delete(lines, from, to)
	}
	return []byte(strings.Join(lines, "")), nil
}

// tables are the lines at which the tables of an entry are opened.
func (e edit) tables(root *node, name string) []int {
	at := root.below(e.path)
	var lines []int
	if e.list {
		if item := e.find(root, name); item != nil {
			lines = append(lines, item.at.Line)
		}
		return lines
	}
	for _, x := range at.entries {
		if x.key != name {
			continue
		}
		lines = append(lines, x.at.Line)
		for _, inner := range x.value.entries {
			if inner.value.kind == mapNode && inner.value.at == inner.at { // a table, not an inline one
				lines = append(lines, inner.at.Line)
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
