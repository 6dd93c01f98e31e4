package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
)

// activityBody is what was done lately.
type activityBody struct {
	*ActivityPage
	Query    ActivityQuery
	Filtered bool
	Kinds    []string
	Outcomes []string
	Servers  []string
}

func (p *pages) activity(r *http.Request, who Caller, _ Me) (string, any, *Problem) {
	v := r.URL.Query()
	before, _ := strconv.ParseUint(v.Get("before"), 10, 64) // what is no number begins with the newest
	q := ActivityQuery{Kind: v.Get("kind"), Server: v.Get("server"), Tool: v.Get("tool"), Outcome: v.Get("outcome"), Text: v.Get("text"), Before: before}
	b := activityBody{ActivityPage: p.source.Activities(who, q), Query: q, Kinds: kinds, Outcomes: outcomes}
	b.Filtered = q.Kind != "" || q.Server != "" || q.Tool != "" || q.Outcome != "" || q.Text != ""
	for _, s := range p.source.Servers(who) {
		b.Servers = append(b.Servers, s.Name)
	}
	return "Activity", b, nil
}

// callBody is one activity with where its time went.
type callBody struct {
	*ActivityDetail
	Rows []timed
}

// A timed is a part of an activity's time, as a bar.
type timed struct {
	Name   string
	Note   string
	Link   uint64 // an activity of its own, 0 if it is none
	AtMS   float64
	TookMS float64
	X, W   float64 // of 100
	Class  string
}

func (p *pages) call(r *http.Request, who Caller, _ Me) (string, any, *Problem) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil {
		return "", nil, &Problem{Status: http.StatusNotFound, Code: CodeNotFound, Message: "activities have numbers", Next: "The list of recent activity links to each."}
	}
	d, problem := p.source.Activity(who, id)
	if problem != nil {
		return "", nil, problem
	}
	return "Activity " + strconv.FormatUint(id, 10), callBody{d, timeline(d)}, nil
}

// timeline lays out the steps of an activity and what was done in its course.
func timeline(d *ActivityDetail) []timed {
	whole := max(d.TookMS, 0.001)
	var out []timed
	for _, s := range d.Steps {
		out = append(out, timed{Name: s.Name, Note: s.Note, AtMS: s.AtMS, TookMS: s.TookMS, Class: "ok"})
	}
	for _, c := range d.Children {
		class := "ok"
		if c.Outcome != OutcomeOK {
			class = "bad"
		}
		at := float64(c.Start.Sub(d.Start).Microseconds()) / 1000
		out = append(out, timed{Name: c.ToolID, Link: c.ID, AtMS: at, TookMS: c.TookMS, Class: class})
	}
	slices.SortStableFunc(out, func(a, b timed) int { return cmp.Compare(a.AtMS, b.AtMS) })
	for i := range out {
		t := &out[i]
		t.X = min(99, 100*max(0, t.AtMS)/whole)
		t.W = min(100-t.X, max(0.6, 100*t.TookMS/whole))
	}
	return out
}
