package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"toolcrib/internal/app"
	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
)

// printRun writes what came of a script: its result as data, all else as talk.
func (i *inspection) printRun(local *app.Local, r *script.Result, err error, f *runFlags) error {
	if err := i.printTalk(r); err != nil {
		return err
	}
	var told *script.Error
	if errors.As(err, &told) {
		if told.Code != script.CodeSyntax { // of which nothing was run
			i.printCalls(r.Ledger)
		}
		if told.Code == script.CodeUnknownTool || told.Code == script.CodeUnknownServer || told.Code == script.CodeRuntime {
			i.printFailed(local.Snapshot, f.config, "")
		}
		return failure{exitTool, errors.New(scriptError(told))}
	}
	if err != nil {
		return err
	}
	if f.all {
		i.printCalls(r.Ledger)
	}
	return i.printValue(r)
}

// printTalk writes what a script printed and what its author should know.
func (i *inspection) printTalk(r *script.Result) error {
	if err := i.printText(i.err, r.Printed); err != nil {
		return err
	}
	for _, note := range r.Notes {
		fmt.Fprintf(i.err, "note: %s\n", clean(note))
	}
	return nil
}

// printValue writes the result of a script: text as it is, the result of a tool as
// that tool's, and anything else as JSON.
func (i *inspection) printValue(r *script.Result) error {
	if r.Value == nil {
		return nil
	}
	if r.IsToolResult {
		result, err := readToolResult(r.Value)
		if err != nil {
			return err
		}
		if err := i.printResult(result); err != nil || !result.IsError {
			return err
		}
		return failure{exitTool, errors.New("the script's result says that it failed")}
	}
	var text string
	if json.Unmarshal(r.Value, &text) == nil && r.Value[0] == '"' {
		return i.printText(i.out, text)
	}
	return i.printText(i.out, string(indented(r.Value)))
}

// scriptError is why a script failed, on one line and a second with what to do.
func scriptError(e *script.Error) string {
	var b strings.Builder
	b.WriteString("the script failed")
	if e.Line > 0 {
		fmt.Fprintf(&b, " at line %d", e.Line)
	}
	b.WriteString(": ")
	if e.Tool != "" {
		b.WriteString(clean(e.Server+"."+e.Tool) + ": ")
	}
	fmt.Fprintf(&b, "%s (%s)", disclose.Clean(e.Message), e.Code)
	if e.Hint != "" {
		b.WriteString("\n  " + clean(forPeople.Replace(e.Hint)))
	}
	return b.String()
}

// forPeople are hints that name our tools, in terms of commands.
var forPeople = strings.NewReplacer(
	"give a longer timeout", "give it more time with --timeout",
)

// printCalls writes the calls that a script made.
func (i *inspection) printCalls(calls []script.Call) {
	if len(calls) == 0 {
		fmt.Fprintln(i.err, "calls made: none")
		return
	}
	fmt.Fprintln(i.err, "calls made:")
	t := &table{width: terminalOf(i.err, i.getenv).width}
	for _, c := range calls {
		line := ""
		if c.Line > 0 {
			line = "line " + strconv.Itoa(c.Line)
		}
		t.add("  "+clean(c.Server+"."+c.Tool), line, fmt.Sprintf("%d ms", c.Millis), strings.TrimSpace(string(c.Status)+" "+clean(c.Error)))
	}
	_ = t.print(i.err) // talk that nobody reads is no failure
}

type runOutput struct {
	Version int             `json:"version"`
	OK      bool            `json:"ok"`
	Result  json.RawMessage `json:"result"` // null if there is none
	Printed string          `json:"printed"`
	Notes   []string        `json:"notes"`
	Calls   []script.Call   `json:"calls"`
	Error   *runErrorJSON   `json:"error,omitempty"`
	Ticks   int             `json:"ticks"`  // of work, about a millisecond each
	Memory  int             `json:"memory"` // most bytes that Lua had in use
	TookMS  int64           `json:"took_ms"`
}

type runErrorJSON struct {
	Code    script.Code `json:"code"`
	Message string      `json:"message"`
	Line    int         `json:"line,omitempty"`
	Server  string      `json:"server,omitempty"`
	Tool    string      `json:"tool,omitempty"`
	Hint    string      `json:"hint,omitempty"`
}

func (i *inspection) printRunJSON(r *script.Result, err error) error {
	out := runOutput{
		Version: jsonVersion, OK: err == nil, Result: r.Value, Printed: r.Printed, Notes: append([]string{}, r.Notes...),
		Calls: append([]script.Call{}, r.Ledger...), Ticks: r.Ticks, Memory: r.Memory, TookMS: r.Wall.Milliseconds(),
	}
	if out.Result == nil {
		out.Result = json.RawMessage("null")
	}
	var told *script.Error
	switch {
	case errors.As(err, &told):
		shown := runErrorJSON(*told)
		out.Error = &shown
	case err != nil:
		return err
	}
	if err := i.printJSON(out); err != nil || out.OK {
		return err
	}
	return exitError{exitTool}
}
