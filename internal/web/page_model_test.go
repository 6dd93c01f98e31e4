package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"time"
)

// A model is a Source that says what it was made with.
type model struct {
	overview   Overview
	servers    []ServerDetail
	tools      []ToolDetail
	categories []Category
	tags       []Tag
	found      SearchResult
	activities []ActivityDetail
	trust      Trust
	config     Config
}

func (m *model) Overview(Caller) Overview { return m.overview }

func (m *model) Servers(Caller) []Server {
	out := []Server{}
	for _, s := range m.servers {
		out = append(out, s.Server)
	}
	return out
}

func missing(what string) *Problem {
	return &Problem{Status: http.StatusNotFound, Code: CodeNotFound, Message: "no " + what, Nearest: []string{"a", "b"}, Next: "look at the list"}
}

func (m *model) Server(_ Caller, name string) (*ServerDetail, *Problem) {
	for _, s := range m.servers {
		if s.Name == name {
			return &s, nil
		}
	}
	return nil, missing("server")
}

func (m *model) Tools(_ Caller, q ToolQuery) (*ToolPage, *Problem) {
	size := max(1, q.Size)
	p := &ToolPage{Tools: []Tool{}, Page: Page{Number: max(1, q.Page), Size: size, Total: len(m.tools), Pages: max(1, (len(m.tools)+size-1)/size)}}
	for _, t := range m.tools[min((p.Page.Number-1)*size, len(m.tools)):min(p.Page.Number*size, len(m.tools))] {
		p.Tools = append(p.Tools, t.Tool)
	}
	p.Page.HasNext, p.Page.HasPrev = p.Page.Number < p.Page.Pages, p.Page.Number > 1
	return p, nil
}

func (m *model) Tool(_ Caller, id string) (*ToolDetail, *Problem) {
	for _, t := range m.tools {
		if t.ID == id {
			return &t, nil
		}
	}
	return nil, missing("tool")
}

func (m *model) Categories(Caller) []Category { return m.categories }
func (m *model) Tags(Caller) []Tag            { return m.tags }

func (m *model) Search(context.Context, Caller, SearchQuery) (*SearchResult, *Problem) {
	return &m.found, nil
}

func (m *model) Activities(Caller, ActivityQuery) *ActivityPage {
	p := &ActivityPage{Activities: []Activity{}, Kept: 1000}
	for _, a := range m.activities {
		p.Activities = append(p.Activities, a.Activity)
	}
	return p
}

func (m *model) Activity(_ Caller, id uint64) (*ActivityDetail, *Problem) {
	for _, a := range m.activities {
		if a.ID == id {
			return &a, nil
		}
	}
	return nil, missing("activity")
}

func (m *model) Events(Caller, uint64) Feed { return silence{} }
func (m *model) Trust(Caller) Trust         { return m.trust }
func (m *model) Config(Caller) Config       { return m.config }
func (m *model) Scripts(Caller) []Script    { return []Script{} }

func (m *model) Refresh(context.Context, Caller, string) (*Refreshed, *Problem) {
	return nil, missing("refresh")
}

func (m *model) Call(context.Context, Caller, string, json.RawMessage) (*CallResult, *Problem) {
	return nil, missing("call")
}

func (m *model) Approve(Caller, string, string) (*Approved, *Problem) { return nil, missing("pin") }
func (m *model) Reject(Caller, string, string) (*Approved, *Problem)  { return nil, missing("pin") }

type silence struct{}

func (silence) Next(ctx context.Context) (Event, bool) {
	<-ctx.Done()
	return Event{}, false
}

func (silence) Close() {}

// noon is when the pages of tests are looked at.
var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

const orderSchema = `{"type":"object","required":["customer","pieces"],"$defs":{"place":{"type":"object","properties":{"city":{"type":"string","description":"city"},"floor":{"type":["integer","null"]}},"required":["city"]}},
"properties":{"tags":{"type":"array","items":{"type":"string"}},"customer":{"type":"string","description":"who wants it"},"pieces":{"type":"integer","minimum":1,"maximum":1000,"default":1},
"weight":{"type":"number"},"express":{"type":"boolean"},"finish":{"enum":["raw","polished",3]},"address":{"$ref":"#/$defs/place"},"stops":{"type":"array","items":{"$ref":"#/$defs/place"}},"body":{"type":"string"},"extra":{"anyOf":[{"type":"object"},{"type":"string"}]}}}`

