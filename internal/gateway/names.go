package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// How things of several servers are called.
const (
	toolMark  = "__"          // github__create_issue
	taskMark  = "~"           // github~<task id>
	uriScheme = "toolcrib://" // toolcrib://github/<original uri>

	// maxToolName is what model services accept of a tool's name.
	maxToolName = 64
)

// toolName is what we call a server's tool. One that is too long keeps its
// beginning and ends in a hash of the whole, so that it can be no other's.
func toolName(server, tool string) string {
	name := toolPrefix(server) + tool
	if len(name) <= maxToolName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	cut := maxToolName - 9
	for cut > 0 && name[cut]&0xC0 == 0x80 { // not inside a character
		cut--
	}
	return name[:cut] + "_" + hex.EncodeToString(sum[:4])
}

// toolPrefix holds only characters that model services accept.
func toolPrefix(server string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, server)
	return clean + toolMark
}

// splitTool undoes toolName for names that were not shortened. Of two servers
// that fit, the longer name is meant.
func splitTool(servers []string, shown string) (server, tool string, ok bool) {
	for _, s := range servers {
		if rest, fits := strings.CutPrefix(shown, toolPrefix(s)); fits && len(s) > len(server) && toolName(s, rest) == shown {
			server, tool, ok = s, rest, true
		}
	}
	return server, tool, ok
}

func promptName(server, prompt string) string { return server + "." + prompt }

func splitPrompt(servers []string, shown string) (server, prompt string, ok bool) {
	for _, s := range servers {
		if rest, fits := strings.CutPrefix(shown, s+"."); fits && len(s) > len(server) {
			server, prompt, ok = s, rest, true
		}
	}
	return server, prompt, ok
}

func resourceURI(server, uri string) string { return uriScheme + server + "/" + uri }

func splitURI(servers []string, shown string) (server, uri string, ok bool) {
	rest, ours := strings.CutPrefix(shown, uriScheme)
	if !ours {
		return "", "", false
	}
	for _, s := range servers {
		if u, fits := strings.CutPrefix(rest, s+"/"); fits && len(s) > len(server) {
			server, uri, ok = s, u, true
		}
	}
	return server, uri, ok
}

func contains(names []string, name string) bool { return slices.Contains(names, name) }
