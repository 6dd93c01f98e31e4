package config

// claudeDesktop keeps only servers that it starts itself. From the Windows store
// it reads its file in a directory of its own.
var claudeDesktop = client{
	name: "claude-desktop", title: "Claude Desktop",
	places: append(
		user("{config}/Claude/claude_desktop_config.json"),
		on("windows", UserScope, "{local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json")...,
	),
	write: shape{noRemote: true},
}
