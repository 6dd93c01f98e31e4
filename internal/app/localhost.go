package app

import (
	"context"
	"fmt"

	"toolcrib/internal/gateway"
	"toolcrib/internal/script"
)

// Host is what a script reaches: the tools that Call can call, by Call.
func (l *Local) Host() script.Host { return localHost{gateway.ScriptTools{Snapshot: l.Snapshot}, l} }

type localHost struct {
	gateway.ScriptTools
	*Local
}

// Missing says why a server that is configured is not there.
func (h localHost) Missing(server string) string {
	if p := h.Waiting(server); p != nil {
		return p.Message
	}
	return ""
}

// Call calls a tool for a script.
func (h localHost) Call(ctx context.Context, server, tool string, arguments []byte) ([]byte, error) {
	t := h.Find(server, tool)
	if t == nil {
		return nil, fmt.Errorf("there is no tool %s.%s", server, tool)
	}
	return h.Local.Call(ctx, t, arguments)
}
