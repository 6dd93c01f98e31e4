package main

import (
	"fmt"
	"strings"
)

var (
	verbs = []string{"create", "get", "list", "update", "delete", "search", "export", "archive", "share", "validate"}
	nouns = []string{"issue", "invoice", "calendar_event", "pull_request", "container", "dashboard", "contact", "file", "image", "message"}
)

// definition makes a tool of about the size that real ones have: 1.4 KB.
func definition(server, tool int) []byte {
	verb, noun := verbs[tool%len(verbs)], nouns[(tool/len(verbs)+server)%len(nouns)]
	prose := strings.Repeat("One of the values that the service knows of. ", 3)
	return fmt.Appendf(nil, `{"name":"%[1]s_%[2]s_%[3]d","description":"%[1]s %[2]s of the workspace. %[4]s%[4]s","inputSchema":{"type":"object","required":["id"],"properties":{`+
		`"id":{"type":"string","description":"%[4]s"},`+
		`"limit":{"type":"integer","minimum":1,"maximum":100,"default":20,"description":"%[4]s"},`+
		`"filter":{"type":"object","properties":{"field":{"type":"string","enum":["name","state","owner"]},"value":{"type":["string","number"]}}},`+
		`"labels":{"type":"array","items":{"type":"string"},"description":"%[4]s"}},"additionalProperties":false},"annotations":{"readOnlyHint":%[5]t}}`,
		verb, noun, server*1000+tool, prose, verb == "get")
}

// definitions are the tools member of a list.
func definitions(server, tools int) string {
	all := make([]string, tools)
	for i := range all {
		all[i] = string(definition(server, i))
	}
	return `"tools":[` + strings.Join(all, ",") + `]`
}
