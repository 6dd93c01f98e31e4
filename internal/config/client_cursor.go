package config

import "strings"

// cursor keeps the tools that run without asking in a file of their own.
var cursor = client{
	name: "cursor", title: "Cursor",
	places:      append(user("~/.cursor/mcp.json"), project("{project}/.cursor/mcp.json")...),
	forms:       envForm | editorForms,
	allowed:     append(user("~/.cursor/permissions.json"), project("{project}/.cursor/permissions.json")...),
	readAllowed: readCursorPermissions,
}

// readCursorPermissions takes server:tool out of mcpAllowlist.
func readCursorPermissions(root *node) map[string][]string {
	out := map[string][]string{}
	for _, rule := range root.child("mcpAllowlist").texts() {
		if server, tool, ok := strings.Cut(rule, ":"); ok && tool != "" && !strings.Contains(rule, "*") {
			out[server] = append(out[server], tool)
		}
	}
	return out
}
