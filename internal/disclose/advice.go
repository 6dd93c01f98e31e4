package disclose

import (
	"fmt"
	"strings"

	"toolcrib/internal/catalog"
)

// AskTheUser is what to do about a server that waits for approval.
const AskTheUser = "Tell the user, who alone can approve it."

// Advise is what to do by one of our tools, or otherwise where whoever asks is not
// shown that tool: they would look for it in vain.
func (b *Browser) Advise(tool, do, otherwise string) string {
	if b.o.Lists == nil || b.o.Lists(tool) {
		return do
	}
	return otherwise
}

// showServers is where to see which servers there are.
func (b *Browser) showServers(s *catalog.Snapshot) string {
	return b.Advise("list_servers", "list_servers shows all.", thereAre(s))
}

// thereAre names the servers that have listed their tools.
func thereAre(s *catalog.Snapshot) string {
	var names []string
	for _, at := range s.Servers() {
		names = append(names, at.LuaName())
	}
	switch more := len(names) - shownNames; {
	case len(names) == 0:
		return "No server has listed its tools yet."
	case more > 0:
		return fmt.Sprintf("There are %s and %d more.", strings.Join(few(names), ", "), more)
	}
	return "There are " + strings.Join(names, ", ") + "."
}

// standing is how the servers stand, while none of them has listed tools.
func (b *Browser) standing(s *catalog.Snapshot) string {
	var lines []string
	states := b.states(s)
	for _, state := range states[:min(len(states), shownNames)] {
		at := showServer(state, s.Server(state.Name))
		lines = append(lines, fmt.Sprintf("%s (%s)", at.Lua, at.State))
	}
	if more := len(states) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("%d more", more))
	}
	if len(lines) == 0 {
		return "No server is configured: tell the user."
	}
	return "Ask again in some seconds, or tell the user. The servers: " + strings.Join(lines, ", ") + "."
}

// noTools is what to do while no server has listed tools.
func (b *Browser) noTools(s *catalog.Snapshot) string {
	return b.Advise("list_servers", "list_servers says how the servers stand.", b.standing(s))
}

// noCategory is the answer to a category that is none.
func (b *Browser) noCategory(s *catalog.Snapshot, name string) *Problem {
	p := &Problem{
		Message: fmt.Sprintf("no category %q", clip(name)), Nearest: NearestNames(name, categoryNames(s)),
		Next: b.Advise("list_categories", "list_categories shows all.", "Name one of these, or none to search all."),
	}
	if s.Len() == 0 {
		p.Next = b.noTools(s)
	}
	return p
}
