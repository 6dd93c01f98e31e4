package config

// cline moved its file out of VS Code's; the old one is still read.
var cline = client{
	name: "cline", title: "Cline",
	places: user(
		"~/.cline/data/settings/cline_mcp_settings.json",
		"{config}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
	),
	forms: envForm,
	unit:  seconds,
	write: shape{remote: typedRemote("streamableHttp")},
}
