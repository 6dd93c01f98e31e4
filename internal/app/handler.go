package app

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"toolcrib/internal/wire"
)

// HandlerOptions of a Handler.
type HandlerOptions struct {
	// Authenticate says who asks. Without it only this machine is answered.
	Authenticate func(*http.Request) (subject string, err error)
	// AllowedHosts and AllowedOrigins are accepted besides those of the
	// configuration.
	AllowedHosts, AllowedOrigins []string
}

// A Handler is where agents speak MCP on a listener that somebody else has.
type Handler struct {
	mcp    *wire.HTTPServer
	open   bool // to whoever Authenticate lets in
	forget func() bool

	mu      sync.Mutex
	closing bool
	running sync.WaitGroup
}

// Handler makes one. What the configuration says of authentication is for our
// own listener, and does not count here.
func (a *App) Handler(o HandlerOptions) *Handler {
	h := &Handler{open: o.Authenticate != nil}
	h.mcp = wire.NewHTTPServer(a.agents, wire.HTTPOptions{
		Log:            a.o.Log,
		AllowedHosts:   append(o.AllowedHosts[:len(o.AllowedHosts):len(o.AllowedHosts)], a.http.AllowedHosts...),
		AllowedOrigins: append(o.AllowedOrigins[:len(o.AllowedOrigins):len(o.AllowedOrigins)], a.http.AllowedOrigins...),
		ParamHeaders:   a.gateway.ParamHeaders,
		Authenticate:   principal(o.Authenticate),
	})
	h.forget = context.AfterFunc(a.life, h.mcp.Close)
	return h
}

// principal is an Authenticate of somebody else's, as the endpoint wants it.
func principal(authenticate func(*http.Request) (string, error)) func(*http.Request) (wire.Principal, error) {
	if authenticate == nil {
		return nil
	}
	return func(r *http.Request) (wire.Principal, error) {
		subject, err := authenticate(r)
		return wire.Principal{Subject: subject}, err
	}
}

// ServeHTTP answers one HTTP request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.open && !fromHere(r) {
		writeJSON(w, http.StatusForbidden, `{"error":"only this machine is answered","hint":"whoever runs this gateway can let others in by saying how they are authenticated"}`)
		return
	}
	h.mu.Lock()
	if !h.closing {
		h.running.Add(1)
		defer h.running.Done()
	}
	h.mu.Unlock()
	h.mcp.ServeHTTP(w, r) // which refuses what comes too late
}

// Close takes no new requests and lets the running ones finish until ctx ends.
func (h *Handler) Close(ctx context.Context) {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	h.forget()
	h.mcp.Drain()
	idle := make(chan struct{})
	go func() {
		h.running.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
	}
	h.mcp.Close() // what still runs is cancelled
}

// fromHere tells whether a request comes from this machine.
func fromHere(r *http.Request) bool {
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && at.Network() == "unix" {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}
