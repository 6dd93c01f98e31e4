package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/test/internal/proc"
)

// A lab holds the processes of all runs: servers and gateways, each started
// when it is first needed.
type lab struct {
	suite            suiteAt
	toolcrib, server string
	results          string
	log              io.Writer

	servers   map[string]string // addresses of HTTP servers by upstream
	gateways  map[string]string // addresses of gateways by run name
	processes []*proc.Process
	logs      []*os.File
}

// do makes one run.
func (l *lab) do(ctx context.Context, r planned) (*raw, error) {
	dir := filepath.Join(l.results, slug(r.name+" "+r.revision))
	leg, args := "server", []string(nil)
	switch r.kind {
	case client:
		leg, args = "client", []string{"--command", l.toolcrib + " conformance-client", "--timeout", "60000"}
	case direct:
		addr, err := l.serverAt(ctx, r.upstream)
		if err != nil {
			return nil, err
		}
		args = []string{"--url", local(addr)}
	default:
		addr, err := l.gatewayAt(ctx, r)
		if err != nil {
			return nil, err
		}
		args = []string{"--url", local(addr)}
	}
	scored, err := l.suite.scored(leg, r.revision)
	if err != nil {
		return nil, err
	}
	if len(scored) != r.scored && l.suite.scenario == "" {
		return nil, fmt.Errorf("the suite requires %d scenarios, not %d: it is not the version this was written for", len(scored), r.scored)
	}
	began := time.Now()
	got, err := l.suite.run(ctx, leg, r.revision, dir, args...)
	if err != nil {
		return nil, err
	}
	return &raw{scored: scored, got: got, took: time.Since(began)}, nil
}

// raw is what a run gave, not yet judged.
type raw struct {
	scored []string
	got    outcomes
	took   time.Duration
}

// local is a URL by name: the suite tests the Host header with names.
func local(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return "http://localhost:" + port + "/mcp"
}

func slug(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, ",", ""), " ", "-")
}

// serverAt starts the conformance server on HTTP.
func (l *lab) serverAt(ctx context.Context, upstream string) (string, error) {
	if addr, ok := l.servers[upstream]; ok {
		return addr, nil
	}
	addr, err := l.start(ctx, "server "+upstream, func(addr string) []string {
		return []string{l.server, "-http", addr, fmt.Sprintf("-stateless=%t", upstream == "modern-http")}
	})
	if err != nil {
		return "", err
	}
	if l.servers == nil {
		l.servers = map[string]string{}
	}
	l.servers[upstream] = addr
	return addr, nil
}

// gatewayAt starts the gateway of a run, unless an earlier run did.
func (l *lab) gatewayAt(ctx context.Context, r planned) (string, error) {
	if addr, ok := l.gateways[r.name]; ok {
		return addr, nil
	}
	upstream := map[string]any{"command": l.server}
	if r.upstream != "stdio" {
		addr, err := l.serverAt(ctx, r.upstream)
		if err != nil {
			return "", err
		}
		upstream = map[string]any{"url": "http://" + addr + "/mcp"}
	}
	if r.era != "" {
		upstream["era"] = r.era
	}
	if r.sessions != "" {
		upstream["sessions"] = r.sessions
	}
	config, err := json.MarshalIndent(map[string]any{
		"servers":    map[string]any{"conformance": upstream},
		"disclosure": map[string]any{"surface": "passthrough"},
		"http":       map[string]any{"auth": "none"},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(l.results, slug("gateway "+r.name)+".yaml") // JSON is YAML
	if err := os.MkdirAll(l.results, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(path, config, 0o600); err != nil {
		return "", err
	}
	addr, err := l.start(ctx, "gateway "+r.name, func(addr string) []string {
		return []string{l.toolcrib, "serve", "--config", path, "--http", addr}
	})
	if err != nil {
		return "", err
	}
	if l.gateways == nil {
		l.gateways = map[string]string{}
	}
	l.gateways[r.name] = addr
	return addr, nil
}

// start runs a process that listens on the address it is given, with its output
// in a file of its name.
func (l *lab) start(ctx context.Context, name string, command func(addr string) []string) (string, error) {
	addr, err := proc.FreePort()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(l.results, 0o755); err != nil {
		return "", err
	}
	log, err := os.Create(filepath.Join(l.results, slug(name)+".log"))
	if err != nil {
		return "", err
	}
	l.logs = append(l.logs, log)
	home := filepath.Join(l.results, "home") // the settings of whoever runs this stay out of it
	p, err := proc.Start(ctx, proc.Spec{
		Name: name, Command: command(addr), Log: log, Ready: addr, Dir: l.results,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home},
	})
	if err != nil {
		return "", fmt.Errorf("%w; see %s", err, log.Name())
	}
	l.processes = append(l.processes, p)
	return addr, nil
}

// close ends all processes and says what outlived the polite part.
func (l *lab) close() {
	for _, p := range l.processes {
		polite := 10 * time.Second
		if strings.HasPrefix(p.Name, "server") {
			polite = 0 // the SDK's server waits for open streams
		}
		if left := p.Stop(polite); len(left) > 0 && polite > 0 {
			fmt.Fprintf(l.log, "%s left processes behind: %v\n", p.Name, left)
		}
	}
	for _, f := range l.logs {
		_ = f.Close()
	}
}
