package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
)

// A service answers requests, whichever way they came.
type service interface {
	// prepare sees each request in the order of arrival, before serve, which
	// may run beside others.
	prepare(r *request)
	// serve answers one request. A nil result with a nil error leaves it unanswered.
	serve(ctx context.Context, r *request) (any, *rpcError)
	// opened and closed tell of legacy sessions, which get notices unasked.
	opened(s *session)
	closed(s *session)
	// fault remembers what a client did wrong.
	fault(format string, a ...any)
	// cancelled says that a request was given up by its client.
	cancelled()
}

// A request is one that was let in.
type request struct {
	id      json.RawMessage
	method  string
	params  map[string]json.RawMessage
	meta    map[string]json.RawMessage
	modern  bool
	version string
	session *session // of the connection; nil for modern HTTP
	back    back
	listen  *listen // of subscriptions/listen, once prepared
}

// back is the way to whoever asked.
type back interface {
	// notify sends a notification on the stream of the request.
	notify(method string, params any)
	// ask sends a request to a legacy client and waits for its result.
	ask(ctx context.Context, method string, params any) (json.RawMessage, error)
}

// text of a string member of the params, "" if there is none.
func (r *request) text(name string) string {
	var s string
	if json.Unmarshal(r.params[name], &s) != nil {
		return ""
	}
	return s
}

// capability says whether the client declared name.
func (r *request) capability(name string) bool {
	var caps map[string]json.RawMessage
	if r.modern {
		if json.Unmarshal(r.meta[metaCapabilities], &caps) != nil {
			return false
		}
	} else if r.session != nil {
		caps = r.session.capabilities()
	}
	_, ok := caps[name]
	return ok
}

// need asks the client for something in the way of its era: a legacy client gets
// a request of its own; a modern one gets the question as the answer, and the
// call comes again with the reply. A nil reply with a nil error means: return
// the question.
func (r *request) need(ctx context.Context, key, capability, method string, params any) (reply json.RawMessage, question any, fault *rpcError) {
	if !r.capability(capability) {
		e := rpcErrorf(-32021, "this needs the client capability %s", capability)
		if !r.modern {
			e.Code = -32600
		}
		e.Data = object{"requiredCapabilities": object{capability: object{}}}
		return nil, nil, e
	}
	if !r.modern {
		reply, err := r.back.ask(ctx, method, params)
		if err != nil {
			return nil, nil, rpcErrorf(-32603, "%s: %v", method, err)
		}
		return reply, nil, nil
	}
	var replies map[string]json.RawMessage
	if raw := r.params["inputResponses"]; raw != nil {
		if err := json.Unmarshal(raw, &replies); err != nil {
			return nil, nil, rpcErrorf(-32602, "inputResponses: %v", err)
		}
	}
	state := "state of " + key
	if reply, ok := replies[key]; ok {
		if got := r.text("requestState"); got != state {
			return nil, nil, rpcErrorf(-32602, "requestState is %q, it was %q", got, state)
		}
		return reply, nil, nil
	}
	return nil, object{
		"resultType":    "input_required",
		"inputRequests": object{key: object{"method": method, "params": params}},
		"requestState":  state,
	}, nil
}

// progress tells how far a request is, if its client wants to know.
func (r *request) progress(done, total int) {
	token := r.meta["progressToken"]
	if token == nil {
		return
	}
	r.back.notify("notifications/progress", object{
		"progressToken": token, "progress": done, "total": total,
		"message": fmt.Sprintf("%d of %d", done, total),
	})
}

// log levels, the most talkative first.
var logLevels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func severity(level string) int {
	for i, l := range logLevels {
		if l == level {
			return i
		}
	}
	return -1
}

// log sends a log message if the client asked for ones of this level. A legacy
// client that never set a level gets all.
func (r *request) log(level, text string) {
	var wanted string
	if r.modern {
		if json.Unmarshal(r.meta[metaLogLevel], &wanted) != nil || wanted == "" {
			return
		}
	} else if r.session != nil {
		wanted = r.session.logLevel()
	}
	if wanted != "" && severity(level) < severity(wanted) {
		return
	}
	r.back.notify("notifications/message", object{"level": level, "logger": "mcptest", "data": text})
}
