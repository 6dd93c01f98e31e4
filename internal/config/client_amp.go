package config

// amp has a dot in its key: its settings are those of an editor.
var amp = client{
	name: "amp", title: "Amp",
	places: append(user("~/.config/amp/settings.json", "~/.config/amp/settings.jsonc"), project("{project}/.amp/settings.json")...),
	forms:  plainForm,
	root:   []string{"amp.mcpServers"},
}
