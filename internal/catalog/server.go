package catalog

import (
	"encoding/json"
	"slices"

	"toolcrib/internal/wire"
)

// A Server is one server in a snapshot. It never changes.
type Server struct {
	lua     string
	listing Listing
	shelf   *shelf
	tools   []Tool // in the order of shelf.entries
}

// serverInfo is what a server says of itself that we read.
type serverInfo struct {
	name, title, description, version string
}

// readServerInfo reads what it can; ok is unset when raw is no object.
func readServerInfo(raw json.RawMessage) (info serverInfo, ok bool) {
	if absent(raw) {
		return info, true
	}
	object, err := wire.ParseObject(raw)
	if err != nil {
		return info, false
	}
	return serverInfo{
		name: object.Text("name"), title: object.Text("title"),
		description: object.Text("description"), version: object.Text("version"),
	}, true
}

// Name is the server's name in the configuration.
func (s *Server) Name() string { return s.listing.Server }

// LuaName is its identifier: the first half of its tools' ids.
func (s *Server) LuaName() string { return s.lua }

// Title is what the server calls itself, "" if it does not.
func (s *Server) Title() string {
	if s.shelf.info.title != "" {
		return s.shelf.info.title
	}
	return s.shelf.info.name
}

// Description is what the server says it is for, "" if it does not.
func (s *Server) Description() string { return s.shelf.info.description }

// Version is the server's own, "" if it does not tell.
func (s *Server) Version() string { return s.shelf.info.version }

// Instructions are what the server says on how to use it.
func (s *Server) Instructions() string { return s.listing.Instructions }

// Failure is why the server could not be listed when that was last tried, nil
// if it could.
func (s *Server) Failure() *Failure {
	if s.listing.Failure == nil {
		return nil
	}
	failure := *s.listing.Failure
	return &failure
}

// Listing is what the server was read from. What it points to is not to be
// changed.
func (s *Server) Listing() Listing { return s.listing }

// Len is how many tools the server has.
func (s *Server) Len() int { return len(s.tools) }

// Tool is the i-th of its tools, in the order of their identifiers.
func (s *Server) Tool(i int) *Tool { return &s.tools[i] }

// Tools are the server's tools in the order of their identifiers.
func (s *Server) Tools() []*Tool { return s.all(nil) }

func (s *Server) all(to []*Tool) []*Tool {
	to = slices.Grow(to, len(s.tools))
	for i := range s.tools {
		to = append(to, &s.tools[i])
	}
	return to
}

// ToolsVersion is a hash of the server's tools: what each is, its category and
// its tags. While it stays the same, Tool(i) is the same tool, in this and other
// snapshots; whether it is available is not part of it.
func (s *Server) ToolsVersion() string { return s.shelf.version }

// find returns a tool by its identifier or its original name.
func (s *Server) find(tool string) *Tool {
	if i, ok := s.shelf.find(tool); ok {
		return &s.tools[i]
	}
	return nil
}

// at returns the tools of the given numbers.
func (s *Server) at(to []*Tool, numbers []int32) []*Tool {
	for _, i := range numbers {
		to = append(to, &s.tools[i])
	}
	return to
}
