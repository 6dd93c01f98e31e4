package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// checkClaude lets Claude Code connect, over HTTP and stdio.
func checkClaude(ctx context.Context, w *world) error {
	if w.claude == "" {
		w.tally.skip("Claude Code", "npm could not install it here")
		return nil
	}
	g, err := w.gateway(ctx, "merged", w.servers...)
	if err != nil {
		return err
	}
	path, err := w.config("claude", w.server("everything"))
	if err != nil {
		return err
	}
	_, err = w.runClaude(ctx, "mcp", "add", "-s", "user", "--transport", "http", "web", g.url())
	w.tally.check("Claude Code: mcp add, HTTP", err)
	_, err = w.runClaude(ctx, "mcp", "add", "-s", "user", "local", "--", w.toolcrib, "serve", "--config", path)
	w.tally.check("Claude Code: mcp add, stdio", err)
	out, err := w.runClaude(ctx, "mcp", "list")
	for _, name := range []string{"web", "local"} {
		w.tally.check("Claude Code: connects to "+name, connected(name, out, err))
	}
	return nil
}

// connected tells from what mcp list said whether a server is.
func connected(name, out string, err error) error {
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, name+":") && strings.Contains(line, "Connected") {
			return nil
		}
	}
	return fmt.Errorf("mcp list says %q", out)
}

func (w *world) runClaude(ctx context.Context, args ...string) (string, error) {
	return w.runClaudeOf(ctx, w.home, args...)
}

// runClaudeOf runs the Claude Code of whoever has that home.
func (w *world) runClaudeOf(ctx context.Context, home string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.claude, args...)
	cmd.Dir = w.dir
	cmd.Env = w.environment("HOME="+home, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1")
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("claude %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}
