package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// claudeCode has three scopes in two files: ~/.claude.json holds the user's
// servers and, by project, those of a user for it; .mcp.json is the project's.
var claudeCode = client{
	name: "claude-code", title: "Claude Code",
	places: slices.Concat(
		user("~/.claude.json"),
		project("{project}/.mcp.json"),
		on("linux", SystemScope, "/etc/claude-code/managed-mcp.json"),
		on("darwin", SystemScope, "/Library/Application Support/ClaudeCode/managed-mcp.json"),
		on("windows", SystemScope, "{ProgramFiles}/ClaudeCode/managed-mcp.json"),
	),
	forms: plainForm,
	read:  readClaudeCode,
	allowed: slices.Concat(
		user("~/.claude/settings.json"),
		project("{project}/.claude/settings.json", "{project}/.claude/settings.local.json"),
	),
	readAllowed: readClaudePermissions,
	write:       shape{entry: typedEntry("stdio"), remote: typedRemote("http")},
}

// readClaudeCode reads the project's part first: it wins over the user's.
func readClaudeCode(f *foreign, root *node) {
	here := root.child("projects").child(filepath.ToSlash(f.project()))
	if here == nil {
		here = root.child("projects").child(f.project())
	}
	f.entries(here.child("mcpServers"))
	known := map[string]bool{}
	for _, s := range f.out {
		known[s.Name] = true
	}
	for _, e := range root.child("mcpServers").each() {
		if !known[e.key] {
			f.server(e.key, e.at, e.value)
		}
	}
	off := here.child("disabledMcpServers").texts()
	for i, s := range f.out {
		if slices.Contains(off, s.Name) {
			f.out[i].Disabled = true
		}
	}
}

// readClaudePermissions takes mcp__server__tool out of permissions.allow. A name
// without a tool allows all of them, and names none.
func readClaudePermissions(root *node) map[string][]string {
	out := map[string][]string{}
	for _, rule := range root.child("permissions").child("allow").texts() {
		rest, ok := strings.CutPrefix(rule, "mcp__")
		if !ok {
			continue
		}
		rest, _, _ = strings.Cut(rest, "(")
		if server, tool, ok := strings.Cut(rest, "__"); ok && tool != "" && !strings.Contains(tool, "*") {
			out[server] = append(out[server], tool)
		}
	}
	return out
}
