package gateway

import (
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
)

// ScriptTools are the tools of a snapshot as scripts see them, whoever runs them:
// the part of a script.Host that only looks.
type ScriptTools struct{ Snapshot *catalog.Snapshot }

// Server tells whether there is a server of that name.
func (s ScriptTools) Server(name string) bool { return s.Snapshot.Server(name) != nil }

// Tool is a tool that can be called.
func (s ScriptTools) Tool(server, name string) *script.Tool {
	t := s.Find(server, name)
	if t == nil {
		return nil
	}
	return &script.Tool{Access: access(t), InputSchema: t.InputSchema()}
}

// Find is a tool that can be called, as the catalog has it.
func (s ScriptTools) Find(server, name string) *catalog.Tool {
	if t := s.Snapshot.Find(server, name); t != nil && t.Callable() {
		return t
	}
	return nil
}

// Nearest are the names most like one that is not there.
func (s ScriptTools) Nearest(server, name string) []string {
	var names []string
	if server == "" {
		for _, one := range s.Snapshot.Servers() {
			names = append(names, one.LuaName())
		}
	} else if one := s.Snapshot.Server(server); one != nil {
		for _, t := range one.Tools() {
			if t.Callable() {
				names = append(names, t.LuaName())
			}
		}
	}
	return disclose.NearestNames(name, names)
}

func access(t *catalog.Tool) script.Access {
	switch t.Annotations().ReadOnly {
	case catalog.Yes:
		return script.ReadOnly
	case catalog.No:
		return script.Writing
	}
	return script.UnknownAccess
}
