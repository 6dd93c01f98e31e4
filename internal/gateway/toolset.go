package gateway

import (
	"context"
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// A tool is one of our own. Each has a file of its own, tool_<name>.go.
type tool struct {
	name        string
	description string
	input       string // properties of its arguments, as JSON
	required    string // those that must be there, as JSON; "" for none
	output      string // schema of its answers, as JSON; "" if they are a server's
	writes      bool   // it may do what the tools behind it do
	lean        bool   // it is one of the few that are enough

	do func(g *Gateway, ctx context.Context, in *wire.Incoming, args *arguments) ([]byte, error)
}

// ownTools are all of them, in the order in which they are listed.
func ownTools() []*tool {
	return []*tool{
		searchTools, toolDetails, callTool, execute,
		listServers, listServerTools, inspectToolResponse,
		listTools, listCategories, findByTags, getRelatedTools,
	}
}

// A toolSet is what one surface shows.
type toolSet struct {
	tools  []*tool
	byName map[string]*tool
}

func newToolSet(keep func(*tool) bool) *toolSet {
	s := &toolSet{byName: map[string]*tool{}}
	for _, t := range ownTools() {
		if keep(t) {
			s.tools = append(s.tools, t)
			s.byName[t.name] = t
		}
	}
	return s
}

// find returns a tool by its name, in which hyphens and underscores are the same.
func (s *toolSet) find(name string) *tool {
	return s.byName[strings.ReplaceAll(name, "-", "_")]
}

func (s *toolSet) names() []string {
	var names []string
	for _, t := range s.tools {
		names = append(names, t.name)
	}
	return names
}

// list is the tools as tools/list has them. behind is what search_tools says is
// behind it.
func (s *toolSet) list(behind string) []byte {
	out := []byte{'['}
	for i, t := range s.tools {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, t.definition(behind)...)
	}
	return append(out, ']')
}

func (t *tool) definition(behind string) []byte {
	description := t.description
	if t == searchTools && behind != "" {
		description += " Behind it: " + behind + "."
	}
	var b strings.Builder
	b.WriteString(`{"name":"` + t.name + `","description":`)
	b.Write(wire.Quote(description))
	b.WriteString(`,"inputSchema":{"type":"object","properties":{` + t.input + `}`)
	if t.required != "" {
		b.WriteString(`,"required":[` + t.required + `]`)
	}
	b.WriteByte('}')
	if t.output != "" {
		b.WriteString(`,"outputSchema":{"type":"object","properties":{` + t.output + `}}`)
	}
	if !t.writes {
		b.WriteString(`,"annotations":{"readOnlyHint":true}`)
	}
	if t.lean {
		b.WriteString(`,"_meta":{"` + alwaysLoad + `":true}`)
	}
	b.WriteByte('}')
	return []byte(b.String())
}

// alwaysLoad asks Claude Code to show its model a tool from the start. By default
// it hides the tools of all servers behind a search of its own, and ours are what
// one searches with.
const alwaysLoad = "anthropic/alwaysLoad"

// Parts of the schemas of our tools.
const (
	toolsOut    = `"tools":{"type":"array"},"metadata":{"type":"object"},"next":{"type":"string"}`
	pageIn      = `"page":{"type":"integer"},"page_size":{"type":"integer"}`
	serverIn    = `"server":{"type":"string"}`
	toolIn      = `"tool":{"type":"string","description":"server.tool"}`
	categoryIn  = `"category":{"type":"string"}`
	tagsIn      = `"tags":{"type":"array","items":{"type":"string"}}`
	briefIn     = `"detail_level":{"enum":["brief","full"]}`
	maxResultIn = `"max_results":{"type":"integer"}`
)

// use answers a call of one of our own tools. What is none of them is taken for
// a tool behind us, called by its id.
func (g *Gateway) use(ctx context.Context, in *wire.Incoming, set *toolSet) ([]byte, error) {
	o, err := wire.ParseObject(or(in.Params, []byte("{}")))
	if err != nil {
		return nil, wire.Errorf(wire.CodeInvalidParams, "params: %v", err)
	}
	name, ok := wire.Text(o.Get("name"))
	if !ok {
		return nil, wire.Errorf(wire.CodeInvalidParams, "%s needs params with \"name\", a string", in.Method)
	}
	t := set.find(name)
	if t == nil {
		if found, _ := g.find(ctx, g.sight(in), "", name); found != nil {
			return g.callKnown(ctx, in, found, o.Get("arguments"), nil)
		}
		return nil, wire.Errorf(wire.CodeInvalidParams, "no tool %q here: there are %s; search_tools finds what is behind them", clipName(name), strings.Join(set.names(), ", "))
	}
	args, problem := readArguments(o.Get("arguments"))
	if problem != nil {
		return g.problem(in, problem), nil
	}
	if !t.writes { // it is asked what there is
		g.patiently(ctx, g.sight(in))
	}
	return t.do(g, ctx, in, args)
}

// find returns the tool that somebody means. For one that is not known yet it
// waits a little, since its server may be starting.
func (g *Gateway) find(ctx context.Context, s *Sight, server, tool string) (*catalog.Tool, *disclose.Problem) {
	if t, problem := s.Browser.Tool(server, tool); problem == nil {
		return t, nil
	}
	g.patiently(ctx, s)
	return s.Browser.Tool(server, tool)
}

func clipName(name string) string { return strings.ToValidUTF8(name[:min(len(name), 80)], "") }

func (g *Gateway) initTools() {
	can := func(t *tool) bool { return t != execute || g.o.Scripts != nil }
	g.standard = newToolSet(can)
	g.lean = newToolSet(func(t *tool) bool { return t.lean && can(t) })
	if g.o.AutoTokens == 0 {
		g.o.AutoTokens = DefaultAutoTokens
	}
}
