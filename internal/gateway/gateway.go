// Package gateway is the MCP face of toolcrib: what agents see.
package gateway

import (
	"context"
	"log/slog"

	"toolcrib/internal/call"
	"toolcrib/internal/wire"
)

// Options of a Gateway.
type Options struct {
	Servers Servers   // upstream.Pool in production
	Call    call.Func // Pool.Call with its middlewares
	Log     *slog.Logger
	Version string
}

// Servers are the servers behind the gateway, as the gateway sees them.
type Servers interface{}

// A Gateway answers agents. It is a wire.Handler.
type Gateway struct{}

// New makes a gateway in front of a pool.
func New(o Options) *Gateway { return &Gateway{} }

// Serve answers one request.
func (g *Gateway) Serve(ctx context.Context, in *wire.Incoming) ([]byte, error) { return nil, nil }

// Notified takes a notification of a session.
func (g *Gateway) Notified(ctx context.Context, s *wire.Session, method string, params []byte) {}

// Closed forgets a session.
func (g *Gateway) Closed(s *wire.Session) {}
