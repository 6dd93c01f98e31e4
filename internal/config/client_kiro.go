package config

import "strings"

var kiro = client{
	name: "kiro", title: "Kiro",
	places: append(user("~/.kiro/settings/mcp.json"), project("{project}/.kiro/settings/mcp.json")...),
	forms:  plainForm,
}

// readAmazonTools takes @server/tool out of allowedTools.
func readAmazonTools(root *node) map[string][]string {
	out := map[string][]string{}
	for _, rule := range root.child("allowedTools").texts() {
		rest, ok := strings.CutPrefix(rule, "@")
		if server, tool, named := strings.Cut(rest, "/"); ok && named && tool != "" && !strings.Contains(tool, "*") {
			out[server] = append(out[server], tool)
		}
	}
	return out
}
