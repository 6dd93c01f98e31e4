package main

import "fmt"

// An era of the protocol, as client, servers and raw gateway speak it here.
type era string

const (
	legacy era = "legacy" // 2025-11-25: initialize, then a session
	modern era = "modern" // 2026-07-28: every request stands alone
)

const (
	legacyVersion = "2025-11-25"
	modernVersion = "2026-07-28"
)

func parseEra(s string) (era, error) {
	switch e := era(s); e {
	case legacy, modern:
		return e, nil
	}
	return "", fmt.Errorf("unknown era %q: use legacy or modern", s)
}

// modernMeta is what a modern request carries in its params.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modernVersion +
	`","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

const initializeParams = `{"protocolVersion":"` + legacyVersion + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`

// callParams are the params of tools/call in an era.
func callParams(e era, tool, arguments string) string {
	p := `{"name":"` + tool + `","arguments":` + arguments
	if e == modern {
		p += "," + modernMeta
	}
	return p + "}"
}

// request is a whole JSON-RPC request.
func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}
