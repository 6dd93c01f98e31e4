package config

// windsurf writes serverUrl for the address of a server.
var windsurf = client{
	name: "windsurf", title: "Windsurf",
	places: user("~/.codeium/windsurf/mcp_config.json", "~/.codeium/mcp_config.json"),
	forms:  envForm,
	write:  shape{remote: keyedRemote("serverUrl")},
}

// antigravity has the same shape beside the files of Gemini.
var antigravity = client{
	name: "antigravity", title: "Antigravity",
	places: user("~/.gemini/antigravity/mcp_config.json"),
	write:  shape{remote: keyedRemote("serverUrl")},
}
