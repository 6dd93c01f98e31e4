package app

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/disclose"
	"toolcrib/internal/guard"
	"toolcrib/internal/trace"
	"toolcrib/internal/web"
)

// visible tells whether somebody may see an entry: what they did themselves, and what
// the gateway did on its own account with servers that they may see. With the gateway's
// token, or without any, all are one caller.
func visible(e *trace.Entry, who web.Caller, eye *guard.Eye) bool {
	switch e.Kind {
	case trace.DiscoveryKind:
		return eye.Denied(e.Server) == ""
	case trace.ReloadKind:
		return whole(eye)
	}
	return e.Subject == who.Subject
}

// Activities are what was done of late, the newest first.
func (l *looking) Activities(who web.Caller, q web.ActivityQuery) *web.ActivityPage {
	if q.Most <= 0 {
		q.Most = 50
	}
	q.Most = min(q.Most, web.MaxPageSize)
	eye, text := l.eye(who), strings.ToLower(q.Text)
	out := &web.ActivityPage{Activities: []web.Activity{}, Latest: l.ring().Latest(), Kept: l.ring().Size()}
	var last uint64
	l.ring().Back(q.Before, func(e *trace.Entry) bool {
		if !visible(e, who, eye) {
			return true
		}
		a := l.activity(e)
		if !asked(&a, &q, text) {
			return true
		}
		if len(out.Activities) == q.Most {
			out.Before = last // there is more
			return false
		}
		out.Activities, last = append(out.Activities, a), e.Seq
		return true
	})
	return out
}

// asked tells whether an activity passes the filters.
func asked(a *web.Activity, q *web.ActivityQuery, text string) bool {
	switch {
	case q.Kind != "" && q.Kind != a.Kind, q.Server != "" && q.Server != a.Server, q.Caller != "" && q.Caller != a.Caller,
		q.Tool != "" && q.Tool != a.Tool && q.Tool != a.ToolID, q.Parent != 0 && q.Parent != a.Parent,
		q.Outcome == "error" && a.Outcome == web.OutcomeOK, q.Outcome != "" && q.Outcome != "error" && q.Outcome != a.Outcome:
		return false
	}
	return text == "" || strings.Contains(strings.ToLower(a.ToolID+"\n"+a.Tool+"\n"+a.Query+"\n"+a.Error), text)
}

// activity is an entry as it is shown.
func (l *looking) activity(e *trace.Entry) web.Activity {
	a := web.Activity{
		ID: e.ID, Parent: e.Parent, Kind: string(e.Kind), Start: e.Start.UTC(), TookMS: millis(e.Took), Caller: e.Subject, Client: disclose.Line(e.Client),
		Server: e.Server, Tool: e.Name, Outcome: e.Outcome, Error: e.Error, In: e.In, Out: e.Out, KeptOut: e.KeptOut, Calls: e.Calls, Found: e.Found,
	}
	if e.Kind == trace.CallKind && e.Method != "tools/call" {
		a.Method = e.Method
	}
	if t := l.known.Snapshot().Find(e.Server, e.Name); t != nil && e.Kind == trace.CallKind && a.Method == "" {
		a.ToolID = string(t.ID())
	}
	if m := e.More; m != nil {
		a.Query, a.Verdict, a.Top, a.Cached, a.Rung = m.Query, m.Verdict, m.Top, m.Cached, m.Rung
	}
	return a
}

// Activity is one with its timeline.
func (l *looking) Activity(who web.Caller, id uint64) (*web.ActivityDetail, *web.Problem) {
	eye := l.eye(who)
	e := l.ring().Entry(id)
	if e == nil || !visible(e, who, eye) {
		return nil, &web.Problem{Status: http.StatusNotFound, Code: web.CodeNotFound, Where: "id", Message: "no such activity is remembered", Next: "GET " + web.Root + "/activity lists those that are"}
	}
	d := &web.ActivityDetail{Activity: l.activity(e), Steps: steps(e), Children: []web.Activity{}, Arguments: quoted(e.Arguments), Result: quoted(e.Result)}
	if e.Kind == trace.ScriptKind {
		l.ring().Back(0, func(child *trace.Entry) bool {
			if child.Parent == id {
				d.Children = append(d.Children, l.activity(child))
			}
			return true
		})
		slices.Reverse(d.Children)
	}
	return d, nil
}

// quoted is text as JSON: what was kept of arguments may have been cut off.
func quoted(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	b, _ := json.Marshal(text) // any text has JSON
	return b
}

// steps are the parts of an entry's time, as far as they were marked.
func steps(e *trace.Entry) []web.Step {
	var at time.Duration
	out := []web.Step{}
	add := func(name string, took time.Duration, note string) {
		out = append(out, web.Step{Name: name, AtMS: millis(at), TookMS: millis(took), Note: note})
		at += took
	}
	if e.Kind != trace.CallKind {
		add("received", 0, "")
		at = e.Took
		add("answered", 0, e.Outcome)
		return out
	}
	add("received", e.Before, "arguments and policy are checked; where the policy says so, the user is asked")
	if e.Queued > 0 {
		add("queued", e.Queued, "all turns of the server were taken")
	}
	if e.Starting > 0 {
		add("started", e.Starting, "the server was started, or connected to")
	}
	if e.Outcome != web.OutcomeDenied && e.Server != "" {
		add("sent", max(0, e.Took-at), "")
	}
	at = e.Took
	add("answered", 0, e.Outcome)
	return out
}
