package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/test/internal/proc"
)

// ours starts the gateway twice, with variables besides the usual ones: the product as it is, which is timed, and the
// same code in this program with a side port, which says what it allocates.
func (b *bench) ours(ctx context.Context, t *target, url string, command []string, variables ...string) error {
	config, err := b.writeConfig(t, url, command)
	if err != nil {
		return err
	}
	g, err := b.start(ctx, "toolcrib serve", func(addr string) []string {
		return []string{b.toolcrib, "serve", "--config", config, "--http", addr}
	}, variables...)
	if err != nil {
		return err
	}
	t.pid, t.connect = g.pid, httpConnector(g.addr, t.era)
	if err := waitForCall(ctx, t); err != nil {
		return err
	}

	stats, err := proc.FreePort()
	if err != nil {
		return err
	}
	twin, err := b.start(ctx, "toolcrib serve with statistics", func(addr string) []string {
		return []string{b.self, "gateway-ours", stats, "serve", "--config", config, "--http", addr}
	}, variables...)
	if err != nil {
		return err
	}
	t.twin = &target{kind: t.kind, transport: t.transport, era: t.era, pid: twin.pid, stats: stats, connect: httpConnector(twin.addr, t.era)}
	return waitForCall(ctx, t.twin)
}

// writeConfig writes JSON, which is YAML too.
func (b *bench) writeConfig(t *target, url string, command []string) (string, error) {
	server := map[string]any{"command": command[0], "args": command[1:]}
	if t.transport == "http" {
		server = map[string]any{"url": url}
	}
	c, err := json.Marshal(map[string]any{
		"servers":    map[string]any{"bench": server},
		"disclosure": map[string]any{"surface": "passthrough"},
		"http":       map[string]any{"auth": "none"},
	})
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, t.transport+"-"+string(t.era)+".yaml")
	return path, os.WriteFile(path, c, 0o600)
}

// build makes the gateway under test.
func (b *bench) build(ctx context.Context) error {
	b.toolcrib = filepath.Join(b.dir, "toolcrib")
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	root := strings.TrimSpace(string(out))
	if err != nil || root == "" {
		return fmt.Errorf("find the module: %w; run this inside the checkout", cmp.Or(err, errors.New("there is none here")))
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.toolcrib, "./cmd/toolcrib")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build toolcrib: %w\n%s", err, out)
	}
	return nil
}

// waitForCall waits until a call gets through: a gateway may listen before its
// server is ready.
func waitForCall(ctx context.Context, t *target) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		o := drive(ctx, t.connect, load{callers: 1, calls: 1, tool: "echo", arguments: echoArguments})
		if o.failures == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(errors.New("no call gets through"), o.first)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
