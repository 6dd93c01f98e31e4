package trace

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"

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
	m := r.t.metrics
	m.serving(r, how.outcome, time.Since(r.began))
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
	r.remember(how, found, kept, spent, result)
	if r.span.recorded() {
		r.span.end(r.facts(found, how, result, err), how)
	}
}

// requestFacts are the facts of a request of an agent.
type requestFacts struct {
	content
	method, name, own, version, id, session, subject, transport string

	legacy      bool
	calls       int64
	tool        string // that one of our own tools was given
	query       string
	found       *searched
	scriptError string
}

func (r *request) facts(found *searched, how ending, result []byte, err error) *requestFacts {
	in := r.in
	f := &requestFacts{
		method: knownMethod(in.Method), name: r.name, own: r.own, version: in.Version, subject: in.Subject,
		id: cut(strings.Trim(string(in.ID), `"`), maxText), transport: transportPipe, calls: r.calls.Load(), found: found,
	}
	if in.Header != nil {
		f.transport = transportTCP
	}
	if in.Session != nil {
		f.session, f.legacy = in.Session.ID, in.Era == wire.Legacy
	}
	if f.name == "" {
		f.name = named(in)
	}
	if r.own != "" {
		arguments := wire.Find(in.Params, "arguments")
		f.tool, _ = wire.Text(wire.Find(arguments, "tool"))
		if r.own == searchTool {
			f.query = r.query()
		}
		f.tool = strings.Clone(cut(f.tool, maxText))
	}
	if r.own == scriptTool && how.outcome == toolError {
		f.scriptError, _ = wire.Text(wire.Find(wire.Find(wire.Find(result, "structuredContent"), "error"), "code"))
	}
	f.content = r.t.content(in.Method, in.Params, result, err)
	return f
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

func (f *requestFacts) marks(to []attribute.KeyValue) []attribute.KeyValue {
	to = append(to,
		keyMethod.String(f.method), keyProtocol.String(cut(f.version, maxText)), keyRequestID.String(f.id),
		keyTransport.String(f.transport), keyLangfuseType.String(f.kind()),
	)
	to = subjectMarks(to, f.method, f.name)
	for _, one := range []struct {
		key   attribute.Key
		value string
	}{
		{keySessionID, f.session}, {keyUser, cut(f.subject, maxText)}, {keyID, f.tool}, {keyScriptError, cut(f.scriptError, maxText)},
	} {
		if one.value != "" {
			to = append(to, one.key.String(one.value))
		}
	}
	if f.legacy {
		to = append(to, keySession.String(f.session))
	}
	if f.calls > 0 {
		to = append(to, keyCalls.Int64(f.calls))
	}
	if f.own == searchTool {
		return f.searchMarks(to)
	}
	return f.content.marks(to)
}

// kind is what Langfuse takes the request for.
func (f *requestFacts) kind() string {
	switch {
	case f.own == searchTool:
		return typeRetriever
	case f.own == scriptTool:
		return typeChain
	case f.method == wire.MethodToolsCall:
		return typeTool
	}
	return typeSpan
}

// subjectMarks say what a request is about.
func subjectMarks(to []attribute.KeyValue, method, name string) []attribute.KeyValue {
	name = cut(name, maxText)
	switch method {
	case wire.MethodToolsCall:
		return append(to, keyTool.String(name), keyOperation.String(executeTool))
	case wire.MethodPromptsGet:
		return append(to, keyPrompt.String(name))
	case wire.MethodResourcesRead, wire.MethodSubscribe, wire.MethodUnsubscribe:
		return append(to, keyResource.String(name))
	}
	return to
}
