package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"toolcrib/test/e2e/model"
)

// An agent is a whole one, as people use it.
type agent struct {
	name    string
	version string // of the protocol, that it has to agree on with the gateway
	program string // "" where it could not be installed
	webOnly bool   // over stdio it has another version
	// command is its arguments and environment for one task.
	command func(s setting) (args, env []string, err error)
}

// A setting is where one run of an agent takes place.
type setting struct {
	dir   string   // empty, and the run's alone
	model string   // URL
	url   string   // of the gateway
	start []string // a gateway on stdio, in place of url
	task  string
}

// gatewayName is what the agents' configurations call the gateway.
const gatewayName = "gw"

func (w *world) agents() []agent {
	return []agent{
		{name: "Claude Code", version: modernVersion, program: w.claude, command: claudeCommand},
		{name: "Codex", version: "2025-06-18", program: w.codex, command: codexCommand},
		{name: "Codex with the modern era", version: modernVersion, program: w.codex, command: codexModern, webOnly: true},
	}
}

// claudeCommand runs Claude Code once, with no server but the gateway.
func claudeCommand(s setting) (args, env []string, err error) {
	entry := map[string]any{"type": "http", "url": s.url}
	if s.start != nil {
		entry = map[string]any{"type": "stdio", "command": s.start[0], "args": s.start[1:]}
	}
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{gatewayName: entry}})
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(s.dir, "mcp.json")
	return []string{
			"-p", s.task, "--mcp-config", path, "--strict-mcp-config",
			"--allowedTools", "mcp__" + gatewayName,
		}, []string{
			"ANTHROPIC_BASE_URL=" + s.model, "ANTHROPIC_API_KEY=none",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
			"ENABLE_TOOL_SEARCH=false", // its own way of hiding tools until they are asked for
		}, os.WriteFile(path, b, 0o600)
}

// codexCommand runs Codex once, with no server but the gateway.
func codexCommand(s setting) (args, env []string, err error) {
	settings := []any{
		"model", "scripted", "model_provider", "scripted",
		"model_providers.scripted.name", "scripted",
		"model_providers.scripted.base_url", s.model + "/v1",
		"model_providers.scripted.wire_api", "responses",
		"model_providers.scripted.requires_openai_auth", false,
		"analytics.enabled", false,
		"check_for_update_on_startup", false,
		"features.plugins", false,
	}
	server := "mcp_servers." + gatewayName + "."
	if s.start != nil {
		settings = append(settings, server+"command", s.start[0], server+"args", s.start[1:])
	} else {
		settings = append(settings, server+"url", s.url)
	}
	args = []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"}
	for i := 0; i < len(settings); i += 2 {
		b, err := json.Marshal(settings[i+1]) // JSON's strings, lists and booleans are TOML's
		if err != nil {
			return nil, nil, err
		}
		args = append(args, "-c", fmt.Sprintf("%s=%s", settings[i], b))
	}
	return append(args, s.task), nil, nil
}

// codexModern has the modern era switched on, which is under development there.
func codexModern(s setting) (args, env []string, err error) {
	args, env, err = codexCommand(s)
	return append([]string{"-c", "features.mcp_2026_07_28=true"}, args...), env, err
}

// An outcome is what came of a run.
type outcome struct {
	said  string // by the agent, in the end
	asked exchanges
	model *model.Server // closed; it knows what it was shown
}

// work lets an agent do a task with a gateway that runs, or, where g is nil, one
// that it starts itself.
func (w *world) work(ctx context.Context, a agent, label string, g *gateway, config, task string) (o outcome, err error) {
	s := setting{dir: filepath.Join(w.dir, label), task: task}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return o, err
	}
	if o.model, err = model.Start(); err != nil {
		return o, err
	}
	defer o.model.Close()
	s.model = o.model.URL()
	if g == nil {
		self, err := os.Executable()
		if err != nil {
			return o, err
		}
		file := filepath.Join(s.dir, "tap")
		s.start = []string{self, tapArg, file, "env", w.state(), w.toolcrib, "serve", "--config", config}
		o.said, err = w.runAgent(ctx, a, s, label)
		if err != nil {
			return o, err
		}
		o.asked, err = readTap(file)
		return o, err
	}
	tap, err := startTap(g)
	if err != nil {
		return o, err
	}
	s.url = tap.url()
	o.said, err = w.runAgent(ctx, a, s, label)
	tap.close()
	o.asked = tap.exchanges()
	return o, err
}

// runAgent runs an agent's program to its end and returns what it printed.
func (w *world) runAgent(ctx context.Context, a agent, s setting, label string) (string, error) {
	args, env, err := a.command(s)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.program, args...)
	cmd.Dir, cmd.Env = s.dir, append(append(w.environment("HOME="+s.dir), w.outside.proxy()...), env...)
	cmd.WaitDelay = 5 * time.Second
	log, err := os.Create(filepath.Join(w.logs, label+".log"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, log
	err = cmd.Run()
	_, err2 := fmt.Fprintf(log, "\n--- it printed:\n%s\n", out.String())
	if err = errors.Join(err, ctx.Err(), err2, log.Close()); err != nil {
		return "", fmt.Errorf("%s: %w; see %s", a.name, err, log.Name())
	}
	return out.String(), nil
}
