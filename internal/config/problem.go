package config

import (
	"errors"
	"fmt"
	"strings"
)

// A Problem is one thing that is wrong in a file, or looks wrong.
type Problem struct {
	File string
	At   Position // zero if it is about the whole file
	Text string
	Line string // the line of the file with a caret below; "" where it might hold a secret

	Waits bool // nothing is wrong: it waits for its user's approval
}

// Error is the problem in one line.
func (p Problem) Error() string {
	if p.At.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%s: %s", p.File, p.At, p.Text)
}

// An Error is everything that keeps a file from being used.
type Error struct{ Problems []Problem }

// mostShown keeps a file that is wrong from end to end from filling a terminal.
const mostShown = 10

func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i == mostShown {
			fmt.Fprintf(&b, "\n... and %d more", len(e.Problems)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Error())
		if p.Line != "" {
			b.WriteString("\n" + p.Line)
		}
	}
	return b.String()
}

// IsError tells whether err is about a configuration.
func IsError(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

func fileError(file, format string, args ...any) *Error {
	return &Error{[]Problem{{File: file, Text: fmt.Sprintf(format, args...)}}}
}

// caret shows a line of src with a mark below the column, and of a long line the
// part around it.
func caret(src []byte, at Position) string {
	const before, most = 60, 120
	line := strings.TrimRight(lineOf(src, at.Line), "\r")
	r := []rune(line)
	col := min(max(at.Column-1, 0), len(r))
	start := max(0, col-before)
	end := min(len(r), start+most)
	var b, mark strings.Builder
	for i, c := range r[start:end] {
		if c != '\t' && (c < ' ' || c == 0x7f) {
			c = '\ufffd' // a terminal must not act on what a file holds
		}
		b.WriteRune(c)
		if start+i < col {
			if c != '\t' {
				c = ' '
			}
			mark.WriteRune(c)
		}
	}
	return "    " + b.String() + "\n    " + mark.String() + "^"
}

func lineOf(src []byte, line int) string {
	rest := string(src)
	for ; line > 1; line-- {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return ""
		}
		rest = after
	}
	rest, _, _ = strings.Cut(rest, "\n")
	return rest
}
