package config

import "slices"

// openCode has had two shapes: mcp.NAME with enabled, and mcp.servers.NAME with
// disabled. The command is a list with its arguments.
var openCode = client{
	name: "opencode", title: "opencode",
	places: slices.Concat(
		on("linux", UserScope, "{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"),
		on("darwin", UserScope, "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc"),
		on("windows", UserScope, "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc"),
		project("{project}/opencode.json", "{project}/opencode.jsonc", "{project}/.opencode/opencode.json", "{project}/.opencode/opencode.jsonc"),
	),
	forms: braceForms,
	root:  []string{"mcp"},
	read: func(f *foreign, root *node) {
		mcp := root.child("mcp")
		if second := mcp.child("servers"); second != nil && second.child("type") == nil {
			f.entries(second)
			return
		}
		f.entries(mcp)
	},
	write: shape{entry: func(command string, args []string) *node {
		return part(pair{"type", text("local")}, pair{"command", listOf(append([]string{command}, args...))}, pair{"enabled", boolOf(true)})
	}, remote: func(r remote) *node {
		return part(pair{"type", text("remote")}, pair{"url", text(r.url)}, pair{"headers", r.headers}, pair{"enabled", boolOf(true)})
	}},
}
