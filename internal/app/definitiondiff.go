package app

import (
	"bytes"
	"encoding/json"
	"strings"
)

// diffMembers are what a definition is compared by, in the order of showing.
var diffMembers = []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}

// DefinitionDiff is what is different in two definitions, as lines that begin with -
// and +, under the name of the member that they are of. What cannot be seen is
// written as its number.
func DefinitionDiff(before, now json.RawMessage) []string {
	var was, is map[string]json.RawMessage
	_ = json.Unmarshal(before, &was) // what is none has no members
	_ = json.Unmarshal(now, &is)
	var out []string
	for _, member := range diffMembers {
		a, b := memberLines(was[member]), memberLines(is[member])
		if changed := lineDiff(a, b); len(changed) > 0 {
			out = append(append(out, member), changed...)
		}
	}
	return out
}

// memberLines is a member as lines: a text as it is, anything else indented.
func memberLines(raw json.RawMessage) []string {
	if raw == nil {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var b bytes.Buffer
		if json.Indent(&b, raw, "", "  ") != nil {
			return []string{string(raw)}
		}
		text = b.String()
	}
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

const (
	mostDiffLines  = 2000 // of each side; of more all are shown as changed
	mostDiffColumn = 2000 // characters of a line
)

// lineDiff is the lines that a and b do not share, by their longest common sequence.
func lineDiff(a, b []string) []string {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out []string
	line := func(mark, text string) { out = append(out, mark+" "+Visible(text, mostDiffColumn)) }
	common := commonLengths(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case common != nil && i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common == nil || common[i+1][j] >= common[i][j+1]):
			line("-", a[i])
			i++
		default:
			line("+", b[j])
			j++
		}
	}
	return out
}

// commonLengths is how long the common sequence of what is left from i and j on is,
// nil if there are too many lines for that.
func commonLengths(a, b []string) [][]int {
	if len(a) > mostDiffLines || len(b) > mostDiffLines {
		return nil
	}
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}
