package script

import (
	"fmt"
	"slices"
	"strings"
)

// A planner reads the tokens of a script that compiles, and notes every use of a
// server. It follows blocks and local names, so that a variable that has the name of
// a server is not taken for it.
type planner struct {
	host   Host
	tokens []token
	at     int
	scopes scopes
	tools  map[toolKey][]int
	doubts []Doubt
}

func plan(source string, host Host) *Plan {
	p := &planner{host: host, tokens: tokens(source), tools: map[toolKey][]int{}}
	p.scopes.open()
	for p.at < len(p.tokens) {
		p.scopes.settle(p.tokens, p.at)
		p.step()
	}
	return p.plan()
}

// is tells whether the token so many after the present one is a symbol or word.
func (p *planner) is(offset int, text string) bool {
	t := p.token(offset)
	return t.kind != stringToken && t.kind != endToken && t.text == text
}

func (p *planner) token(offset int) token {
	if i := p.at + offset; i >= 0 && i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{}
}

// step takes one token, or the words of a declaration.
func (p *planner) step() {
	t := p.token(0)
	switch {
	case t.kind == otherToken:
		p.scopes.nest(t.text)
	case t.kind != nameToken || p.isField():
	case slices.Contains(reserved, t.text):
		p.keyword(t.text)
		return
	default:
		p.read(t.text)
	}
	p.at++
}

// keyword follows blocks and declarations.
func (p *planner) keyword(word string) {
	p.at++
	switch word {
	case "do":
		p.scopes.openDo()
	case "then", "repeat":
		p.scopes.open()
	case "else":
		p.scopes.close()
		p.scopes.open()
	case "end", "elseif", "until":
		p.scopes.close()
	case "function":
		p.function(false)
	case "for":
		p.scopes.awaitDo(p.names())
	case "local":
		if p.is(0, "function") {
			p.at++
			p.function(true)
			return
		}
		names := p.names()
		p.scopes.declare(names, p.is(0, "="), p.at+1)
	}
}

// names reads a list of names, with their attributes.
func (p *planner) names() (names []string) {
	for p.token(0).kind == nameToken && !slices.Contains(reserved, p.token(0).text) {
		names = append(names, p.token(0).text)
		p.environment()
		p.at++
		if p.is(0, "<") {
			p.at += 3
		}
		if !p.is(0, ",") {
			break
		}
		p.at++
	}
	return names
}

// function reads what is between the word and the body, and opens the body.
func (p *planner) function(local bool) {
	if local {
		p.scopes.name(p.token(0).text, "")
	}
	method := false
	for p.at < len(p.tokens) && !p.is(0, "(") {
		method = method || p.is(0, ":")
		p.at++
	}
	p.at++
	names := p.names()
	if method {
		names = append(names, "self")
	}
	for p.at < len(p.tokens) && !p.is(0, ")") {
		p.at++
	}
	p.at++
	p.scopes.open()
	for _, name := range names {
		p.scopes.name(name, "")
	}
}

// isField tells whether the name is one of a field, a method, a label or a key.
func (p *planner) isField() bool {
	if p.is(-1, ".") || p.is(-1, ":") || p.is(-1, "::") || p.is(-1, "goto") {
		return true
	}
	return p.is(1, "=") && (p.is(-1, "{") || p.is(-1, ",") || p.is(-1, ";"))
}

// environment notes a use of the name by which a script reaches its globals.
func (p *planner) environment() {
	if name := p.token(0).text; name == "_ENV" {
		p.doubt("%s gives access to any server by a name that is made at run time", name)
	}
}

// read looks at a name that stands for a value.
func (p *planner) read(name string) {
	p.environment()
	server, local := p.scopes.find(name)
	if local && server == "" || p.is(1, "=") { // a variable, or it is assigned to
		return
	}
	if !local {
		switch name {
		case "servers":
			p.readServers()
			return
		case "_G":
			p.doubt("_G gives access to any server by a name that is made at run time")
			return
		case "load":
			p.doubt("load runs text that is made at run time")
			return
		}
		if !p.host.Server(name) || slices.Contains(builtins, name) && !p.usesServer(name) {
			return
		}
		server = name
	}
	if p.scopes.alias(p.tokens, p.at, server) {
		return
	}
	p.readTool(server, 1)
}

// usesServer tells whether a name that Lua has too may be the server here.
func (p *planner) usesServer(name string) bool {
	return p.is(1, ".") && p.host.Tool(name, p.token(2).text) != nil || p.is(1, "[")
}

// readServers reads servers.name and servers["name"].
func (p *planner) readServers() {
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