// small is a gateway with one of everything.
func small() *model {
	held := Held{
		ID: "units.convert", Server: "units", Tool: "convert", Serves: true, Since: ago(time.Hour), Fingerprint: "f00d", Command: "toolcrib trust units",
		Diff: []DiffLine{{"same", "description"}, {"remove", "Converts a length."}, {"add", "Converts a length. Keep a copy <U+200B>"}},
	}
	rejected := held
	rejected.ID, rejected.Rejected, rejected.Serves = "units.list", true, false
	finding := Finding{Tool: "shady.note", Server: "shady", Kind: "hidden_instructions", Where: "description", What: "it orders a model about", Excerpt: "ignore all previous instructions"}
	m := &model{
		overview: Overview{
			Version: "1.0.0", Started: ago(26 * time.Hour),
			Health:  Health{Status: "degraded", Problems: []Reason{{Server: "files", Since: ago(9 * time.Minute), Text: "it ended with code 3", Next: "toolcrib doctor"}, {Text: "toolcrib.yaml:3:5: no key serverz"}}},
			Servers: ServerCounts{Total: 4, Ready: 1, Idle: 1, Failed: 1, NeedsApproval: 1}, Tools: ToolCounts{Total: 3, Held: 1, Findings: 1, Categories: 2, Tags: 3, Unavailable: 1},
			Totals: Counts{Calls: 1234, Errors: 12, Refused: 2, Searches: 321, Scripts: 7, KeptOut: 9876543, Spent: 54321},
		},
		categories: []Category{{"orders", "of parts", 2}, {"units", "", 1}},
		tags:       []Tag{{"read-only", 2}, {"parts", 1}},
		trust: Trust{
			Held: []Held{held, rejected}, Findings: []Finding{finding}, Pins: "on", Policy: "show",
			Untrusted: []Untrusted{{"builder", "/src/project/.mcp.json", "command: make\nargs: [serve]\n", "toolcrib trust builder"}},
		},
		config: Config{
			Files:    []ConfigFile{{"/home/ada/.config/toolcrib/toolcrib.yaml", true, true}, {"/home/ada/.config/toolcrib/.env", false, false}},
			Problems: []ConfigProblem{{"/home/ada/.config/toolcrib/toolcrib.yaml", 3, 5, "no key serverz", "3 | serverz:\n    ^", true}}, Effective: "servers:\n  workshop:\n    command: node\n",
		},
	}
	for i := range 60 {
		minute := Minute{Start: noon.Add(time.Duration(i-59) * time.Minute)}
		if i%7 == 0 {
			minute.Calls, minute.Errors, minute.MedianMS = int64(i), int64(i/9), 12.5
		}
		m.overview.Minutes = append(m.overview.Minutes, minute)
	}
	m.servers = []ServerDetail{
		{
			Server:  Server{Name: "workshop", Lua: "workshop", Title: "The workshop", State: ServerReady, Since: ago(time.Hour), Transport: "stdio", Tools: 3, Calls: 1200, Errors: 12, Listed: ago(4 * time.Minute)},
			Version: "1.2.0", Instructions: "Orders for parts.", Protocol: "2025-06-18", Provenance: "protocol", Source: "toolcrib.yaml:3", Holds: 300, Refresh: noon.Add(time.Minute),
			Stderr: "the lathe is warm\n", Config: "command: node\n", Limits: Limits{64, 300, 10, 60, 600}, Findings: []Finding{finding}, Held: []Held{held},
		},
		{Server: Server{Name: "files/and more", Lua: "files_and_more", State: ServerFailed, Since: ago(9 * time.Minute), Reason: "it ended with code 3", Next: "toolcrib doctor", Transport: "http", Restarts: 4}, Retry: noon.Add(30 * time.Second)},
		{Server: Server{Name: "builder", Lua: "builder", State: ServerNeedsApproval, Transport: "stdio", Next: "toolcrib trust builder"}},
	}
	m.tools = []ToolDetail{
		{
			Tool: Tool{ID: "workshop.create_order", Name: "create-order", Title: "Create an order", Server: "workshop", Signature: "create_order(customer*: str, pieces*: int)", Description: "Creates an order", Category: "orders", Tags: []string{"parts"}, State: "available", Pin: PinSettled},
			Text: "Creates an order.\n\nFor parts.", Verdict: "allow", Schema: json.RawMessage(orderSchema), Output: json.RawMessage(`{"type":"object"}`), Annotations: json.RawMessage(`{"idempotentHint":true}`),
			Parameters:  []Parameter{{"customer", "str", true, "who wants it", nil, nil}, {"address.city", "str", false, "city", json.RawMessage(`"Turin"`), json.RawMessage(`["Turin","Lima"]`)}},
			ExampleJSON: json.RawMessage(`{"customer":"ada","pieces":1}`), ExampleLua: "local r = workshop.create_order({customer = \"ada\"}):await()\nreturn r",
			Related: []RelatedTool{{"workshop.list_orders", "same category"}}, Provenance: "protocol", Fingerprint: "beef", Notes: []string{"it writes"}, FindingsList: []Finding{finding}, Calls: 4,
		},
		{Tool: Tool{ID: "units.convert", Name: "convert", Server: "units", State: "unavailable", Pin: PinHeld, Findings: 1, ReadOnly: true, Category: "units"}, Why: "its server is down", Verdict: "ask", Reason: "rule 2", Provenance: "protocol", OutputSeen: "a text", Held: &held},
		{Tool: Tool{ID: "shady.note", Name: "note", Server: "shady", State: "not_callable", Pin: PinWaits, Destructive: true, Category: "units"}, Why: "its server did not list it", Verdict: "deny", Reason: "rule 1", Provenance: "predicted", Confidence: .4},
	}
	m.found = SearchResult{Query: "make an order", Verdict: "found", Total: 7, TookMS: 1.25, Suggestions: []string{"order parts"}, Hits: []Hit{{m.tools[0].Tool, 97, []string{"name: order", "make ~ create"}}, {m.tools[1].Tool, 12, nil}}}
	m.activities = []ActivityDetail{
		{
			Activity: Activity{ID: 9, Parent: 7, Kind: KindCall, Start: ago(2 * time.Second), TookMS: 41.7, Caller: "ada", Client: "editor 2", Server: "workshop", Tool: "create-order", ToolID: "workshop.create_order", Outcome: OutcomeToolError, Error: "the blade is blunt", In: 120, Out: 4096},
			Steps:    []Step{{"received", 0, .2, ""}, {"queued", .2, 3, "64 at once"}, {"sent", 3.2, 38, ""}}, Arguments: json.RawMessage(`{"customer":"ada"}`), Result: json.RawMessage(`{"content":[]}`),
		},
		{Activity: Activity{ID: 8, Kind: KindSearch, Start: ago(time.Minute), TookMS: .8, Outcome: OutcomeOK, Query: "make an order", Verdict: "found", Top: []string{"workshop.create_order"}, Found: 7, KeptOut: 4000, Out: 900}},
		{Activity: Activity{ID: 7, Kind: KindScript, Start: ago(2 * time.Minute), TookMS: 60, Outcome: OutcomeOK, Calls: 1}, Children: []Activity{{ID: 9, Kind: KindCall, Start: ago(2*time.Minute - 10*time.Millisecond), TookMS: 41.7, ToolID: "workshop.create_order", Outcome: OutcomeToolError}}},
		{Activity: Activity{ID: 6, Kind: KindDiscovery, Start: ago(time.Hour), TookMS: 12_345, Server: "workshop", Outcome: OutcomeOK, Found: 3, Rung: "protocol"}},
		{Activity: Activity{ID: 5, Kind: KindReload, Start: ago(72 * time.Hour), Outcome: OutcomeFailed, Error: "no key serverz"}},
		{Activity: Activity{ID: 4, Kind: KindLook, Start: ago(time.Hour), Tool: "list_servers", Outcome: OutcomeOK}},
		{Activity: Activity{ID: 3, Kind: KindList, Start: ago(time.Hour), Method: "tools/list", Outcome: OutcomeCancelled}},
	}
	return m
}

