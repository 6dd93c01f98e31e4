package script

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Plan is what a script may do, read from its text: it was not run.
type Plan struct {
	ReadOnly []PlannedTool `json:"read_only"`
	Writing  []PlannedTool `json:"writing"`
	Unknown  []PlannedTool `json:"unknown"` // the server does not say what they change
	Missing  []PlannedTool `json:"missing"` // there are no such tools
	// Doubts are places where what is called is only known when the script runs.
	Doubts []Doubt `json:"doubts"`
}

// A PlannedTool is a tool that a script names.
type PlannedTool struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Lines  []int  `json:"lines"`
}

// A Doubt is a place where the text does not tell what is called.
type Doubt struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Clean tells whether the plan is all that the script can do, and changes nothing.
func (p *Plan) Clean() bool {
	return len(p.Writing) == 0 && len(p.Unknown) == 0 && len(p.Missing) == 0 && len(p.Doubts) == 0
}

// DryRun reads from a script which tools it may call. It errs to the side of more: a
// tool that is named counts, and where a server is used in any way but to name a
// tool of it, there is a doubt. The error of a script that does not compile is that
// of Run.
func (e *Engine) DryRun(ctx context.Context, r *Request, host Host) (*Plan, error) {
	limits := r.Limits.withDefaults()
	if len(r.Source) > limits.Source {
		return nil, tooLong(len(r.Source), limits.Source)
	}
	m, err := e.enter(ctx, r.Caller, &limits, host)
	if err != nil {
		return nil, err
	}
	defer m.leave()
	status, failed := m.execute("check", []byte(r.Source))
	if err := m.outcome(r.Source, status, failed); err != nil {
		return nil, err
	}
	return plan(r.Source, host), nil
}

// A planner reads tokens and notes every use of a server.
type planner struct {
	host    Host
	tokens  []token
	at      int
	aliases map[string]string // local names of servers
	tools   map[toolKey][]int
	doubts  []Doubt
}

func plan(source string, host Host) *Plan {
	p := &planner{host: host, tokens: tokens(source), aliases: map[string]string{}, tools: map[toolKey][]int{}}
	p.findAliases()
	for p.at = 0; p.at < len(p.tokens); p.at++ {
		p.read()
	}
	return p.plan()
}

// is tells whether the token so many after the present one is a symbol or word.
func (p *planner) is(offset int, text string) bool {
	i := p.at + offset
	return i >= 0 && i < len(p.tokens) && p.tokens[i].kind != stringToken && p.tokens[i].text == text
}

func (p *planner) token(offset int) token {
	if i := p.at + offset; i >= 0 && i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{}
}

// findAliases finds local name = server. The name counts as the server all over the
// script, which is more than it is.
func (p *planner) findAliases() {
	for p.at = range p.tokens {
		name := p.token(1)
		if !p.is(0, "local") || name.kind != nameToken {
			continue
		}
		skip := 2
		if p.is(2, "<") {
			skip = 5 // local name <const>
		}
		server := p.token(skip + 1)
		if !p.is(skip, "=") || server.kind != nameToken || !p.isServer(server.text) {
			continue
		}
		if next := p.token(skip + 2); next.kind == otherToken && next.text != ";" || next.kind == stringToken {
			continue // it goes on: a field, a call, a list
		}
		if next := p.token(skip + 2); slices.Contains([]string{"and", "or"}, next.text) {
			continue
		}
		p.aliases[name.text] = server.text
	}
}

func (p *planner) isServer(name string) bool {
	return !slices.Contains(reserved, name) && p.host.Server(name)
}

// read looks at one token.
func (p *planner) read() {
	t := p.token(0)
	if t.kind != nameToken || p.isField() {
		return
	}
	switch t.text {
	case "servers":
		p.readServers()
		return
	case "_G", "_ENV":
		p.doubt("%s gives access to any server by a name that is made at run time", t.text)
		return
	case "load":
		p.doubt("load runs text that is made at run time")
		return
	}
	server, alias := p.aliases[t.text]
	if !alias {
		if !p.isServer(t.text) {
			return
		}
		server = t.text
	}
	if p.declares(alias) || slices.Contains(builtins, t.text) && !p.usesBuiltin(t.text) {
		return
	}
	p.readTool(server, 1)
}

