package trace

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"toolcrib/internal/wire"
)

// An outcome is how something ended, as a label of metrics: one of a closed set.
type outcome string

const (
	succeeded   outcome = "ok"
	toolError   outcome = errorTool     // the tool says so itself: isError
	refused     outcome = "refused"     // the request was not right
	denied      outcome = "denied"      // the policy or the user does not allow it
	unreachable outcome = "unreachable" // no server to do it
	busy        outcome = "busy"        // the server has too much to do
	timedOut    outcome = "timeout"
	cancelled   outcome = "cancelled"
	failed      outcome = "failed" // anything else
)

// outcomes are all there are, the usual one first.
var outcomes = [...]outcome{succeeded, toolError, refused, denied, unreachable, busy, timedOut, cancelled, failed}

// index is the place in outcomes.
func (o outcome) index() int {
	for i, one := range outcomes {
		if o == one {
			return i
		}
	}
	return len(outcomes) - 1
}

// An ending is how a request ended, for its span and for metrics.
type ending struct {
	outcome outcome
	kind    string // error.type; "" if all is well
	code    int    // of a *wire.Error, else 0
	message string
}

// judge reads an ending. Only a tool's call can end in a tool_error.
func judge(ctx context.Context, method string, result []byte, err error) ending {
	switch {
	case err != nil:
		return judgeError(ctx, err)
	case method == wire.MethodToolsCall && saysFailed(result):
		return ending{outcome: toolError, kind: errorTool}
	}
	return ending{outcome: succeeded}
}

func judgeError(ctx context.Context, err error) ending {
	var told *wire.Error
	switch {
	case errors.As(err, &told):
		return ending{outcome: byCode(told.Code), kind: strconv.Itoa(told.Code), code: told.Code, message: told.Message}
	case errors.Is(err, context.DeadlineExceeded):
		return ending{outcome: timedOut, kind: string(timedOut), message: err.Error()}
	case errors.Is(err, context.Canceled) || ctx.Err() != nil:
		return ending{outcome: cancelled, kind: string(cancelled), message: "the agent did not wait for it"}
	}
	return ending{outcome: failed, kind: string(failed), message: err.Error()}
}

// saysFailed tells whether a tool says that it failed. Nearly all results are told
// without being looked through, which for long ones takes as long as handing them on.
func saysFailed(result []byte) bool {
	return bytes.Contains(result, []byte(`"isError"`)) && string(wire.Find(result, "isError")) == "true"
}

func byCode(code int) outcome {
	switch code {
	case wire.CodeParse, wire.CodeInvalidRequest, wire.CodeMethodNotFound, wire.CodeInvalidParams, wire.CodeResourceNotFound,
		wire.CodeHeaderMismatch, wire.CodeMissingCapability, wire.CodeUnsupportedVersion:
		return refused
	case wire.CodeRefused:
		return denied
	case wire.CodeUpstreamFailed:
		return unreachable
	case wire.CodeUpstreamBusy:
		return busy
	case wire.CodeTimeout:
		return timedOut
	}
	return failed
}