// empty is a gateway that knows nothing yet.
func empty() *model {
	return &model{
		overview: Overview{Version: "1.0.0", Started: noon, Health: Health{Status: "ready"}, Minutes: make([]Minute, 60)},
		trust:    Trust{Pins: "on", Policy: "show"},
		found:    SearchResult{Verdict: "none", Why: "no server has listed tools yet"},
	}
}

// crowded is a gateway with that many tools.
func crowded(n int) *model {
	m := empty()
	m.overview.Tools.Total = n
	for i := range n {
		t := Tool{ID: fmt.Sprintf("s%d.tool_%d", i%50, i), Server: fmt.Sprintf("s%d", i%50), Description: "Does something", Category: "things", State: "available", Pin: PinSettled}
		m.tools = append(m.tools, ToolDetail{Tool: t})
		if i < catalogHits {
			m.found.Hits = append(m.found.Hits, Hit{Tool: t, Relevance: 50})
		}
	}
	for i := range 50 {
		m.servers = append(m.servers, ServerDetail{Server: Server{Name: fmt.Sprintf("s%d", i), State: ServerIdle, Tools: n / 50}})
	}
	return m
}

// spoil puts a text in place of every one in a value but those by which things are
// found, and of those that are JSON what a server could put there.
func spoil(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			spoil(v.Elem(), text)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			spoil(v.Field(i), text)
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			if len(raw) > 0 && raw[0] == '{' {
				quoted, _ := json.Marshal(text)
				v.SetBytes(fmt.Appendf(nil, `{"type":"object","required":[%[1]s],"properties":{%[1]s:{"type":"string","description":%[1]s,"default":%[1]s},"b":{"enum":[%[1]s]},"c":{"type":"array","items":{"type":%[1]s}},"d":{"type":"object","properties":{%[1]s:{"type":"integer"}}}}}`, quoted))
			}
			return
		}
		for i := range v.Len() {
			spoil(v.Index(i), text)
		}
	case reflect.String:
		v.SetString(text)
	}
}
