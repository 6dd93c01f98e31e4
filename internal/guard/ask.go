package guard

import (
	"context"
	"fmt"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/wire"
)

// refused is the error of a call that the policy denies. It ends in what the user can
// do about it.
func refused(id catalog.ToolID, d Decision) error {
	return wire.Errorf(wire.CodeRefused, "%s is withheld: %s (by %s); toolcrib policy test %s explains it", id, d.Why, d.By, id)
}

// shownArguments is how many characters of arguments a user is shown with the question.
const shownArguments = 600

// ask puts a call before the user and returns why it may not be made. The question
// goes the way that a server's own questions go, in whichever era the agent speaks.
func ask(ctx context.Context, r *call.Request, id catalog.ToolID, d Decision) error {
	if r.Back == nil || !r.Caller.Capabilities.Elicitation {
		return unasked(id, d, "this agent cannot ask its user")
	}
	message := fmt.Sprintf("May the agent call %s? %s.", id, d.Why)
	if arguments := wire.Find(r.Params, "arguments"); arguments != nil {
		message += " Its arguments: " + Visible(string(arguments), shownArguments)
	}
	params := []byte(`{"message":`)
	if r.Caller.Era == wire.Modern {
		params = []byte(`{"mode":"form","message":`)
	}
	params = append(params, wire.Quote(message)...)
	params = append(params, `,"requestedSchema":{"type":"object","properties":{"allow":{"type":"boolean","title":"Allow this call","description":"Yes lets the agent make this one call"}},"required":["allow"]}}`...)
	answer, err := r.Back.Request(ctx, "elicitation/create", params)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return unasked(id, d, "the user could not be asked: "+Visible(err.Error(), 200))
	}
	action, _ := wire.Text(wire.Find(answer, "action"))
	if action != "accept" || string(wire.Find(wire.Find(answer, "content"), "allow")) != "true" {
		return wire.Errorf(wire.CodeRefused, "the user does not allow this call of %s", id)
	}
	return nil
}

// unasked is why a call is refused that somebody would have to be asked about.
func unasked(id catalog.ToolID, d Decision, why string) error {
	return wire.Errorf(wire.CodeRefused, "%s needs the user's consent (%s, by %s), and %s; to allow it, the user can put {tools: [%q], verdict: allow} first under policy.rules in the configuration, or run: toolcrib tools call %s",
		id, d.Why, d.By, why, id, id)
}
