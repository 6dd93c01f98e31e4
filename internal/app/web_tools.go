package app

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/guard"
	"toolcrib/internal/index"
	"toolcrib/internal/trace"
	"toolcrib/internal/web"
	"toolcrib/internal/wire"
)

// tool is one in a list.
func (l *looking) tool(t *catalog.Tool) web.Tool {
	e := disclose.ToolEntry(t)
	out := web.Tool{
		ID: string(t.ID()), Name: t.Name(), Title: disclose.Line(t.Title()), Server: t.Server().Name(), Signature: e.Signature, Description: e.Description,
		Category: e.Category, State: toolState(t), Pin: pinState(l.guard.keeper.Of(t.Server().Name(), t.Name())),
		ReadOnly: t.Annotations().ReadOnly == catalog.Yes, Destructive: t.Annotations().Destructive == catalog.Yes,
	}
	for _, tag := range t.Tags() {
		out.Tags = append(out.Tags, disclose.Line(tag))
	}
	if l.suspicious(t) {
		out.Findings = len(l.guard.gate.Findings(t))
	}
	return out
}

// suspicious tells whether something was found in a definition that nobody approved.
func (l *looking) suspicious(t *catalog.Tool) bool {
	return l.guard.findings() && !l.guard.keeper.Of(t.Server().Name(), t.Name()).Accepted && len(l.guard.gate.Findings(t)) > 0
}

func toolState(t *catalog.Tool) string {
	switch {
	case !t.Callable():
		return "not_callable"
	case !t.State().Available:
		return "unavailable"
	}
	return "available"
}

func pinState(s guard.Standing) string {
	switch {
	case s.Waits:
		return web.PinWaits
	case s.Held:
		return web.PinHeld
	case s.Accepted:
		return web.PinApproved
	}
	return web.PinSettled
}

// Tools are a page of those that somebody may see, in the order of their ids.
func (l *looking) Tools(who web.Caller, q web.ToolQuery) (*web.ToolPage, *web.Problem) {
	s := l.eye(who).Snapshot()
	text := strings.ToLower(q.Text)
	var fit []*catalog.Tool
	for _, t := range s.Tools() {
		if l.fits(t, &q, text) {
			fit = append(fit, t)
		}
	}
	size := q.Size
	if size <= 0 {
		size = 50
	}
	size = min(size, web.MaxPageSize)
	pages := max(1, (len(fit)+size-1)/size)
	number := min(max(q.Page, 1), pages)
	from := (number - 1) * size
	out := &web.ToolPage{Tools: []web.Tool{}, Page: web.Page{Number: number, Size: size, Total: len(fit), Pages: pages, HasNext: number < pages, HasPrev: number > 1}}
	for _, t := range fit[from:min(from+size, len(fit))] {
		out.Tools = append(out.Tools, l.tool(t))
	}
	return out, nil
}

func (l *looking) fits(t *catalog.Tool, q *web.ToolQuery, text string) bool {
	if q.Server != "" && q.Server != t.Server().Name() && q.Server != t.Server().LuaName() ||
		q.Category != "" && q.Category != t.Category() || q.Tag != "" && !slices.Contains(t.Tags(), q.Tag) {
		return false
	}
	switch q.State {
	case "":
	case "held":
		if p := pinState(l.guard.keeper.Of(t.Server().Name(), t.Name())); p != web.PinHeld && p != web.PinWaits {
			return false
		}
	case "findings":
		if !l.suspicious(t) {
			return false
		}
	default:
		if q.State != toolState(t) {
			return false
		}
	}
	return text == "" || strings.Contains(strings.ToLower(string(t.ID())), text) || strings.Contains(strings.ToLower(t.Name()), text) ||
		strings.Contains(strings.ToLower(t.Title()+"\n"+t.Description()), text)
}

// find is a tool that somebody may see.
func (l *looking) find(who web.Caller, id string) (*catalog.Tool, *web.Problem) {
	t, p := l.sight(who).Browser.Tool("", id)
	if p != nil {
		return nil, problemOf(p, "id")
	}
	return t, nil
}

// problemOf is a problem of agents in the words of the API.
func problemOf(p *disclose.Problem, where string) *web.Problem {
	return &web.Problem{Status: http.StatusNotFound, Code: web.CodeNotFound, Where: where, Message: p.Message, Nearest: p.Nearest, Next: "GET " + web.Root + "/tools lists all; " + web.Root + "/search finds them by what they do"}
}

