package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// traced starts the gateway with a collector that takes all its spans and metrics.
func (b *bench) traced(ctx context.Context, t *target, url string, command []string) error {
	if b.collector == "" {
		sink, err := b.start(ctx, "collector", func(addr string) []string { return []string{b.self, "collector", "--addr", addr} })
		if err != nil {
			return err
		}
		b.collector = sink.addr
	}
	return b.ours(ctx, t, url, command, "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+b.collector)
}

// tracedCase tells whether a case says something of tracing: what it costs does
// not depend on how large a result is.
func tracedCase(name string) bool { return strings.HasPrefix(name, "echo-") }

// serveCollector reads what it is sent and throws it away.
func serveCollector(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("collector", flag.ContinueOnError)
	addr := fs.String("addr", "", "address to listen on")
	if err := fs.Parse(args); err != nil {
		return err
	}
	s := &http.Server{Addr: *addr, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	if err := s.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("listen: %w", err)
	}
	return nil
}
