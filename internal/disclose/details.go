package disclose

import (
	"encoding/json"
	"fmt"
	"strings"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
)

// A Detail is all there is to know of a tool to call it.
type Detail struct {
	Name        string          `json:"name"` // its id: server.tool
	Original    string          `json:"original_name,omitempty"`
	Title       string          `json:"title,omitempty"`
	Server      string          `json:"server"`
	Description string          `json:"description,omitempty"` // the server's own words
	Category    string          `json:"category,omitempty"`
	Tags        []string        `json:"tags,omitempty"`
	Parameters  []Parameter     `json:"parameters"`
	Schema      json.RawMessage `json:"schema,omitempty"` // where it says more than the parameters
	Output      json.RawMessage `json:"output_schema,omitempty"`
	OutputSeen  string          `json:"output_seen,omitempty"` // the shape of real answers
	Annotations json.RawMessage `json:"annotations,omitempty"`
	Example     *Example        `json:"example,omitempty"`
	Provenance  string          `json:"provenance"`
	State       string          `json:"state"`
	Related     []string        `json:"related,omitempty"`
	Omitted     string          `json:"omitted,omitempty"`
	Confidence  float64         `json:"confidence,omitempty"` // of a tool that its server did not list
	NotCallable string          `json:"not_callable,omitempty"`
	Notes       []string        `json:"notes,omitempty"` // what to be careful about
}

// An Example is a call as it can be sent.
type Example struct {
	JSON json.RawMessage `json:"json"`
	Lua  string          `json:"lua"`
}

const (
	// MaxDetails is how many tools can be asked for at once.
	MaxDetails = 10
	// maxDetailSchema is the most characters of a schema that is shown whole.
	maxDetailSchema = 20000
	// detailBudget is how many characters of schemas an answer holds.
	detailBudget = 36000
	// detailRelated is how many related tools are named.
	detailRelated = 4
)

// Tools answers with details of tools, by id or original name. What cannot be
// found fails the whole question, so that nobody goes on without it.
func (b *Browser) Details(names []string) (*Answer, *Problem) {
	switch {
	case len(names) == 0:
		return nil, &Problem{Message: "no tool is named", Next: `Say which: {"tools":"server.tool"}, or a list of up to 10. search_tools finds tools by what they do.`}
	case len(names) > MaxDetails:
		return nil, &Problem{Message: fmt.Sprintf("%d tools are too many at once", len(names)), Next: fmt.Sprintf("Ask for up to %d in one call.", MaxDetails)}
	}
	var tools []*catalog.Tool
	for _, name := range names {
		t, problem := b.Tool("", name)
		if problem != nil {
			return nil, problem
		}
		tools = append(tools, t)
	}
	return b.details(tools), nil
}

// Detail answers with the details of one tool.
func (b *Browser) Detail(server, tool string) (*Answer, *Problem) {
	t, problem := b.Tool(server, tool)
	if problem != nil {
		return nil, problem
	}
	return b.details([]*catalog.Tool{t}), nil
}

func (b *Browser) details(tools []*catalog.Tool) *Answer {
	s := b.o.Snapshot()
	a := &Answer{Metadata: Metadata{TotalCount: s.Len(), FilteredCount: len(tools), Shown: len(tools)}}
	left := detailBudget
	for _, t := range tools {
		a.Details = append(a.Details, b.detail(s, t, &left))
	}
	a.Next = fmt.Sprintf(`call_tool {"tool":"%s","arguments":{...}}; several calls in one: execute.`, tools[0].ID())
	if !tools[0].Callable() {
		a.Next = "It cannot be called as long as its server does not list it; search_tools finds others."
	}
	return a
}

