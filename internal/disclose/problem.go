package disclose

import (
	"encoding/json"
	"fmt"
	"strings"

	"toolcrib/internal/catalog"
)

// A Problem is why a question has no answer, and what to do next.
type Problem struct {
	Message string          `json:"error"`
	Nearest []string        `json:"nearest,omitempty"`
	Schema  json.RawMessage `json:"schema,omitempty"`
	Next    string          `json:"next"`
	// RetryAfter is in how many seconds it may go better; 0 says nothing of that.
	RetryAfter int `json:"retry_after_seconds,omitempty"`
}

func (p *Problem) Error() string {
	text := p.Message
	if len(p.Nearest) > 0 {
		text += "; nearest: " + strings.Join(p.Nearest, ", ")
	}
	return text + ". " + p.Next
}

// JSON is the problem as an agent reads it.
func (p *Problem) JSON() json.RawMessage {
	return JSON(p)
}

// shownNames is how many names a problem lists.
const shownNames = 8

// Tool is the tool that somebody means: by its id or its original name, of a
// server that may be named apart.
func (b *Browser) Tool(server, tool string) (*catalog.Tool, *Problem) {
	s := b.o.Snapshot()
	if server != "" {
		at, problem := b.server(s, server)
		if problem != nil {
			return nil, problem
		}
		if t := s.Find(at.Name(), tool); t != nil {
			return t, nil
		}
		for _, name := range []string{at.LuaName(), at.Name(), server} {
			tool = strings.TrimPrefix(tool, name+".")
		}
		if t := s.Find(at.Name(), tool); t != nil {
			return t, nil
		}
		return nil, b.noSuchTool(s, at, tool)
	}
	if t := s.Resolve(tool); t != nil {
		return t, nil
	}
	named := s.Named(tool)
	if at, name, ok := strings.Cut(tool, "__"); ok && len(named) == 0 {
		if t := s.Find(at, name); t != nil {
			return t, nil
		}
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		if at, name, ok := strings.Cut(tool, "."); ok && s.Server(at) != nil {
			return nil, b.noSuchTool(s, s.Server(at), name)
		}
		for _, mark := range []string{".", "__"} {
			if at, _, ok := strings.Cut(tool, mark); ok {
				if p := b.Waiting(at); p != nil {
					return nil, p
				}
			}
		}
		return nil, b.noSuchTool(s, nil, tool)
	}
	return nil, &Problem{
		Message: fmt.Sprintf("%d servers have a tool %q", len(named), clip(tool)),
		Nearest: ids(named), Next: "Say which by its whole name, server.tool.",
	}
}

func (b *Browser) noSuchTool(s *catalog.Snapshot, at *catalog.Server, tool string) *Problem {
	if p := b.withheld(at, tool); p != nil {
		return p
	}
	if strings.TrimSpace(tool) == "" {
		return &Problem{Message: "no tool is named", Next: `Say which: {"tool":"server.tool"}. search_tools finds tools by what they do.`}
	}
	if s.Len() == 0 {
		return &Problem{Message: fmt.Sprintf("no tool %q: no server has listed any tools yet", clip(tool)), Next: b.noTools(s)}
	}
	whole := tool
	p := &Problem{Next: `search_tools {"query":"..."} finds tools by what they do.`}
	if at != nil {
		whole = at.LuaName() + "." + tool
		p.Message = fmt.Sprintf("server %s has no tool %q", at.LuaName(), clip(tool))
		p.Next = b.Advise("list_server_tools", fmt.Sprintf(`list_server_tools {"server":"%s"} lists its %d tools.`, at.LuaName(), at.Len()),
			fmt.Sprintf(`search_tools {"query":"...","server":"%s"} finds one of its %d tools by what it does.`, at.LuaName(), at.Len()))
		if f := at.Failure(); f != nil {
			p.Message += fmt.Sprintf(" among those it was last known to have; it is down since %s: %s", stamp(f.Since), Cut(Line(f.Reason), maxReason))
		}
	} else {
		p.Message = fmt.Sprintf("no tool %q", clip(tool))
	}
	p.Nearest = ids(b.shown(b.o.Index().Nearest(whole, 3+3*shownNames), 3))
	return p
}

// server is the server that somebody means.
func (b *Browser) server(s *catalog.Snapshot, name string) (*catalog.Server, *Problem) {
	if at := s.Server(name); at != nil {
		return at, nil
	}
	name = s.Unalias(name)
	wanted := strings.ToLower(strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(name))
	var names []string
	for _, at := range s.Servers() {
		if strings.ToLower(at.LuaName()) == wanted {
			return at, nil
		}
		names = append(names, at.LuaName())
	}
	if p := b.Waiting(name); p != nil {
		return nil, p
	}
	for _, state := range b.o.Servers() {
		if state.Name != name {
			continue
		}
		p := &Problem{Message: fmt.Sprintf("server %s has not been listed yet (%s)", clip(name), state.State), Next: b.Advise("list_servers", "Ask again in some seconds; list_servers says how it stands.", "Ask again in some seconds.")}
		switch state.State {
		case Disabled:
			p = &Problem{Message: fmt.Sprintf("server %s is disabled in the configuration", clip(name)), Next: "Use another. " + b.showServers(s)}
		case Failed:
			p = &Problem{Message: fmt.Sprintf("server %s could not be reached: %s", clip(name), Cut(Line(state.Reason), maxReason)), Next: "Use another server or ask the user to mend it. " + b.showServers(s)}
		}
		return nil, p
	}
	if strings.TrimSpace(name) == "" {
		return nil, &Problem{Message: "no server is named", Nearest: few(names), Next: `Say which: {"server":"..."}. ` + b.showServers(s)}
	}
	return nil, &Problem{Message: fmt.Sprintf("no server %q", clip(name)), Nearest: NearestNames(wanted, names), Next: b.showServers(s)}
}

// Waiting is the answer to whatever is asked of a server that its user has not
// approved, nil if it is none of these. The name may be an identifier.
func (b *Browser) Waiting(server string) *Problem {
	for _, state := range b.o.Servers() {
		if state.State == NeedsApproval && server != "" && (state.Name == server || catalog.Identifier(state.Name) == server) {
			return &Problem{
				Message: fmt.Sprintf("server %s is not started: %s", clip(server), Cut(Line(state.Reason), maxReason)),
				Next:    b.Advise("list_servers", AskTheUser+" list_servers shows others.", AskTheUser),
			}
		}
	}
	return nil
}

func few(names []string) []string { return names[:min(len(names), shownNames)] }

func ids(tools []*catalog.Tool) []string {
	out := make([]string, 0, min(len(tools), shownNames))
	for _, t := range tools[:min(len(tools), shownNames)] {
		out = append(out, string(t.ID()))
	}
	return out
}

// clip keeps what an agent sent short enough to be said back.
func clip(text string) string { return Cut(Line(head(text, 400)), 80) }
