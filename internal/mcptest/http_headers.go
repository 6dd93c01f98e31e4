package mcptest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// checkHeaders says what is wrong with the headers of a modern request, "" if
// nothing is: they must repeat the body.
func checkHeaders(g *good, header http.Header, r *request) string {
	if got := header.Get("MCP-Protocol-Version"); got != r.version {
		return fmt.Sprintf("MCP-Protocol-Version is %q, the body says %q", got, r.version)
	}
	if got := header.Get("Mcp-Method"); got != r.method {
		return fmt.Sprintf("Mcp-Method is %q, the body says %q", got, r.method)
	}
	name := ""
	switch r.method {
	case "tools/call", "prompts/get":
		name = r.text("name")
	case "resources/read":
		name = r.text("uri")
	case "tasks/get", "tasks/update", "tasks/cancel":
		name = r.text("taskId")
	default:
		return ""
	}
	if got, err := headerText(header.Get("Mcp-Name")); err != nil || got != name {
		return fmt.Sprintf("Mcp-Name is %q, the body says %q", header.Get("Mcp-Name"), name)
	}
	if r.method == "tools/call" {
		return checkParamHeaders(g, header, r, name)
	}
	return ""
}

// checkParamHeaders looks at Mcp-Param-*, the copies of arguments whose schema
// has x-mcp-header.
func checkParamHeaders(g *good, header http.Header, r *request, name string) string {
	var arguments map[string]json.RawMessage
	_ = json.Unmarshal(r.params["arguments"], &arguments)
	for _, t := range g.tools {
		if t.name != name {
			continue
		}
		for param, schema := range t.params {
			o, _ := schema.(object)
			key, _ := o["x-mcp-header"].(string)
			if key == "" {
				continue
			}
			key = "Mcp-Param-" + key
			var want string
			sent := json.Unmarshal(arguments[param], &want) == nil
			got, err := headerText(header.Get(key))
			if err != nil || got != want || sent != (len(header.Values(key)) > 0) {
				return fmt.Sprintf("%s is %q, the argument is %q", key, header.Values(key), want)
			}
		}
	}
	return ""
}

// headerText decodes a value that may be wrapped as =?base64?...?=.
func headerText(v string) (string, error) {
	inner, ok := strings.CutPrefix(v, "=?base64?")
	if !ok || !strings.HasSuffix(inner, "?=") {
		return v, nil
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	return string(b), err
}

// accepts says whether a client takes both kinds of answers, as it must.
func accepts(header http.Header) bool {
	all := strings.Join(header.Values("Accept"), ",")
	return strings.Contains(all, "application/json") && strings.Contains(all, "text/event-stream")
}
