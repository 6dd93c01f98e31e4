package toolcrib

import (
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/wrap"
)

// Options of Wrap. The zero value, and nil, give every caller a brief reference
// and add no tools.
type Options struct {
	// Name is what the reference calls the server. Without it, it is "this
	// server". It also helps to infer categories.
	Name string

	// FirstCall is what comes in front of a caller's first result.
	FirstCall FirstCall

	// DiscoveryTools adds search_tools, tool_details, list_tools,
	// list_categories, find_by_tags and get_related_tools to the end of the
	// server's list. They answer as the gateway's tools of these names do. One
	// whose name the server uses itself is left out.
	DiscoveryTools bool

	// Category names the category of a tool. Where it is nil or returns "", the
	// category is what the tool's _meta says, or is inferred. If more than 24
	// are named, they tell nothing, and all are inferred.
	Category func(*mcp.Tool) string

	// CallerHeader is an HTTP header that tells one conversation from another,
	// for agents that send one.
	CallerHeader string

	// Callers remembers who has seen the reference. Share one between servers
	// that are made anew for each request or session; nil makes one for this
	// server.
	Callers *Callers

	// Log gets what goes wrong beside a call. Nil discards it.
	Log *slog.Logger
}

// Callers remembers which callers have seen the reference: the last 10,000 of
// them, each until two hours after its last call. The zero value is ready for
// use.
type Callers struct{ remembered wrap.Callers }

// Wrap adds discovery to a server: a reference in front of the first result of
// each caller, and with [Options.DiscoveryTools] tools to find tools with. It
// works on all transports, and may be called before or after tools are added
// and sessions are opened.
//
// A caller is, in this order: the conversation that an agent names in _meta; what
// [Options.CallerHeader] says; the session, which over standard input and output
// is the connection; the authenticated user with the name of the client. Of
// calls that one caller makes at the same time, exactly one result gets the
// reference.
//
// What the reference and the discovery tools tell a caller is what the server
// itself, and the middlewares that were added to it before, answer to that
// caller's tools/list. A middleware that hides tools is therefore to be added
// before Wrap. A server without tools is left as it is.
//
// It is an error to wrap nil, or a server twice.
func Wrap(server *mcp.Server, options *Options) error {
	if options == nil {
		options = &Options{}
	}
	if !options.FirstCall.known() {
		return fmt.Errorf("toolcrib.Wrap: FirstCall is %q: use FirstCallBrief, FirstCallFull or FirstCallOff", options.FirstCall)
	}
	o := wrap.Options{
		Name: options.Name, Reference: wrap.Brief, Discovery: options.DiscoveryTools,
		Category: options.Category, CallerHeader: options.CallerHeader, Log: options.Log,
	}
	switch options.FirstCall {
	case FirstCallFull:
		o.Reference = wrap.Full
	case FirstCallOff:
		o.Reference = wrap.None
	}
	callers := options.Callers
	if callers == nil {
		callers = &Callers{}
	}
	o.Callers = &callers.remembered
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := wrap.Install(server, o); err != nil {
		return fmt.Errorf("toolcrib.Wrap: %w", err)
	}
	return nil
}