// usesBuiltin tells whether a name that Lua has too may be the server here.
func (p *planner) usesBuiltin(name string) bool {
	return p.is(1, ".") && p.host.Tool(name, p.token(2).text) != nil || p.is(1, "[")
}

// isField tells whether the name is one of a field, a method, a label or a key.
func (p *planner) isField() bool {
	if p.is(-1, ".") || p.is(-1, ":") || p.is(-1, "::") || p.is(-1, "goto") {
		return true
	}
	return p.is(1, "=") && (p.is(-1, "{") || p.is(-1, ",") || p.is(-1, ";"))
}

// declares tells whether the server's name is only given a meaning here: it is
// assigned to, or made a local name.
func (p *planner) declares(alias bool) bool {
	if p.is(1, "=") || p.is(-1, "local") || p.is(-1, "for") {
		return true
	}
	return !alias && p.isAliased()
}

// isAliased tells whether the server stands on the right of local name = server.
func (p *planner) isAliased() bool {
	name, server := p.token(-2).text, p.token(0).text
	if p.is(-2, ">") {
		name = p.token(-5).text
	}
	return p.is(-1, "=") && p.aliases[name] == server && (p.is(-3, "local") || p.is(-6, "local"))
}

// readServers reads servers.name and servers["name"].
func (p *planner) readServers() {
	if p.is(1, "=") {
		return
	}
	name, after, ok := p.key(1)
	if !ok {
		p.doubt("which of the servers is meant is decided at run time")
		return
	}
	if !p.host.Server(name) {
		p.note(toolKey{name, ""})
		return
	}
	p.readTool(name, after)
}

// readTool reads .tool, ["tool"] or :tool behind a server.
func (p *planner) readTool(server string, offset int) {
	name, _, ok := p.key(offset)
	if !ok && p.is(offset, ":") && p.token(offset+1).kind == nameToken {
		name, ok = p.token(offset+1).text, true
	}
	if !ok {
		p.doubt("which tool of %s is called is decided at run time", server)
		return
	}
	p.note(toolKey{server, name})
}

// key reads .name or ["name"] so many tokens ahead, and tells where it ends.
func (p *planner) key(offset int) (name string, after int, ok bool) {
	if p.is(offset, ".") && p.token(offset+1).kind == nameToken {
		return p.token(offset + 1).text, offset + 2, true
	}
	inside := p.token(offset + 1)
	if p.is(offset, "[") && inside.kind == stringToken && p.is(offset+2, "]") && !strings.Contains(inside.text, `\`) {
		return inside.text, offset + 3, true
	}
	return "", 0, false
}

func (p *planner) note(key toolKey) {
	line := p.token(0).line
	if !slices.Contains(p.tools[key], line) {
		p.tools[key] = append(p.tools[key], line)
	}
}

func (p *planner) doubt(format string, args ...any) {
	d := Doubt{p.token(0).line, fmt.Sprintf(format, args...)}
	if !slices.Contains(p.doubts, d) {
		p.doubts = append(p.doubts, d)
	}
}

func (p *planner) plan() *Plan {
	out := &Plan{ReadOnly: []PlannedTool{}, Writing: []PlannedTool{}, Unknown: []PlannedTool{}, Missing: []PlannedTool{}, Doubts: []Doubt{}}
	out.Doubts = append(out.Doubts, p.doubts...)
	for key, lines := range p.tools {
		list := &out.Missing
		if t := p.host.Tool(key.server, key.name); t != nil {
			list = map[Access]*[]PlannedTool{ReadOnly: &out.ReadOnly, Writing: &out.Writing, UnknownAccess: &out.Unknown}[t.Access]
		}
		*list = append(*list, PlannedTool{key.server, key.name, lines})
	}
	for _, list := range []*[]PlannedTool{&out.ReadOnly, &out.Writing, &out.Unknown, &out.Missing} {
		slices.SortFunc(*list, func(a, b PlannedTool) int {
			return cmp.Or(cmp.Compare(a.Lines[0], b.Lines[0]), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
		})
	}
	return out
}
