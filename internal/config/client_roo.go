package config

var rooCode = client{
	name: "roo-code", title: "Roo Code",
	places: append(
		user("{config}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
		project("{project}/.roo/mcp.json")...,
	),
	forms: envForm | editorForms,
	unit:  seconds,
	write: shape{remote: typedRemote("streamable-http")},
}
