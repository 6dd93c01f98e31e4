package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"toolcrib/internal/config"
)

// A doctor is one run of toolcrib doctor. Its checks are in the files doctor_*.go;
// each adds what it found, and what is in order only once for all it looked at.
type doctor struct {
	*inspection
	flags  doctorFlags
	c      config.Config
	loaded bool // c could be read

	checks []check
	code   int // that the process ends with, if more is wrong than warnings
}

// A check is what was looked at and what came of it.
type check struct {
	Area   string `json:"area"`            // what kind of thing
	About  string `json:"about,omitempty"` // which of them
	Level  level  `json:"level"`
	Text   string `json:"text"`
	Fix    string `json:"fix,omitempty"` // one step; none if it is in order
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

type level string

const (
	isOK      level = "ok"
	isWarning level = "warning"
	isProblem level = "problem"
)

func (d *doctor) add(c check) { d.checks = append(d.checks, c) }

// ok is one line for all of an area that is in order.
func (d *doctor) ok(area, format string, args ...any) {
	d.add(check{Area: area, Level: isOK, Text: fmt.Sprintf(format, args...)})
}

// many counts the checks of a level.
func (d *doctor) many(l level) int {
	n := 0
	for _, c := range d.checks {
		if c.Level == l {
			n++
		}
	}
	return n
}

// ending is how the process ends.
func (d *doctor) ending() error {
	switch {
	case d.many(isProblem) == 0:
		return nil
	case d.code != 0:
		return exitError{d.code}
	}
	return exitError{exitFailure}
}

type doctorOutput struct {
	Version  int     `json:"version"`
	Config   string  `json:"config,omitempty"`
	Healthy  bool    `json:"healthy"` // there is no problem
	Problems int     `json:"problems"`
	Warnings int     `json:"warnings"`
	Offline  bool    `json:"offline"`
	Checks   []check `json:"checks"`
}

func (d *doctor) report() error {
	problems, warnings := d.many(isProblem), d.many(isWarning)
	if d.json {
		return d.printJSON(doctorOutput{
			Version: jsonVersion, Config: d.c.File, Healthy: problems == 0, Problems: problems, Warnings: warnings,
			Offline: d.flags.offline, Checks: d.checks,
		})
	}
	term := terminalOf(d.out, d.getenv)
	var b strings.Builder
	for _, c := range d.checks {
		writeCheck(&b, c, term)
	}
	if _, err := io.WriteString(d.out, b.String()); err != nil {
		return err
	}
	if problems+warnings == 0 {
		fmt.Fprintln(d.err, "all is well")
		return nil
	}
	fmt.Fprintf(d.err, "%s, %s\n", count(problems, "problem"), count(warnings, "warning"))
	return nil
}

// paints are the colours of levels.
var paints = map[level]string{isOK: green, isWarning: yellow, isProblem: red}

// writeCheck writes a check and its fix. Neither is cut: a fix is there to be copied.
func writeCheck(b *strings.Builder, c check, term terminal) {
	const marks = len(isProblem)
	about := c.Area
	if c.About != "" {
		about += " " + clean(c.About)
	}
	mark := string(c.Level) + strings.Repeat(" ", marks-len(c.Level))
	fmt.Fprintf(b, "%s%s%s: %s\n", term.paint(paints[c.Level], mark), gap, about, c.Text)
	if c.Fix != "" {
		fmt.Fprintf(b, "%s%sfix: %s\n", strings.Repeat(" ", marks), gap, c.Fix)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// firstLine is a text without the example that may follow it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return clean(line)
}
