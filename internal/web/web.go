// Package web shows the gateway to people and programs: a REST interface under
// /api/v1, events as they happen, and the pages that are made of the same.
//
//	browser ── page ──┐
//	                  ├── entrance: who asks ──► route ──► Source ──► what a caller may see
//	program ── API ───┘                                      │
//	         ◄── events, server-sent ◄── Feed ◄──────────────┘
//
// The package knows HTTP and nothing of servers. Whatever it shows comes from a
// Source, which is asked in the name of a Caller and answers with what that caller's
// agent would be told: nobody sees more here than by MCP. A value of model*.go is an
// answer of the interface and what a page is rendered from, and the OpenAPI file is
// made of the same types and of the table of routes.
//
// Reading changes nothing. What does something, listing a server anew, calling a tool,
// approving a definition, is there only where the configuration says so, and no path
// adds a server or alters how one is started or reached. What counts for all agents is
// decided by whoever shows a key that agents are not given.
package web
