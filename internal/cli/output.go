package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"toolcrib/internal/disclose"
)

// printJSON writes v as people and programs can read it, with texts as they are.
func (s *streams) printJSON(v any) error {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// clean makes one line of a text that came from elsewhere, without what a
// terminal would act on or a reader would not see.
func clean(text string) string { return disclose.Line(text) }

// cleanLines is clean for a text whose lines are kept.
func cleanLines(text []byte) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(string(text), "\r\n"), "\n") {
		b.WriteString(clean(line) + "\n")
	}
	return b.String()
}

// A table is rows of cells. All columns but the last are as wide as their widest
// cell, unless the line is too narrow for that; the last is cut where the line would be
// too long.
type table struct {
	width int // of a line, 0 for any
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

const gap = "  "

func (t *table) print(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells(cell))
		}
	}
	t.shrink(widths)
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		used := 0
		for i, cell := range row[:len(row)-1] {
			cell = cut(cell, widths[i])
			line.WriteString(cell + strings.Repeat(" ", widths[i]-cells(cell)) + gap)
			used += widths[i] + len(gap)
		}
		last := row[len(row)-1]
		if t.width > 0 {
			last = cut(last, max(t.width-used, 10))
		}
		line.WriteString(last)
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// What is left of a line for its last cell, and of a column, on a narrow terminal.
const (
	leastLast   = 20
	leastColumn = 8
)

// shrink takes room from the widest columns, where they would leave none for the last.
func (t *table) shrink(widths []int) {
	for t.width > 0 {
		used, widest := 0, 0
		for i, w := range widths {
			used += w + len(gap)
			if w > widths[widest] {
				widest = i
			}
		}
		if used+leastLast <= t.width || len(widths) == 0 || widths[widest] <= leastColumn {
			return
		}
		widths[widest]--
	}
}

// ago is an age as one would say it.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// several joins names, of many only the first.
func several(names []string) string {
	const most = 8
	var b strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(clean(name))
	}
	return b.String()
}

// quoted is a word as a shell takes it for one.
func quoted(word string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:@%+,=", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