// Tool is all there is to know of one.
func (l *looking) Tool(who web.Caller, id string) (*web.ToolDetail, *web.Problem) {
	t, p := l.find(who, id)
	if p != nil {
		return nil, p
	}
	eye := l.eye(who)
	answer, problem := l.sight(who).Browser.Detail(t.Server().Name(), t.Name())
	if problem != nil {
		return nil, problemOf(problem, "id")
	}
	shown := answer.Details[0]
	verdict := eye.Decide(t)
	d := &web.ToolDetail{
		Tool: l.tool(t), Text: shown.Description, Why: shown.NotCallable, Verdict: string(verdict.Verdict), Reason: verdict.Why,
		Parameters: flat(nil, "", shown.Parameters), Schema: t.InputSchema(), Output: t.OutputSchema(), OutputSeen: shown.OutputSeen,
		Annotations: shown.Annotations, Related: []web.RelatedTool{}, Provenance: shown.Provenance, Confidence: shown.Confidence, Fingerprint: t.Fingerprint(),
		Notes: shown.Notes, FindingsList: l.findingsOf(t), Calls: l.calls(t),
	}
	if s := t.State(); !s.Available && d.Why == "" {
		d.Why = l.o.secrets.Text(s.Reason)
	}
	if shown.Example != nil {
		d.ExampleJSON, d.ExampleLua = wire.Find(shown.Example.JSON, "arguments"), shown.Example.Lua
	}
	for _, line := range shown.Related {
		other, why, _ := strings.Cut(strings.TrimSuffix(line, ")"), " (")
		d.Related = append(d.Related, web.RelatedTool{ID: other, Why: why})
	}
	if p := d.Pin; p == web.PinHeld || p == web.PinWaits {
		for _, h := range l.held(eye, t.Server().Name()) {
			if h.ID == d.ID {
				d.Held = &h
			}
		}
	}
	return d, nil
}

// flat are parameters with those inside of them, which have dots in their names.
func flat(to []web.Parameter, prefix string, list []disclose.Parameter) []web.Parameter {
	if to == nil {
		to = []web.Parameter{}
	}
	for _, p := range list {
		to = append(to, web.Parameter{Name: prefix + p.Name, Type: p.Type, Required: p.Required, Description: p.Description, Default: p.Default, Enum: listed(p.Enum)})
		to = flat(to, prefix+p.Name+".", p.Fields)
	}
	return to
}

// listed is raw if it is a list.
func listed(raw json.RawMessage) json.RawMessage {
	if _, err := wire.Elements(raw); err != nil {
		return nil
	}
	return raw
}

// calls are how often the ring has a tool.
func (l *looking) calls(t *catalog.Tool) (n int64) {
	l.ring().Back(0, func(e *trace.Entry) bool {
		if e.Server == t.Server().Name() && e.Name == t.Name() {
			n++
		}
		return true
	})
	return n
}

// Categories and Tags are those of the tools that somebody may see.
func (l *looking) Categories(who web.Caller) []web.Category {
	out := []web.Category{}
	for _, c := range l.eye(who).Snapshot().Categories() {
		out = append(out, web.Category{Name: disclose.Line(c.Name), Description: disclose.Line(c.Description), Tools: c.Count})
	}
	return out
}

// Tags are those of the tools that somebody may see.
func (l *looking) Tags(who web.Caller) []web.Tag {
	out := []web.Tag{}
	for _, t := range l.eye(who).Snapshot().Tags() {
		out = append(out, web.Tag{Name: disclose.Line(t.Name), Tools: t.Count})
	}
	return out
}

// verdictNext is what a person can do about a verdict.
var verdictNext = map[string]string{
	"near":        "If none of them does it, search in other words.",
	"withheld":    "The policy or an approval keeps them back: toolcrib policy test explains it.",
	"unavailable": "Look at the servers: what they last offered is shown.",
	"none":        "Nothing here does that. Search in other words, or look through the categories.",
}

// Search finds tools as an agent of the caller's does, and tells all that spoke for each.
func (l *looking) Search(ctx context.Context, who web.Caller, q web.SearchQuery) (*web.SearchResult, *web.Problem) {
	began, eye := time.Now(), l.eye(who)
	if q.Most <= 0 {
		q.Most = 10
	}
	answer, problem := l.sight(who).Browser.Search(ctx, disclose.Search{Query: q.Text, Server: q.Server, Category: q.Category, Most: q.Most})
	if problem != nil {
		return nil, problemOf(problem, "q")
	}
	m := answer.Metadata
	out := &web.SearchResult{Query: q.Text, Verdict: m.Verdict, Why: m.Why, Next: verdictNext[m.Verdict], Total: m.FilteredCount, Hits: []web.Hit{}, Suggestions: m.Suggestions}
	known := l.known.experience
	found := l.known.search.Index().Search(ctx, &index.Query{
		Text: q.Text, Server: q.Server, Category: q.Category, Limit: min(q.Most, disclose.MaxResults), Hidden: eye.Hidden, Favour: known.favour, Vector: known.vector(ctx, q.Text),
	})
	for _, h := range found.Hits {
		hit := web.Hit{Tool: l.tool(h.Tool), Relevance: max(1, h.Relevance), Matched: []string{}}
		for _, why := range h.Matched {
			hit.Matched = append(hit.Matched, disclose.Line(why))
		}
		out.Hits = append(out.Hits, hit)
	}
	out.TookMS = millis(time.Since(began))
	return out, nil
}
