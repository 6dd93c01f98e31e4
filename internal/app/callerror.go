package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// A CallProblem is a kind of reason for which a call has no result.
type CallProblem string

// The kinds.
const (
	WrongArguments CallProblem = "wrong_arguments" // they do not fit, or its server refused them
	Unreachable    CallProblem = "unreachable"     // its server could not be reached, is busy, or did not answer in time
	Refused        CallProblem = "refused"         // its server answered with an error
	AsksBack       CallProblem = "asks_back"       // its server wants to ask somebody who is not there
	NotListed      CallProblem = "not_listed"      // its server does not say that it has such a tool
	NotAllowed     CallProblem = "not_allowed"     // the policy denies it, or it waits for approval
	TooOften       CallProblem = "too_often"       // the policy allows it less often
)

// A CallError is why a call has no result.
type CallError struct {
	Kind     CallProblem
	Tool     catalog.ToolID // "" where it is about a script
	Message  string
	Problems []string // of arguments that do not fit, each in plain words
	Sent     bool     // it got to the server

	RetryAfter int // of TooOften, in seconds
}

func (e *CallError) Error() string {
	if len(e.Problems) == 0 {
		return e.Message
	}
	return e.Message + ": " + strings.Join(e.Problems, "; ")
}

// callError puts the error of a call into words for whoever made it. When ctx has
// ended that is the reason.
func callError(ctx context.Context, t *catalog.Tool, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("call %s: %w", t.ID(), context.Cause(ctx))
	}
	var mistake *call.Mistake
	if errors.As(err, &mistake) {
		return &CallError{
			Kind: WrongArguments, Tool: t.ID(), Problems: mistake.Problems,
			Message: fmt.Sprintf("the arguments do not fit %s, which was not called", t.ID()),
		}
	}
	var e *wire.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("call %s: %w", t.ID(), err)
	}
	out := &CallError{Kind: Refused, Tool: t.ID(), Message: e.Message, Sent: true}
	switch e.Code {
	case wire.CodeUpstreamFailed, wire.CodeUpstreamBusy, wire.CodeTimeout:
		out.Kind, out.Sent = Unreachable, e.Code == wire.CodeTimeout
	case wire.CodeRefused:
		out.Kind, out.Sent = NotAllowed, false
	case wire.CodeLimited:
		out.Kind, out.Sent, out.RetryAfter = TooOften, false, e.RetryAfter()
	case wire.CodeInvalidParams:
		out.Kind = WrongArguments
	case wire.CodeAgentRefused, wire.CodeMissingCapability, wire.CodeURLElicitation:
		out.Kind = AsksBack
	}
	if out.Kind == Refused || out.Kind == WrongArguments {
		out.Message = fmt.Sprintf("server %s refused the call of %s: %s", t.Server().LuaName(), t.ID(), e.Message)
	}
	return out
}