func (b *Browser) detail(s *catalog.Snapshot, t *catalog.Tool, left *int) Detail {
	d := Detail{
		Name: string(t.ID()), Server: t.Server().LuaName(),
		Description: Cut(Clean(strings.TrimSpace(head(t.Description(), 4*maxDescription))), maxDescription),
		Title:       Cut(Line(t.Title()), maxTitle),
		Category:    Line(t.Category()), Tags: cleanTags(t.Tags()),
		Annotations: annotations(t),
		Provenance:  string(t.Provenance()),
		State:       "available",
	}
	if t.Name() != t.LuaName() {
		d.Original = Cut(Line(t.Name()), maxTitle)
	}
	if down := unavailable(t); down != "" {
		d.State = down
	}
	b.arguments(&d, t, left)
	b.output(&d, t, left)
	for _, r := range b.relations(s, t, detailRelated, nil) {
		d.Related = append(d.Related, fmt.Sprintf("%s (%s)", r.ID(), r.why))
	}
	for _, note := range b.o.Notes(t) {
		d.Notes = append(d.Notes, Cut(Line(note), maxAbout))
	}
	if !t.Callable() {
		d.Confidence = t.Confidence()
		d.NotCallable = NotCallable(t)
		d.Example = nil
	}
	return d
}

// arguments says how a tool is called.
func (b *Browser) arguments(d *Detail, t *catalog.Tool, left *int) {
	list, exact := Parameters(t.InputSchema())
	d.Parameters = append([]Parameter{}, list...)
	if len(JSON(list)) > min(maxDetailSchema, *left) {
		d.Parameters = shortened(list)
		d.Omitted = "what is inside of parameters, and most of their descriptions; a call with wrong arguments is told what is wrong with them"
	} else if !exact {
		d.Schema = b.fitting(d, cleanJSON(t.InputSchema()), left)
	}
	d.Example = exampleOf(t)
}

// shortened are parameters without what is inside of them. Required ones are all
// there.
func shortened(list []Parameter) []Parameter {
	const most, words = 60, 60
	out := make([]Parameter, 0, len(list))
	for i, p := range list {
		if i >= most && !p.Required {
			break
		}
		p.Fields, p.Enum, p.Default, p.Description = nil, nil, nil, Cut(p.Description, words)
		out = append(out, p)
	}
	return out
}

// output says what a tool answers: by its schema, or as was seen.
func (b *Browser) output(d *Detail, t *catalog.Tool, left *int) {
	d.Output = b.fitting(d, cleanJSON(t.OutputSchema()), left)
	if seen, ok := b.o.Outline(t.Fingerprint()); ok && d.Output == nil {
		d.OutputSeen = Cut(Clean(seen), maxAbout*10)
	}
}

// fitting is a schema if there is room for it.
func (b *Browser) fitting(d *Detail, schema json.RawMessage, left *int) json.RawMessage {
	if len(schema) <= min(maxDetailSchema, *left) {
		*left -= len(schema)
		return schema
	}
	d.Omitted = fmt.Sprintf("a schema of %d characters; a call with wrong arguments is told what is wrong with them", len(schema))
	return nil
}

// Schema is the schema of a tool's arguments, as it can be shown; nil if it is
// too long for that or there is none.
func Schema(t *catalog.Tool) json.RawMessage {
	if clean := cleanJSON(t.InputSchema()); len(clean) <= maxDetailSchema {
		return clean
	}
	return nil
}

// NotCallable says why a tool that its server did not list cannot be called, and
// what would make it callable.
func NotCallable(t *catalog.Tool) string {
	return fmt.Sprintf("server %s did not list it (%s): it is known by other ways only. When the server answers the protocol, it can be called; the user can try with: toolcrib refresh %s",
		t.Server().LuaName(), t.Provenance(), t.Server().Name())
}

// exampleOf is a call of a tool as it can be sent, and as a script writes it.
func exampleOf(t *catalog.Tool) *Example {
	request := struct {
		Tool      catalog.ToolID  `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}{t.ID(), cleanJSON(call.Example(t.InputSchema()))}
	return &Example{JSON: JSON(request), Lua: fmt.Sprintf("local r = %s(%s):await()\nreturn r", t.ID(), Clean(call.ExampleLua(t.InputSchema())))}
}
