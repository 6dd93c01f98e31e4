package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/trace"
	"toolcrib/internal/web"
	"toolcrib/internal/wire"
)

// Call calls a tool in somebody's name, by the chain that agents' calls go.
func (l *looking) Call(ctx context.Context, who web.Caller, id string, arguments json.RawMessage) (*web.CallResult, *web.Problem) {
	t, p := l.find(who, id)
	if p != nil {
		return nil, p
	}
	arguments = bytes.TrimSpace(arguments)
	switch {
	case len(arguments) == 0 || string(arguments) == "null":
		arguments = json.RawMessage("{}")
	case arguments[0] != '{':
		return nil, &web.Problem{Status: http.StatusBadRequest, Code: web.CodeBadRequest, Where: "arguments", Message: "arguments are no object", Next: `send them as {"arguments":{...}}`}
	}
	if !t.Callable() {
		return nil, &web.Problem{Status: http.StatusConflict, Code: web.CodeRefused, Where: "id", Message: "this tool cannot be called: " + disclose.NotCallable(t), Next: "list its server anew"}
	}
	l.known.Asked(t.Server().Name())
	began := time.Now()
	result, err := l.do(ctx, &call.Request{
		Server: t.Server().Name(), Method: wire.MethodToolsCall, Name: t.Name(), Params: toolParams(t.Name(), arguments),
		Caller: call.Caller{Era: wire.Modern, Subject: who.Subject, Scopes: who.Scopes}, // one that can be asked nothing
	})
	took := time.Since(began)
	if err != nil {
		return nil, callProblem(ctx, t, err)
	}
	if kind, _ := wire.Text(wire.Find(result, "resultType")); kind == "input_required" {
		return nil, &web.Problem{Status: http.StatusConflict, Code: web.CodeUpstream, Message: "the server wants to ask the user something in the course of it, which only an agent can pass on", Next: "call the tool by an agent"}
	}
	return &web.CallResult{
		Tool: string(t.ID()), Result: result, IsError: string(wire.Find(result, "isError")) == "true", TookMS: millis(took), Activity: l.noted(who, t, began),
	}, nil
}

// toolParams are those of a call.
func toolParams(name string, arguments json.RawMessage) []byte {
	params := append([]byte(`{"name":`), wire.Quote(name)...)
	return append(append(append(params, `,"arguments":`...), arguments...), '}')
}

// noted is the newest activity that tells of a call.
func (l *looking) noted(who web.Caller, t *catalog.Tool, since time.Time) (id uint64) {
	l.ring().Back(0, func(e *trace.Entry) bool {
		if e.Server == t.Server().Name() && e.Name == t.Name() && e.Subject == who.Subject && !e.Start.Before(since) {
			id = e.ID
		}
		return id == 0
	})
	return id
}

// statuses of problems, by what kind of reason a call has no result.
var callStatuses = map[CallProblem]struct {
	status int
	code   string
	next   string
}{
	WrongArguments: {http.StatusBadRequest, web.CodeBadRequest, "send arguments that fit the tool's schema"},
	Unreachable:    {http.StatusBadGateway, web.CodeUpstream, "look at the server: its last error and what it wrote tell more"},
	Refused:        {http.StatusBadGateway, web.CodeUpstream, "read what the server says, and send something else"},
	AsksBack:       {http.StatusConflict, web.CodeUpstream, "call the tool by an agent, which can ask its user"},
	NotListed:      {http.StatusConflict, web.CodeRefused, "list its server anew"},
	NotAllowed:     {http.StatusForbidden, web.CodeRefused, "toolcrib policy test explains it; the configuration can allow it"},
	TooOften:       {http.StatusTooManyRequests, web.CodeTooMany, "try again later; the policy says how often it may be called"},
}

func callProblem(ctx context.Context, t *catalog.Tool, err error) *web.Problem {
	err = callError(ctx, t, err)
	var e *CallError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &web.Problem{Status: http.StatusGatewayTimeout, Code: web.CodeTimeout, Message: err.Error(), Next: "try again, or raise call_timeout of the server"}
	case !errors.As(err, &e):
		return &web.Problem{Status: http.StatusBadGateway, Code: web.CodeUpstream, Message: err.Error(), Next: "look at the server"}
	}
	say := callStatuses[e.Kind]
	return &web.Problem{Status: say.status, Code: say.code, Message: e.Error(), Next: say.next}
}
