package config

import (
	"regexp"
	"slices"
)

// continueDev has a list of servers with names, in one file or one file each.
var continueDev = client{
	name: "continue", title: "Continue",
	places: slices.Concat(user("~/.continue/config.yaml"), project("{project}/.continue/mcpServers/*.yaml", "{project}/.continue/mcpServers/*.json")),
	forms:  plainForm,
	read:   readContinue,
	write: shape{list: true, variable: "${{ secrets.NAME }}", remote: func(r remote) *node {
		return part(pair{"type", text("streamable-http")}, pair{"url", text(r.url)}, pair{"requestOptions", part(pair{"headers", r.headers})})
	}},
}

// continueSecret is how Continue writes a variable.
var continueSecret = regexp.MustCompile(`\$\{\{\s*(?:secrets|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)

func readContinue(f *foreign, root *node) {
	servers := root.child("mcpServers")
	servers.rewrite(func(text string) string { return continueSecret.ReplaceAllString(text, "$${$1}") })
	if servers == nil {
		return
	}
	for _, item := range servers.items {
		if headers := item.child("requestOptions").child("headers"); headers != nil {
			item.set("headers", headers)
		}
	}
	f.entries(servers)
}
