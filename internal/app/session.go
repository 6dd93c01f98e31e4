package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"toolcrib/internal/script"
)

// A Session runs inputs one after the other, each of which sees what the earlier
// ones made, local variables included. The engine keeps no Lua between scripts: the
// script of an input is all inputs before it and itself. Calls of the earlier ones are
// not made again; what they answered is on record. An input that fails leaves
// nothing behind for later ones, though the calls that it made were made.
type Session struct {
	local  *Local
	args   json.RawMessage
	limits script.Limits

	inputs []string // what is run again, as statements
	record *record
	calls  int      // that the inputs make
	ticks  int      // of work that they take
	notes  []string // that they are worth
}

// NewSession begins a session whose inputs have args and, each, limits.
func (l *Local) NewSession(args json.RawMessage, limits script.Limits) *Session {
	return &Session{local: l, args: args, limits: limits, record: newRecord(l.Host())}
}

// sessionStart is the first line of the script: what earlier inputs printed, and
// what they gave for a result, is not given again. The value of an input is kept as _,
// and that of a call is what it answered.
const sessionStart = `local __now, __all = false, await_all; local function __keep(v) _ = __all({v})[1] end; local print, result = ` +
	`(function(p, r) return function(...) if __now then p(...) end end, function(v) if __now then r(v) end end end)(print, result)`

// Unfinished tells whether an input goes on in the next line: it is Lua up to its end.
func (s *Session) Unfinished(ctx context.Context, input string) bool {
	ends := false
	for _, source := range []string{"return " + input, input} {
		err := s.compiles(ctx, source)
		if err == nil {
			return false
		}
		ends = ends || err.Code == script.CodeSyntax && strings.Contains(err.Message, "<eof>")
	}
	return ends
}

// compiles is what is wrong with the syntax of a text, nil if nothing is.
func (s *Session) compiles(ctx context.Context, source string) *script.Error {
	_, err := s.local.Plan(ctx, &script.Request{Source: source})
	var told *script.Error
	if err != nil && !errors.As(err, &told) {
		told = &script.Error{Code: script.CodeInternal, Message: err.Error()}
	}
	return told
}

// Run runs an input: an expression, whose value is the result, or statements.
func (s *Session) Run(ctx context.Context, input string) (*script.Result, error) {
	if s.record.full() {
		return &script.Result{}, &script.Error{
			Code: script.CodeMemoryLimit, Message: fmt.Sprintf("the answers of earlier inputs take more than %d MB", maxRecord>>20), Hint: "start a new session",
		}
	}
	live, kept := input, input
	switch err := s.compiles(ctx, input); {
	case s.compiles(ctx, "return "+input) == nil:
		live, kept = "return "+input, "__keep("+input+"\n)"
	case err != nil:
		return &script.Result{}, err
	case s.compiles(ctx, input+"\nlocal _") != nil: // nothing may follow a return
		kept = "__keep((function() " + input + "\nend)())"
	}
	before := strings.Join(append([]string{sessionStart}, s.inputs...), "\n;") + "\n;__now = true\n"
	limits := s.limits
	limits.Source = script.Maxima().Source
	usual := script.Defaults()
	limits.Ticks = orDefault(limits.Ticks, usual.Ticks) + s.ticks
	limits.Calls = orDefault(limits.Calls, usual.Calls) + s.calls
	s.record.rewind()
	result, err := s.local.scripts.Run(ctx, &script.Request{Source: before + live, Args: s.args, Limits: &limits}, s.record)
	all := *result
	s.show(result, err, strings.Count(before, "\n"))
	if err == nil {
		s.inputs, s.calls, s.ticks, s.notes = append(s.inputs, kept), len(all.Ledger), all.Ticks, all.Notes
		s.record.keep()
	}
	return result, err
}

func orDefault(n, usual int) int {
	if n <= 0 {
		return usual
	}
	return n
}

// show makes of a result what concerns the last input, whose text is so many lines down.
func (s *Session) show(result *script.Result, err error, lines int) {
	result.Ledger = result.Ledger[min(s.calls, len(result.Ledger)):]
	result.Ledger = slices.Clone(result.Ledger)
	for i := range result.Ledger {
		result.Ledger[i].Line = max(0, result.Ledger[i].Line-lines)
	}
	result.Ticks = max(0, result.Ticks-s.ticks)
	result.Notes = slices.DeleteFunc(slices.Clone(result.Notes), func(note string) bool {
		return slices.Contains(s.notes, note) || strings.HasPrefix(note, "the script gave no result") // few inputs do
	})
	var told *script.Error
	if errors.As(err, &told) && told.Line > 0 {
		told.Line = max(0, told.Line-lines) // 0 is somewhere in an earlier input
	}
}
