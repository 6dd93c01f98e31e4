// Package toolcrib hands the tools of MCP servers to AI agents, one at a time.
//
// An agent that is shown a thousand tools pays for all of them before it has done
// anything, and picks the wrong one. This package is for Go programs that want to
// do better. There are two ways to use it.
//
// # A server of your own: Wrap
//
// You have written an MCP server with the official Go SDK,
// github.com/modelcontextprotocol/go-sdk. One line adds discovery to it:
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "wiki", Version: "1.0.0"}, nil)
//	mcp.AddTool(server, &mcp.Tool{Name: "search_pages", Description: "..."}, searchPages)
//	err := toolcrib.Wrap(server, nil)
//
// From then on the first result that an agent gets from any of your tools begins
// with one more block of text: a short reference of all tools, by category. What
// your tool returned follows it, as it was. Later results are not touched, and
// neither are your tools, their names, schemas and handlers. With
// [Options.DiscoveryTools] the server also lists tools by which agents search it:
// search_tools, tool_details and four more.
//
// Categories are inferred from names and descriptions. A tool that knows better
// says so in its _meta:
//
//	&mcp.Tool{Name: "search_pages", Meta: mcp.Meta{"category": "wiki"}}
//
// # Many servers: New
//
// [New] is the gateway of the toolcrib command inside your own program: one MCP
// endpoint in front of any number of servers, which are started when they are
// needed and stopped when they are not.
//
//	gateway, err := toolcrib.New(ctx, &toolcrib.GatewayOptions{
//		Servers: []toolcrib.Server{
//			{Name: "files", Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-filesystem", "."}},
//			{Name: "issues", URL: "https://mcp.example.com/mcp"},
//		},
//	})
//	http.Handle("/mcp", gateway.Handler())
//
// Agents see a few tools by which they find, read and call all others.
//
// Both ways work with agents of either generation of the protocol: 2026-07-28,
// and those before it. docs/library.md has complete programs, and docs/design.md
// shows how the parts are joined.
package toolcrib

// FirstCall is what comes in front of the first result that a caller gets.
type FirstCall string

// What may come with it. The empty value is FirstCallBrief.
const (
	FirstCallBrief FirstCall = "brief" // categories, and names of tools: at most 700 tokens
	FirstCallFull  FirstCall = "full"  // every tool, with what it does
	FirstCallOff   FirstCall = "off"   // nothing
)

func (f FirstCall) known() bool {
	switch f {
	case "", FirstCallBrief, FirstCallFull, FirstCallOff:
		return true
	}
	return false
}
