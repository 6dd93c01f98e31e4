package main

import (
	"context"
	"fmt"
	"io"

	"toolcrib/test/internal/proc"
)

// A target is one way from the load client to the echo server.
type target struct {
	kind      string // direct, raw, ours, traced
	transport string // http, stdio: of the echo server
	era       era
	connect   connector

	pid   int     // of the gateway; 0 for direct
	twin  *target // the same gateway with a side port for memory statistics; may be itself
	stats string  // the side port
}

func (t *target) group() string { return t.transport + "/" + string(t.era) }

// bench is one run: its options and its processes.
type bench struct {
	options options
	log     io.Writer

	dir       string // scratch
	self      string // this executable
	toolcrib  string // the gateway under test
	collector string // address of what takes spans; "" until it is started
	processes []*proc.Process
	children  []*rawStdio
}

// targets starts everything that will be measured.
func (b *bench) targets(ctx context.Context) ([]*target, error) {
	var all []*target
	for _, e := range []era{legacy, modern} {
		echo, err := b.start(ctx, "echo server", func(addr string) []string {
			return []string{b.self, "upstream-http", "--era", string(e), "--addr", addr}
		})
		if err != nil {
			return nil, err
		}
		for _, transport := range []string{"http", "stdio"} {
			for _, kind := range b.options.targets {
				t := &target{kind: kind, transport: transport, era: e}
				if err := b.startTarget(ctx, t, echo.addr); err != nil {
					return nil, fmt.Errorf("%s %s: %w", t.group(), kind, err)
				}
				all = append(all, t)
			}
		}
	}
	return all, nil
}

func (b *bench) startTarget(ctx context.Context, t *target, echoAddr string) error {
	url := "http://" + echoAddr + "/mcp"
	command := []string{b.self, "upstream-stdio", "--era", string(t.era)}
	switch t.kind {
	case "direct":
		return b.direct(ctx, t, echoAddr, command)
	case "raw":
		return b.raw(ctx, t, url, command)
	case "ours":
		return b.ours(ctx, t, url, command)
	case "traced":
		return b.traced(ctx, t, url, command)
	}
	return fmt.Errorf("unknown target %q: use direct, raw, ours or traced", t.kind)
}

func (b *bench) direct(ctx context.Context, t *target, echoAddr string, command []string) error {
	if t.transport == "http" {
		t.connect = httpConnector(echoAddr, t.era)
		return nil
	}
	child, err := startRawStdio(ctx, command, t.era)
	if err != nil {
		return err
	}
	b.children = append(b.children, child)
	t.connect = stdioConnector(child, t.era)
	return nil
}

func (b *bench) raw(ctx context.Context, t *target, url string, command []string) error {
	stats, err := proc.FreePort()
	if err != nil {
		return err
	}
	g, err := b.start(ctx, "raw gateway", func(addr string) []string {
		args := []string{b.self, "gateway-raw", "--era", string(t.era), "--stats", stats, "--addr", addr}
		if t.transport == "http" {
			return append(args, "--url", url)
		}
		return append(args, command...)
	})
	if err != nil {
		return err
	}
	t.pid, t.connect = g.pid, httpConnector(g.addr, t.era)
	t.twin, t.stats = t, stats
	return waitForCall(ctx, t)
}

// started is a process that listens.
type started struct {
	addr string
	pid  int
}

// start runs a command that listens on the address it is given, with variables
// besides those that all have.
func (b *bench) start(ctx context.Context, name string, command func(addr string) []string, variables ...string) (started, error) {
	addr, err := proc.FreePort()
	if err != nil {
		return started{}, err
	}
	p, err := proc.Start(ctx, proc.Spec{Name: name, Command: command(addr), Env: append(b.environment(), variables...), Dir: b.dir, Log: b.log, Ready: addr})
	if err != nil {
		return started{}, err
	}
	b.processes = append(b.processes, p)
	return started{addr: addr, pid: p.Pid}, nil
}
