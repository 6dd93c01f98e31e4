package config

import "slices"

// copilotCLI lists the tools that it uses of each server; * is all.
var copilotCLI = client{
	name: "copilot-cli", title: "GitHub Copilot CLI",
	places: slices.Concat(user("{COPILOT_HOME}/mcp-config.json", "~/.copilot/mcp-config.json"), project("{project}/.github/mcp.json")),
	forms:  plainForm | dollarForm,
	write: shape{entry: func(command string, args []string) *node {
		return part(pair{"type", text("local")}, pair{"command", text(command)}, pair{"args", texts(args)}, pair{"tools", listOf([]string{"*"})})
	}, remote: func(r remote) *node {
		return part(pair{"type", text("http")}, pair{"url", text(r.url)}, pair{"headers", r.headers}, pair{"tools", listOf([]string{"*"})})
	}},
}
