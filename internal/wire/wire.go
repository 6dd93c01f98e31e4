// Package wire speaks MCP, on both sides of the gateway, and keeps every byte
// that it does not have to understand.
//
//	agents                                                      servers
//	stdio  ─┐                                            ┌─ stdio (child)
//	HTTP   ─┤ Handler <- Incoming   ...   Outgoing -> Link ─ HTTP
//	        └─────────── Back ◄── Receiver ──────────────┴─ HTTP + SSE
//
// A message is parsed just far enough to know what it is: the JSON-RPC envelope
// is decoded, params, results and errors stay the bytes they were. They are
// checked (syntax, UTF-8, depth, doubled or wrongly cased names), so that
// nothing malformed goes further, but they are neither decoded nor written anew:
// a 64-bit integer, an unknown member, the order of keys arrive as they were sent.
//
// Toward agents the package is a server: ServeStdio and HTTPServer hand each
// request to a Handler together with a Back, the way back to whoever asked.
// Toward servers it is a client: a Link carries requests, and a Receiver takes
// what the server sends on its own. Both sides speak both eras, the modern one
// (2026-07-28, every request stands alone) and the legacy ones (a handshake and
// a session).
//
// The package knows nothing of tools, of catalogs, or of which server is meant.
package wire
