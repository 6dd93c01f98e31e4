package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Limits of diff: its work grows with lines times changes.
const (
	maxDiffLines   = 20_000
	maxDiffChanges = 1_000
)

type compared struct {
	Equal   bool   `json:"equal" jsonschema:"whether the texts are the same"`
	Added   int    `json:"added" jsonschema:"lines only in after"`
	Removed int    `json:"removed" jsonschema:"lines only in before"`
	Diff    string `json:"diff" jsonschema:"the changes as a unified diff, empty if there are none"`
}

func diffTool(ctx context.Context, in struct {
	Before  string `json:"before"`
	After   string `json:"after"`
	Context int    `json:"context"`
},
) (string, compared, error) {
	edits, err := diffLines(ctx, splitLines(in.Before), splitLines(in.After))
	if err != nil {
		return "", compared{}, err
	}
	out := compared{Equal: true}
	for _, e := range edits {
		switch e.kind {
		case '+':
			out.Added++
		case '-':
			out.Removed++
		}
	}
	if out.Added+out.Removed == 0 {
		if in.Before != in.After { // only the end of the last line, or line ends
			return "The texts differ in line ends only.", compared{}, nil
		}
		return "The texts are equal.", out, nil
	}
	out.Equal = false
	out.Diff = unified(edits, in.Context)
	return out.Diff, out, nil
}

// splitLines is text as lines, without their ends. No text has no lines.
func splitLines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// edit is a line that stays (' '), goes ('-') or comes ('+').
type edit struct {
	kind byte
	line string
}

// diffLines finds a shortest list of edits by Myers' greedy algorithm: for each
// number of changes it knows how far each diagonal of the grid a by b can be
// walked, and from what it knew before each change it walks back.
func diffLines(ctx context.Context, a, b []string) ([]edit, error) {
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		return nil, fmt.Errorf("a text has more than %d lines: compare parts of it", maxDiffLines)
	}
	var history []reach
	known := reach{0, 0, 0}
	for changes := range maxDiffChanges + 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		history = append(history, known)
		now := make(reach, 2*changes+5)
		for k := -changes; k <= changes; k += 2 {
			x := known.step(k, changes)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			now.set(k, x)
			if x >= len(a) && x-k >= len(b) {
				return walkBack(history, a, b), nil
			}
		}
		known = now
	}
	return nil, fmt.Errorf("the texts differ in more than %d lines: compare parts of them", maxDiffChanges)
}

// reach is how far each diagonal was walked; its middle is diagonal 0.
type reach []int32

func (r reach) get(k int) int      { return int(r[len(r)/2+k]) }
func (r reach) set(k, x int)       { r[len(r)/2+k] = int32(x) }
func (r reach) down(k, d int) bool { return k == -d || k != d && r.get(k-1) < r.get(k+1) }

// step is where the d-th change leads on diagonal k: down from k+1, which adds a
// line of b, or right from k-1, which drops one of a.
func (r reach) step(k, d int) int {
	switch {
	case d == 0:
		return 0
	case r.down(k, d):
		return r.get(k + 1)
	}
	return r.get(k-1) + 1
}

func walkBack(history []reach, a, b []string) []edit {
	var edits []edit
	x, y := len(a), len(b)
	stay := func(toX, toY int) {
		for x > toX && y > toY {
			x, y = x-1, y-1
			edits = append(edits, edit{' ', a[x]})
		}
	}
	for d := len(history) - 1; d > 0; d-- {
		k := x - y
		if history[d].down(k, d) {
			fromX := history[d].get(k + 1)
			stay(fromX, fromX-k-1)
			y--
			edits = append(edits, edit{'+', b[y]})
		} else {
			fromX := history[d].get(k - 1)
			stay(fromX, fromX-k+1)
			x--
			edits = append(edits, edit{'-', a[x]})
		}
	}
	stay(0, 0)
	slices.Reverse(edits)
	return edits
}

// unified writes edits in hunks with around lines of context.
func unified(edits []edit, around int) string {
	var b strings.Builder
	b.WriteString("--- before\n+++ after\n")
	lineA, lineB := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].kind == ' ' {
			lineA, lineB, i = lineA+1, lineB+1, i+1
			continue
		}
		start := i
		for start > 0 && i-start < around && edits[start-1].kind == ' ' {
			start--
		}
		end := hunkEnd(edits, i, around)
		fromA, fromB := lineA-(i-start), lineB-(i-start)
		var countA, countB int
		var lines strings.Builder
		for _, e := range edits[start:end] {
			if e.kind != '+' {
				countA++
			}
			if e.kind != '-' {
				countB++
			}
			lines.WriteByte(e.kind)
			lines.WriteString(e.line)
			lines.WriteByte('\n')
		}
		fmt.Fprintf(&b, "@@ -%s +%s @@\n%s", hunkRange(fromA, countA), hunkRange(fromB, countB), lines.String())
		lineA, lineB, i = fromA+countA, fromB+countB, end
	}
	return b.String()
}

// hunkEnd is where the hunk ends that has a change at i: changes closer than
// twice the context share one.
func hunkEnd(edits []edit, i, around int) int {
	last := i
	for j := i; j < len(edits) && j-last <= 2*around; j++ {
		if edits[j].kind != ' ' {
			last = j
		}
	}
	return min(last+around+1, len(edits))
}

func hunkRange(from, count int) string {
	if count == 0 {
		from-- // by convention, the line before
	}
	if count == 1 {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d,%d", from, count)
}
