package config

import "slices"

// geminiCLI tells the two transports apart by key: url is SSE, httpUrl is
// Streamable HTTP. mcp.allowed and mcp.excluded name servers that are in use.
var geminiCLI = client{
	name: "gemini-cli", title: "Gemini CLI",
	places: slices.Concat(
		user("~/.gemini/settings.json"),
		project("{project}/.gemini/settings.json"),
		on("linux", SystemScope, "/etc/gemini-cli/settings.json"),
		on("darwin", SystemScope, "/Library/Application Support/GeminiCli/settings.json"),
		on("windows", SystemScope, "{ProgramData}/gemini-cli/settings.json"),
	),
	forms: dollarForm,
	read: func(f *foreign, root *node) {
		f.entries(root.child("mcpServers"))
		allowed, excluded := root.child("mcp").child("allowed"), root.child("mcp").child("excluded").texts()
		for i, s := range f.out {
			if slices.Contains(excluded, s.Name) || allowed != nil && !slices.Contains(allowed.texts(), s.Name) {
				f.out[i].Disabled = true
			}
		}
	},
	write: shape{remote: keyedRemote("httpUrl")},
	entry: func(_ *foreign, s *draft) bool {
		if s.node.child("url") != nil && s.node.child("httpUrl") == nil && s.word == "" {
			s.word = "sse"
		}
		return true
	},
}
