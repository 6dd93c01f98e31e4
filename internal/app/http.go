package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"toolcrib/internal/config"
	"toolcrib/internal/lane"
	"toolcrib/internal/wire"
)

// Endpoint is the path at which agents speak MCP.
const Endpoint = "/mcp"

// ServeHTTP serves agents until ctx ends, and then lets their running calls
// finish. It closes l.
func (a *App) ServeHTTP(ctx context.Context, l net.Listener) error {
	defer l.Close()
	if err := a.mayListen(l.Addr()); err != nil {
		return err
	}
	in, err := a.entrance(l.Addr())
	if err != nil {
		return err
	}
	mcp := wire.NewHTTPServer(a.agents, wire.HTTPOptions{
		Log:            a.o.Log,
		Authenticate:   in.check,
		AllowedHosts:   a.http.AllowedHosts,
		AllowedOrigins: a.http.AllowedOrigins,
		ParamHeaders:   a.gateway.ParamHeaders,
	})
	defer mcp.Close()
	all := a.observed(ctx, mcp, routes(ctx))
	drain := mcp.Drain
	if a.http.Page != config.PageOff {
		page := a.page(ctx, mcp, in, all)
		defer page.Close()
		all = page
		drain = func() { page.Drain(); mcp.Drain() }
	}
	s := &http.Server{
		Handler:           direct(mcp, in.public(all)),
		TLSConfig:         in.tls,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(a.o.Log.Handler(), slog.LevelDebug),
		// No WriteTimeout: an answer may be a stream. Stalled readers are cut
		// off by the endpoint itself.
	}
	s.RegisterOnShutdown(drain)
	var usual *lane.Listener // answers what agents mostly send
	if in.tls == nil {
		usual = lane.Listen(l, lane.Options{Path: Endpoint, Handler: mcp, Log: a.o.Log})
		defer usual.Abort()
		l = usual
	}
	ended := make(chan error, 1)
	go func() {
		if in.tls != nil {
			ended <- s.ServeTLS(l, "", "")
			return
		}
		ended <- s.Serve(l)
	}()
	a.o.Log.Info("listening", in.said...)
	select {
	case err := <-ended:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	case <-a.life.Done():
	}
	return a.stop(s, usual, mcp)
}

// stop lets running calls finish, as long as there is time.
func (a *App) stop(s *http.Server, usual *lane.Listener, mcp *wire.HTTPServer) error {
	ctx, cancel := context.WithTimeout(a.life, drainTime)
	defer cancel()
	finish := func(ctx context.Context) error { return errors.Join(s.Shutdown(ctx), usual.Wait(ctx)) }
	err := finish(ctx)
	mcp.Close()
	if errors.Is(err, context.DeadlineExceeded) {
		a.o.Log.Warn("calls were still running and are cut off", "after", drainTime)
		last, cancel := context.WithTimeout(a.life, lastWords)
		defer cancel()
		_ = finish(last) // their agents are told why, if they read it
	}
	return s.Close()
}

// direct sends agents to their endpoint before anything else is looked at: the way
// through the muxes of all other paths costs a call more than its policy does.
func direct(mcp, rest http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == Endpoint {
			mcp.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

// routes are the other paths of the listener. Agents probe for others, so anything
// else is a fast and readable 404.
func routes(serving context.Context) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if serving.Err() != nil {
			writeJSON(w, http.StatusServiceUnavailable, `{"status":"stopping"}`)
			return
		}
		writeJSON(w, http.StatusOK, `{"status":"ok"}`)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusNotFound, `{"error":"not found","hint":"the MCP endpoint is `+Endpoint+`"}`)
	})
	return mux
}

func writeJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body + "\n"))
}
