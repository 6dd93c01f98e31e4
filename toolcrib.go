// Package toolcrib is a gateway in front of many MCP servers.
//
// The program is cmd/toolcrib; docs/design.md shows how its parts are joined.
// This package holds nothing to import yet: it is where the public API for
// embedding the gateway will be, and everything else is internal.
package toolcrib
