package config

import "slices"

// zed keeps servers in its settings, among everything else, as context_servers.
// Older entries have the command as a mapping of its own.
var zed = client{
	name: "zed", title: "Zed",
	places: slices.Concat(
		on("linux", UserScope, "{config}/zed/settings.json"),
		on("darwin", UserScope, "~/.config/zed/settings.json"),
		on("windows", UserScope, "{config}/Zed/settings.json"),
		project("{project}/.zed/settings.json"),
	),
	root: []string{"context_servers"},
	entry: func(_ *foreign, s *draft) bool {
		// An extension of Zed's own brings its server along.
		return s.Command != "" || s.URL != ""
	},
	write: shape{entry: func(command string, args []string) *node {
		return part(pair{"source", text("custom")}, pair{"command", text(command)}, pair{"args", texts(args)})
	}, remote: func(r remote) *node {
		return part(pair{"source", text("custom")}, pair{"url", text(r.url)}, pair{"headers", r.headers})
	}},
}
