package trace

import (
	"context"
	"strings"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// Ring is what was done of late; nil if that is not remembered.
func (t *Trace) Ring() *Ring {
	if t == nil {
		return nil
	}
	return t.ring
}

// remembered is Around without spans, for one who remembers calls.
func (t *Trace) remembered(next call.Func) call.Func {
	return func(ctx context.Context, r *call.Request) ([]byte, error) {
		began := time.Now()
		asked := requestOf(ctx)
		ctx, marks := t.marked(ctx, r)
		result, err := next(ctx, r)
		how := judge(ctx, r.Method, result, err)
		took := time.Since(began)
		t.metrics.calling(r, how.outcome, took)
		t.called(asked, r, began, took, marks, how, result, err)
		return result, err
	}
}

// marked has a call that is remembered mark what it waits for.
func (t *Trace) marked(ctx context.Context, r *call.Request) (context.Context, *call.Marks) {
	if t.ring == nil || !lasting[r.Method] {
		return ctx, nil
	}
	marks := call.WithMarks(ctx)
	return marks, marks
}

// called remembers a request to a server.
func (t *Trace) called(asked *request, r *call.Request, began time.Time, took time.Duration, marks *call.Marks, how ending, result []byte, err error) {
	if marks == nil {
		return
	}
	e := t.callEntry(asked, r, began, how)
	e.Took += took
	e.Out = len(result)
	e.Queued, e.Starting = marks.Waited()
	if t.o.Arguments || t.o.Results {
		c := t.content(r.Method, r.Params, result, err)
		e.Arguments, e.Result = c.arguments, c.result
	}
	t.ring.add(e)
}

// callEntry is what there is to say of a request to a server before it is answered.
func (t *Trace) callEntry(asked *request, r *call.Request, began time.Time, how ending) *Entry {
	e := &Entry{
		Kind: CallKind, Start: began, Subject: r.Caller.Subject, Client: t.ring.clients.of(r.Caller.ClientInfo),
		Method: r.Method, Server: r.Server, Name: cut(r.Name, maxText), Outcome: string(how.outcome), Error: t.message(how), In: len(r.Params),
	}
	switch {
	case asked == nil:
	case asked.id != 0:
		e.Parent = asked.id
		asked.told.Add(1)
	default: // it is all that the agent asked for
		e.Start, e.Before = asked.began, began.Sub(asked.began)
		e.Took = e.Before
		asked.told.Add(1)
	}
	return e
}

// Refused remembers a request that the policy, or the user, does not allow.
func (t *Trace) Refused(ctx context.Context, r *call.Request, err error) {
	if t == nil || t.ring == nil || !lasting[r.Method] {
		return
	}
	t.ring.add(t.callEntry(requestOf(ctx), r, time.Now(), judge(ctx, r.Method, nil, err)))
}

// message is what can be said of an ending that is not good.
func (t *Trace) message(how ending) string {
	if how.message == "" {
		return ""
	}
	return strings.Clone(cut(t.redact(cut(how.message, 2*maxText)), maxText))
}

// remember remembers a request of an agent, unless the call that became of it is
// remembered already.
func (r *request) remember(how ending, took time.Duration, found *searched, kept, spent int, result []byte) {
	ring := r.t.ring
	if ring == nil {
		return
	}
	kind := r.activity()
	if kind == "" || kind == CallKind && r.told.Load() > 0 {
		return
	}
	in := r.in
	e := &Entry{
		ID: r.id, Kind: kind, Start: r.began, Took: took, Subject: in.Subject, Client: ring.clients.of(clientInfo(in)), Method: in.Method,
		Name: cut(r.name, maxText), Outcome: string(how.outcome), Error: r.t.message(how), In: len(in.Params), Out: len(result), KeptOut: kept, Spent: spent,
		Calls: int(r.told.Load()),
	}
	if how.outcome == toolError {
		e.Error = r.why(result)
	}
	switch {
	case kind == CallKind && r.own != "":
		tool, _ := wire.Text(wire.Find(wire.Find(in.Params, "arguments"), "tool"))
		e.Name = cut(tool, maxText)
	case found != nil:
		e.Found, e.More = found.found, &Detail{Query: r.query(), Verdict: found.verdict, Top: found.top}
	case kind == SearchKind:
		e.More = &Detail{Query: r.query()}
	}
	ring.add(e)
}

// activity is what kind of thing a request is, "" for what nobody wants to read of.
func (r *request) activity() Kind {
	switch {
	case r.in.Method == wire.MethodToolsList:
		return ListKind
	case r.in.Method != wire.MethodToolsCall:
		return ""
	case r.own == searchTool:
		return SearchKind
	case r.own == scriptTool:
		return ScriptKind
	case finding[r.own]:
		return LookKind
	}
	return CallKind
}

// query is what a search looks for, as it can be shown.
func (r *request) query() string {
	query, _ := wire.Text(wire.Find(wire.Find(r.in.Params, "arguments"), "query"))
	return strings.Clone(cut(r.t.redact(strings.TrimSpace(cut(query, 2*maxText))), maxText))
}

// why is what the gateway itself says was wrong. What a tool of a server says is
// its result, and not looked at.
func (r *request) why(result []byte) string {
	problem := wire.Find(wire.Find(result, "structuredContent"), "error")
	text, ok := wire.Text(problem)
	if !ok {
		text, _ = wire.Text(wire.Find(problem, "code")) // of a script
	}
	return strings.Clone(cut(r.t.redact(cut(text, 2*maxText)), maxText))
}

func clientInfo(in *wire.Incoming) []byte {
	if in.Era == wire.Legacy && in.Session != nil {
		return in.Session.ClientInfo
	}
	return in.Meta.ClientInfo
}

// A routine is a listing that brought what the one before did.
type routine struct {
	outcome outcome
	rung    string
	count   int
	at      time.Time // when it was remembered last
}

// routineEvery is how often such are remembered: a server whose listings hold for a
// second would otherwise leave no room for anything else.
const routineEvery = time.Minute

// news tells whether a listing of a server is to be remembered.
func (r *Ring) news(server string, now routine) bool {
	r.listing.Lock()
	defer r.listing.Unlock()
	last, known := r.routines[server]
	if known && last.outcome == now.outcome && last.rung == now.rung && last.count == now.count && now.at.Sub(last.at) < routineEvery {
		return false
	}
	if r.routines == nil || len(r.routines) > maxServers {
		r.routines = map[string]routine{}
	}
	r.routines[server] = now
	return true
}

// learned remembers an attempt to list a server.
func (r *Ring) learned(server string, began time.Time, count int, l Lesson, outcome outcome, message string) {
	if r == nil || !r.news(server, routine{outcome, l.Rung, count, began}) {
		return
	}
	r.add(&Entry{
		Kind: DiscoveryKind, Start: began, Took: time.Since(began), Server: server, Outcome: string(outcome), Error: message,
		Found: count, More: &Detail{Rung: l.Rung, Cached: l.Cached},
	})
}

// reloaded remembers a configuration that came.
func (r *Ring) reloaded(began time.Time, servers int, outcome outcome, message string) {
	if r != nil {
		r.add(&Entry{Kind: ReloadKind, Start: began, Took: time.Since(began), Outcome: string(outcome), Error: message, Found: servers})
	}
}
