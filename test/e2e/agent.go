package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// An agent is a whole one, as people use it.
type agent struct {
	name    string
	version string // of the protocol, that it has to agree on with the gateway
	program string // "" where it could not be installed
	webOnly bool   // over stdio it has another version
	unnamed bool   // over HTTP it sends nothing that tells one conversation from another
	who     string // what it calls itself in callerHeader, if it can; "" for nothing
	hides   bool   // of a server's tools it tells its model the names alone, until it asks
	// command is its arguments and environment for one task.
	command func(s setting) (args, env []string, err error)
}

// A setting is where one run of an agent takes place.
type setting struct {
	dir   string   // empty, and the run's alone
	model string   // URL
	url   string   // of the gateway
	who   string   // what the agent is to call itself in callerHeader; "" for nothing
	start []string // a gateway on stdio, in place of url
	task  string
}

// callerHeader is the header by which the gateway can tell agents apart.
const callerHeader = "X-Client-Id"

// gatewayName is what the agents' configurations call the gateway.
const gatewayName = "gw"

func (w *world) agents() []agent {
	return []agent{
		{name: "Claude Code", version: modernVersion, program: w.claude, command: claudeCommand, unnamed: true, hides: true},
		{name: "Claude Code that shows all tools", version: modernVersion, program: w.claude, command: claudeOpen, unnamed: true, who: "open"},
		{name: "Codex", version: "2025-06-18", program: w.codex, command: codexCommand},
		{name: "Codex with the modern era", version: modernVersion, program: w.codex, command: codexModern, webOnly: true},
	}
}

// claudeCommand runs Claude Code once, with no server but the gateway.
func claudeCommand(s setting) (args, env []string, err error) {
	entry := map[string]any{"type": "http", "url": s.url}
	if s.who != "" {
		entry["headers"] = map[string]string{callerHeader: s.who}
	}
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
		}, os.WriteFile(path, b, 0o600)
}

// claudeOpen has that switched off by which Claude Code hides a server's tools
// from its model until the model asks for them.
func claudeOpen(s setting) (args, env []string, err error) {
	args, env, err = claudeCommand(s)
	return args, append(env, "ENABLE_TOOL_SEARCH=false"), err
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
	// Else it goes on without the gateway after a second, which on a busy machine
	// is soon over.
	server := "mcp_servers." + gatewayName + "."
	settings = append(settings, server+"required", true, server+"startup_timeout_sec", 50)
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
