package disclose

import (
	"fmt"

	"toolcrib/internal/catalog"
)

// A Server is one server, as it is shown.
type Server struct {
	Name         string `json:"name"`
	Lua          string `json:"lua"` // first half of its tools' ids
	Title        string `json:"title,omitempty"`
	Description  string `json:"description,omitempty"`
	Version      string `json:"version,omitempty"`
	Instructions string `json:"instructions,omitempty"` // their beginning
	State        string `json:"state"`
	Tools        int    `json:"tools"`
}

// What is shown of what a server says of itself.
const (
	maxTitle        = 80
	maxAbout        = 200
	maxInstructions = 200

	// manyServers is how many are shown with all they say.
	manyServers = 30
)

// Servers answers with all configured servers.
func (b *Browser) Servers() *Answer {
	s := b.o.Snapshot()
	a := &Answer{Servers: []Server{}, Metadata: Metadata{TotalCount: s.Len(), FilteredCount: s.Len()}}
	states := b.states(s)
	for _, state := range states {
		server := showServer(state, s.Server(state.Name))
		if len(states) > manyServers {
			server.Instructions, server.Description = "", Cut(server.Description, maxTitle)
		}
		a.Servers = append(a.Servers, server)
	}
	a.Metadata.Shown = len(a.Servers)
	a.Next = `list_server_tools {"server":"..."} lists the tools of one; search_tools {"query":"..."} finds one by what it does.`
	if len(a.Servers) == 0 {
		a.Next = "No server is configured: ask the user to add one to the configuration."
	}
	return a
}

// states are the configured servers and how they stand, or what the snapshot
// tells of that.
func (b *Browser) states(s *catalog.Snapshot) []ServerState {
	if states := b.o.Servers(); len(states) > 0 {
		return states
	}
	var states []ServerState
	for _, at := range s.Servers() {
		state := ServerState{Name: at.Name(), State: Idle}
		if f := at.Failure(); f != nil {
			state.State, state.Reason, state.Since = Failed, f.Reason, f.Since
		}
		states = append(states, state)
	}
	return states
}

func showServer(state ServerState, known *catalog.Server) Server {
	out := Server{Name: Line(state.Name), Lua: catalog.Identifier(state.Name), State: string(state.State)}
	if known != nil {
		out.Lua, out.Tools = known.LuaName(), known.Len()
		out.Version = Cut(Line(known.Version()), 40)
		out.Description = Cut(Line(known.Description()), maxAbout)
		out.Instructions = Cut(Line(head(known.Instructions(), 4*maxInstructions)), maxInstructions)
		if title := Cut(Line(known.Title()), maxTitle); title != out.Name {
			out.Title = title
		}
		if f := known.Failure(); f != nil && state.Reason == "" {
			state.Reason, state.Since = f.Reason, f.Since
			if state.State == Idle {
				state.State = Failed
			}
		}
	}
	if state.State == NeedsApproval {
		out.Name = out.Lua // a project's file chose the name, and nobody has read it yet
	}
	if state.State == NeedsApproval && state.Reason != "" {
		out.State += ": " + Cut(Line(state.Reason), maxReason)
	}
	if state.State == Failed {
		out.State = fmt.Sprintf("failed: %s", Cut(Line(state.Reason), maxReason))
		if !state.Since.IsZero() {
			out.State += " (since " + stamp(state.Since) + ")"
		}
	}
	return out
}
