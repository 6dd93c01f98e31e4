package config

import "slices"

// vsCode calls them servers, says the type of each, and may ask for inputs, whose
// answers only it knows.
var vsCode = client{
	name: "vscode", title: "VS Code",
	places: slices.Concat(user("{config}/Code/User/mcp.json", "~/.vscode-server/data/User/mcp.json"), project("{project}/.vscode/mcp.json")),
	forms:  envForm | editorForms,
	root:   []string{"servers"},
	write:  shape{entry: typedEntry("stdio"), remote: typedRemote("http")},
}

var vsCodeInsiders = client{
	name: "vscode-insiders", title: "VS Code Insiders",
	places: user("{config}/Code - Insiders/User/mcp.json", "~/.vscode-server-insiders/data/User/mcp.json"),
	forms:  envForm | editorForms,
	root:   []string{"servers"},
	write:  shape{entry: typedEntry("stdio"), remote: typedRemote("http")},
}
