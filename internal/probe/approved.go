package probe

import (
	"fmt"
	"strings"

	"toolcrib/internal/catalog"
)

// ApprovedNames are the tools of one server that entries of clients' lists name.
// The forms in use:
//
//	get_weather                  a list that belongs to the server (autoApprove, alwaysAllow, includeTools, enabled_tools)
//	mcp__weather__get_weather    permissions.allow, where all servers share one list
//	weather:get_weather          mcpAllowlist
//
// An entry of another server, a pattern and "*" name nothing.
func ApprovedNames(server string, entries []string) []string {
	var names []string
	seen := map[string]bool{}
	for _, e := range entries {
		name, ok := approvedName(server, e)
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		if names = append(names, name); len(names) == maxTools {
			break
		}
	}
	return names
}

func approvedName(server, entry string) (string, bool) {
	name := strings.TrimSpace(entry)
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if name, ok = cutServer(server, rest, "__"); !ok {
			return "", false
		}
	} else if of, _, ok := strings.Cut(name, ":"); ok && plainName.MatchString(of) {
		if name, ok = cutServer(server, name, ":"); !ok {
			return "", false
		}
	}
	if !validName(name) || strings.ContainsAny(name, `*?[]{}()<>|^$\"'`+"`") {
		return "", false
	}
	return name, true
}

// cutServer removes the server's name in front of a tool's. Clients write other
// characters of it as underscores. A tool may have the separator in its name,
// so the server's is compared, not searched for.
func cutServer(server, entry, separator string) (string, bool) {
	if server == "" {
		_, tool, ok := strings.Cut(entry, separator)
		return tool, ok
	}
	for _, written := range []string{server, folded(server)} {
		n := len(written)
		if len(entry) > n && folded(entry[:n]) == folded(server) {
			return strings.CutPrefix(entry[n:], separator)
		}
	}
	return "", false
}

// folded is a server's name in the form in which two spellings of it are equal.
func folded(server string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, server)
}

// approved is the rung of approved names.
func approved(server string, entries []string) ([]catalog.Found, string) {
	var tools []catalog.Found
	for _, name := range ApprovedNames(server, entries) {
		tools = append(tools, catalog.Found{
			Raw:        definition{name: name}.raw(),
			Provenance: catalog.ApprovedName,
			Confidence: confidenceApproved,
		})
	}
	switch {
	case len(tools) > 0:
		return tools, fmt.Sprintf("%d named by clients' files", len(tools))
	case len(entries) > 0:
		return nil, fmt.Sprintf("%d entries that name no tool of this server", len(entries))
	}
	return nil, "no client's file approves a tool of this server"
}
