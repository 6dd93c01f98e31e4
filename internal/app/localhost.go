package app

import (
	"context"
	"fmt"

	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
)

// Host is what a script reaches: the tools that Call can call, by Call.
func (l *Local) Host() script.Host { return localHost{l} }

type localHost struct{ *Local }

// Server tells whether there is a server of that name.
func (h localHost) Server(name string) bool { return h.Snapshot.Server(name) != nil }

// Tool is a tool that can be called.
func (h localHost) Tool(server, name string) *script.Tool {
	t := h.find(server, name)
	if t == nil {
		return nil
	}
	tool := &script.Tool{InputSchema: t.InputSchema()}
	switch t.Annotations().ReadOnly {
	case catalog.Yes:
		tool.Access = script.ReadOnly
	case catalog.No:
		tool.Access = script.Writing
	}
	return tool
}

func (h localHost) find(server, name string) *catalog.Tool {
	if t := h.Snapshot.Find(server, name); t != nil && t.Callable() {
		return t
	}
	return nil
}

// Missing says why a server that is configured is not there.
func (h localHost) Missing(server string) string {
	if p := h.Waiting(server); p != nil {
		return p.Message
	}
	return ""
}

// Nearest are the names most like one that is not there.
func (h localHost) Nearest(server, name string) []string {
	var names []string
	if server == "" {
		for _, s := range h.Snapshot.Servers() {
			names = append(names, s.LuaName())
		}
		return disclose.NearestNames(name, names)
	}
	if s := h.Snapshot.Server(server); s != nil {
		for _, t := range s.Tools() {
			if t.Callable() {
				names = append(names, t.LuaName())
			}
		}
	}
	return disclose.NearestNames(name, names)
}

// Call calls a tool for a script.
func (h localHost) Call(ctx context.Context, server, tool string, arguments []byte) ([]byte, error) {
	t := h.find(server, tool)
	if t == nil {
		return nil, fmt.Errorf("there is no tool %s.%s", server, tool)
	}
	return h.Local.Call(ctx, t, arguments)
}
