package web

import "net/http"

// toolBody is one tool.
type toolBody struct {
	*ToolDetail
	Form    form
	Try     bool   // it can be called from here
	TryNot  string // why it cannot
	Recent  []Activity
	Actions bool
	Decides bool
}

const toolRecent = 5

func (p *pages) tool(r *http.Request, who Caller, me Me) (string, any, *Problem) {
	d, problem := p.source.Tool(who, r.PathValue("id"))
	if problem != nil {
		return "", nil, problem
	}
	b := toolBody{ToolDetail: d, Actions: me.Actions, Decides: me.Decides}
	switch {
	case !me.Actions:
		b.TryNot = "Pages are for reading here. With `http.page: actions` in the configuration tools can be tried."
	case d.Verdict == "deny":
		b.TryNot = "The policy does not allow it: " + d.Reason
	case d.State == "not_callable" || d.Pin == PinWaits:
		b.TryNot = d.Why
	default:
		b.Try, b.Form = true, formOf(d.Schema, d.ExampleJSON)
	}
	b.Recent = p.source.Activities(who, ActivityQuery{Tool: d.ID, Most: toolRecent}).Activities
	return d.ID, b, nil
}
