package config

// amazonQ is the plug-in for editors; its command line is Kiro now.
var amazonQ = client{
	name: "amazon-q", title: "Amazon Q Developer",
	places: append(
		user("~/.aws/amazonq/default.json", "~/.aws/amazonq/mcp.json"),
		project("{project}/.amazonq/default.json", "{project}/.amazonq/mcp.json")...,
	),
	forms: envForm,
	write: shape{remote: typedRemote("http")},
	allowed: append(
		user("~/.aws/amazonq/default.json"),
		project("{project}/.amazonq/default.json")...,
	),
	readAllowed: readAmazonTools,
}
