package trace

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"toolcrib/internal/wire"
)

// A request of an agent, while it is being answered. Where calls are to find the request
// they belong to, it is the context that they are made with.
type request struct {
	context.Context
	t     *Trace
	in    *wire.Incoming
	name  string // of the tool it calls, as the agent names it
	own   string // the same if it is one of the gateway's, else ""
	began time.Time
	span  *span        // nil without traces
	calls atomic.Int64 // made at servers in the course of it

	id   uint64       // of a script, as its calls refer to it
	told atomic.Int64 // entries of activity that were made of it
}

// requestKey is where the contexts of calls keep the request they belong to.
type requestKey struct{}

func requestOf(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// Value has the request, besides what is in the context.
func (r *request) Value(key any) any {
	if key == (requestKey{}) {
		return r
	}
	return r.Context.Value(key)
}

// end notes how the request was answered.
func (r *request) end(ctx context.Context, result []byte, err error) {
	how := judge(ctx, r.in.Method, result, err)
	took := time.Since(r.began)
	m := r.t.metrics
	m.serving(r, how.outcome, took)
	var found *searched
	if r.own == searchTool && err == nil {
		found = readSearch(result)
		m.searched(found)
	}
	if r.own == scriptTool {
		m.ran(how.outcome)
	}
	kept, spent := r.tokens(result, err)
	m.spend(kept, spent)
	r.remember(how, took, found, kept, spent, result)
	if r.span.recorded() {
		r.send(took, found, how, result, err)
	}
}

// send ends the request's span.
func (r *request) send(took time.Duration, found *searched, how ending, result []byte, err error) {
	var room [usualRecord]byte
	r.span.end(r.marks(r.span.record(room[:0], r.began, took), found, how, result, err), how)
}

// marks say what was asked and what came of it.
func (r *request) marks(to record, found *searched, how ending, result []byte, err error) record {
	in := r.in
	to = to.mark(markOf(in.Method))
	to = to.short(keyProtocol, in.Version)
	to = to.short(keyRequestID, strings.Trim(string(in.ID), `"`))
	if in.Header != nil {
		to = to.mark(markTCP)
	} else {
		to = to.mark(markPipe)
	}
	to = to.mark(r.kind())
	if r.name != "" {
		to = subjectMarks(to, in.Method, r.name)
	} else {
		to = subjectMarks(to, in.Method, named(in))
	}
	if in.Session != nil && in.Session.ID != "" {
		to = to.text(keySessionID, in.Session.ID)
	}
	if in.Subject != "" {
		to = to.short(keyUser, in.Subject)
	}
	if r.own != "" {
		if tool, _ := wire.Text(wire.Find(wire.Find(in.Params, "arguments"), "tool")); tool != "" {
			to = to.short(keyID, tool)
		}
	}
	if r.own == scriptTool && how.outcome == toolError {
		code, _ := wire.Text(wire.Find(wire.Find(wire.Find(result, "structuredContent"), "error"), "code"))
		if code != "" {
			to = to.short(keyScriptError, code)
		}
	}
	if in.Session != nil && in.Era == wire.Legacy {
		to = to.text(keySession, in.Session.ID)
	}
	if calls := r.calls.Load(); calls > 0 {
		to = to.number(keyCalls, calls)
	}
	c := r.t.content(in.Method, in.Params, result, err)
	if r.own == searchTool {
		return r.searchMarks(to, c, found)
	}
	return c.marks(to)
}

// named is what a request that calls no tool is about.
func named(in *wire.Incoming) string {
	var name string
	switch in.Method {
	case wire.MethodPromptsGet:
		name, _ = wire.Text(wire.Find(in.Params, "name"))
	case wire.MethodResourcesRead, wire.MethodSubscribe, wire.MethodUnsubscribe:
		name, _ = wire.Text(wire.Find(in.Params, "uri"))
	}
	return cut(name, maxText)
}

// kind is what Langfuse takes the request for.
func (r *request) kind() mark {
	switch r.own {
	case searchTool:
		return markRetriever
	case scriptTool:
		return markChain
	}
	return typeOf(r.in.Method)
}

// typeOf is what Langfuse takes a request of a method for.
func typeOf(method string) mark {
	if method == wire.MethodToolsCall {
		return markTool
	}
	return markSpan
}

// markOf says what method a request is of.
func markOf(method string) mark {
	if method == wire.MethodToolsCall {
		return markToolsCall
	}
	if m := methods[method]; m != "" {
		return m
	}
	return methods[otherName]
}

// subjectMarks say what a request is about.
func subjectMarks(to record, method, name string) record {
	switch method {
	case wire.MethodToolsCall:
		return to.short(keyTool, name).mark(markExecuteTool)
	case wire.MethodPromptsGet:
		return to.short(keyPrompt, name)
	case wire.MethodResourcesRead, wire.MethodSubscribe, wire.MethodUnsubscribe:
		return to.short(keyResource, name)
	}
	return to
}
