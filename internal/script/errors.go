package script

import (
	"fmt"
	"strings"
)

// A Code says what ended a script. Errors of calls have the codes of the Fault.
type Code string

// The codes.
const (
	CodeSyntax        Code = "syntax"         // it does not compile
	CodeRuntime       Code = "runtime"        // it raised an error
	CodeSourceLimit   Code = "source_limit"   // it is too long
	CodeMemoryLimit   Code = "memory_limit"   // it wanted too much memory
	CodeCPULimit      Code = "cpu_limit"      // it worked too long
	CodeTimeLimit     Code = "time_limit"     // it took too long, waiting included
	CodeCallLimit     Code = "call_limit"     // it made too many calls
	CodePrintLimit    Code = "print_limit"    // it printed too much
	CodeResultLimit   Code = "result_limit"   // its answer is too large
	CodeArgumentLimit Code = "argument_limit" // a call's arguments are too large
	CodeNotAwaited    Code = "not_awaited"    // it used a call as if it were a value
	CodeUnknownTool   Code = "unknown_tool"   // no such tool on that server
	CodeUnknownServer Code = "unknown_server" // no such server
	CodeBadArguments  Code = "bad_arguments"  // not one table of named arguments
	CodeToolError     Code = "tool_error"     // a tool said that it failed
	CodeCallFailed    Code = "call_failed"    // a call did not get through
	CodeCallResult    Code = "call_result_limit"
	CodeBusy          Code = "busy"      // too many scripts are waiting
	CodeCancelled     Code = "cancelled" // whoever asked for it went away
	CodeInternal      Code = "internal"  // our fault
)

// An Error says why a script did not succeed.
type Error struct {
	Code    Code
	Message string
	Line    int    // of the script, 0 if it is none in particular
	Server  string // of the call that failed, if one did
	Tool    string
	Hint    string // what to do about it, "" if nothing is known
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	if e.Line > 0 {
		fmt.Fprintf(&b, " at line %d", e.Line)
	}
	b.WriteString(": ")
	if e.Tool != "" {
		fmt.Fprintf(&b, "%s.%s: ", e.Server, e.Tool)
	}
	b.WriteString(e.Message)
	if e.Hint != "" {
		b.WriteString(". Hint: " + e.Hint)
	}
	return b.String()
}

func tooLong(n, most int) *Error {
	return &Error{
		Code:    CodeSourceLimit,
		Message: fmt.Sprintf("the script has %d bytes, at most %d are allowed", n, most),
		Hint:    "pass data to tools by calls instead of writing it into the script",
	}
}

// A fault is an error that a script can catch, as it is handed to Lua.
type fault struct {
	Code    Code   `json:"code"`
	Server  string `json:"server,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Message string `json:"message"`
}
