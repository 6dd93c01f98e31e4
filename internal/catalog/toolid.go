package catalog

import "strings"

// A ToolID is our name for a tool: server.tool, both halves Lua identifiers.
type ToolID string

// Split returns the two halves; ok tells whether there are two and both are
// identifiers.
func (id ToolID) Split() (server, tool string, ok bool) {
	server, tool, _ = strings.Cut(string(id), ".")
	return server, tool, wellFormed(server) && wellFormed(tool)
}

// wellFormed is isIdentifier without the bound on the length, which
// freeIdentifier may pass.
func wellFormed(half string) bool {
	if half == "" || half[0] >= '0' && half[0] <= '9' || reserved(half) {
		return false
	}
	return strings.IndexFunc(half, func(r rune) bool { return !identifierRune(r) }) < 0
}
