package gateway

import (
	"maps"
	"slices"
	"strings"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/wire"
)

// A target is a request in the words of the server that is to get it.
type target struct {
	server string
	name   string // the tool, prompt or URI there
	params []byte
	many   bool // several servers: what comes back speaks of resources by our URIs

	guessed catalog.Provenance // of a tool that no server listed; it cannot be called
}

// route finds the server that a request is for.
func (g *Gateway) route(in *wire.Incoming, only string, several bool) (target, error) {
	t := target{server: only, params: in.Params, many: several}
	member := named[in.Method]
	if !several {
		if member == "" {
			return t, nil
		}
		if t.name = in.About(); t.name == "" {
			if _, ok := wire.Text(wire.Find(in.Params, member)); !ok { // to some servers ["x"] is "x"
				return t, wire.Errorf(wire.CodeInvalidParams, "%s needs params with %q, a string", in.Method, member)
			}
		}
		return t, nil
	}
	if sight := g.sight(in); len(g.names(sight)) == 0 {
		if name, _ := wire.Text(wire.Find(in.Params, "name")); in.Method == wire.MethodToolsCall {
			if err := waiting(sight, name); err != nil {
				return t, err
			}
		}
		return t, wire.Errorf(wire.CodeMethodNotFound, "no server is configured: add one under servers in the configuration file")
	}
	switch {
	case member != "":
		return g.byMember(in, member)
	case in.Method == wire.MethodComplete:
		return g.byReference(in)
	case strings.HasPrefix(in.Method, "tasks/"):
		return g.byMember(in, "taskId")
	}
	return t, wire.Errorf(wire.CodeMethodNotFound, "method %s is not known here", in.Method)
}

// named is the member of params that says what a request is about.
var named = map[string]string{
	wire.MethodToolsCall:     "name",
	wire.MethodPromptsGet:    "name",
	wire.MethodResourcesRead: "uri",
}

// byMember routes by a member that we renamed when it was listed.
func (g *Gateway) byMember(in *wire.Incoming, member string) (target, error) {
	o, err := wire.ParseObject(in.Params)
	if err != nil {
		return target{}, wire.Errorf(wire.CodeInvalidParams, "%s needs params with %q", in.Method, member)
	}
	shown, ok := wire.Text(o.Get(member))
	if !ok {
		return target{}, wire.Errorf(wire.CodeInvalidParams, "%s needs params with %q, a string", in.Method, member)
	}
	t, err := g.resolve(in, member, shown)
	if err != nil {
		return t, err
	}
	t.params = o.With(wire.Change{Name: member, Value: wire.Quote(t.name)})
	return t, nil
}

// resolve finds what we show under a name.
func (g *Gateway) resolve(in *wire.Incoming, member, shown string) (target, error) {
	sight := g.sight(in)
	names := g.names(sight)
	switch {
	case member == "uri":
		if server, uri, ok := splitURI(names, shown); ok {
			return target{server: server, name: uri, many: true}, nil
		}
		code := wire.CodeResourceNotFound
		if in.Era == wire.Modern {
			code = wire.CodeInvalidParams
		}
		if server, uri, ok := g.aliased(sight, splitURI, shown); ok { // what changes is told by this name alone
			return target{}, wire.Errorf(code, "no resource %q here: its server is called %s, ask for %q", shown, server, resourceURI(server, uri))
		}
		return target{}, wire.Errorf(code, "no resource %q here: URIs are %s<server>/<uri>; list them with resources/list", shown, uriScheme)
	case member == "taskId":
		if server, id, ok := strings.Cut(shown, taskMark); ok && contains(names, server) {
			return target{server: server, name: id, many: true}, nil
		}
		return target{}, wire.Errorf(wire.CodeInvalidParams, "no task %q here", shown)
	case in.Method == wire.MethodPromptsGet || in.Method == wire.MethodComplete:
		if server, name, ok := splitPrompt(names, shown); ok {
			return target{server: server, name: name, many: true}, nil
		}
		if server, name, ok := g.aliased(sight, splitPrompt, shown); ok {
			return target{server: server, name: name, many: true}, nil
		}
		return target{}, wire.Errorf(wire.CodeInvalidParams, "no prompt %q here: names are <server>.<prompt>; list them with prompts/list", shown)
	}
	if t, ok := g.toolShown(sight, shown); ok {
		return t, t.callable()
	}
	if err := waiting(sight, shown); err != nil {
		return target{}, err
	}
	return target{}, wire.Errorf(wire.CodeInvalidParams, "no tool %q here: names are <server>%s<tool>; list them with tools/list", shown, toolMark)
}

// toolShown is the tool that agents call by a name where there are several servers,
// also one that is not listed yet.
func (g *Gateway) toolShown(s *Sight, shown string) (t target, ok bool) {
	tools := g.view(s).tools
	if t, ok = tools[shown]; ok {
		return t, true
	}
	server, name, ok := splitTool(g.names(s), shown)
	if !ok {
		if server, name, ok = g.aliased(s, splitTool, shown); !ok {
			return target{}, false
		}
		if t, ok := tools[toolName(server, name)]; ok {
			return t, true
		}
	}
	return target{server: server, name: name, many: true}, true
}

// aliased splits a name in which a server is called as only some clients call it. A
// name that a server has itself is nobody's alias, whoever may see that server.
func (g *Gateway) aliased(s *Sight, split func(servers []string, shown string) (server, rest string, ok bool), shown string) (server, rest string, ok bool) {
	of := s.Snapshot().Aliases()
	alias, rest, ok := split(slices.Sorted(maps.Keys(of)), shown)
	if !ok || contains(g.o.Servers.Names(), alias) || !contains(g.names(s), of[alias]) {
		return "", "", false
	}
	return of[alias], rest, true
}

// waiting is the error for a tool of a server that its user has not approved.
func waiting(sight *Sight, tool string) error {
	server, _, ok := strings.Cut(tool, toolMark)
	if !ok || sight.Browser == nil {
		return nil
	}
	if p := sight.Browser.Waiting(server); p != nil {
		return wire.Errorf(wire.CodeRefused, "%s. %s", p.Message, disclose.AskTheUser) // there is no tool of ours to name
	}
	return nil
}

// callable says why a tool that is only guessed cannot be called.
func (t *target) callable() error {
	if t.guessed == "" {
		return nil
	}
	return wire.Errorf(wire.CodeInvalidParams, "tool %q of server %s cannot be called: the server did not list it (%s). Mend the server, then run: toolcrib refresh %s", t.name, t.server, t.guessed, t.server)
}

// byReference routes a completion, which names a prompt or a resource template.
func (g *Gateway) byReference(in *wire.Incoming) (target, error) {
	bad := wire.Errorf(wire.CodeInvalidParams, "completion/complete needs params with ref, a prompt or a resource template")
	o, err := wire.ParseObject(in.Params)
	if err != nil {
		return target{}, bad
	}
	ref, err := wire.ParseObject(o.Get("ref"))
	if err != nil {
		return target{}, bad
	}
	member := "name"
	if ref.Get("uri") != nil {
		member = "uri"
	}
	shown, ok := wire.Text(ref.Get(member))
	if !ok {
		return target{}, bad
	}
	t, err := g.resolve(in, member, shown)
	if err != nil {
		return t, err
	}
	t.params = o.With(wire.Change{Name: "ref", Value: ref.With(wire.Change{Name: member, Value: wire.Quote(t.name)})})
	return t, nil
}
