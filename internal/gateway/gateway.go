// Package gateway is the MCP face of toolcrib: what agents see.
//
//	agent ── wire.Incoming ──► Gateway ── call.Request ──► call.Func ──► servers
//	  ▲                          │  route: which server is meant, under which name there
//	  │                          │  bridge: what one protocol era asks and the other answers
//	  └── wire.Back ◄── outbox ──┘  events: what servers say on their own
//
// What agents see is a surface. On passthrough, every tool, prompt, resource,
// template and completion of the servers is shown one to one; with one server behind
// the gateway nothing is renamed, with several, names say which server is meant. On
// the others agents see a few tools of our own (tool_*.go), by which they find,
// read and call those of the servers; everything else is shown as for several.
//
// The gateway holds no connection and decodes no result. It changes a message
// only where it must: a name, an URI, a progress token, or what the agent's
// protocol version demands and the server's does not have.
package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/disclose"
	"toolcrib/internal/script"
	"toolcrib/internal/wire"
)

// Options of a Gateway.
type Options struct {
	Servers Servers   // upstream.Pool in production
	Catalog Catalog   // what they are known to offer
	Call    call.Func // a request to a server, with all that surrounds it
	Log     *slog.Logger
	Version string
	Sealer  *wire.Sealer // nil makes one with a key of its own

	Surface    Surface           // "" is Passthrough; the others need Browser
	AutoTokens int               // of Auto; 0 is DefaultAutoTokens
	Browser    *disclose.Browser // answers what is asked about tools

	// See is how a caller sees what is behind the gateway. It is asked for every
	// request, and the same sight is for the same callers. nil: all see everything.
	See func(call.Caller) *Sight

	// Around surrounds a call that an agent makes by one of our own tools,
	// outermost first: argument checks, first-call docs, long results.
	Around  []call.Middleware
	Inner   []call.Middleware // surrounds a call that a script makes
	Scripts *script.Engine    // runs them; without it there is no execute
	Stored  []StoredScript    // that agents can run by name
	// ScriptLimits are those of a caller's scripts; nil is the defaults. CleanScripts
	// lets only those run that can be seen to call nothing but read-only tools.
	ScriptLimits func(call.Caller) script.Limits
	CleanScripts bool
	Outlines     *call.Outlines // remembers the structure of answers; may be nil
	Results      *call.Results  // keeps results that are too long; may be nil
	Usage        Usage          // counts what is found and called; may be nil
	CallerHeader string         // HTTP header that names a conversation, "" for none
}

// Servers are the servers behind the gateway, as the gateway sees them.
type Servers interface {
	// Names in the order of the configuration.
	Names() []string
	// Hello connects if need be.
	Hello(ctx context.Context, server string, who call.Caller) (*wire.Hello, error)
	// Known is the last Hello, nil if there was none. It connects to nothing.
	Known(server string) *wire.Hello
	// Subscribe and Unsubscribe count who watches a resource.
	Subscribe(ctx context.Context, server, uri string, who call.Caller) error
	Unsubscribe(ctx context.Context, server, uri string, who call.Caller) error
	// RootsChanged tells the servers that have a connection of the session's own.
	RootsChanged(s *wire.Session)
	// ParamHeaders of a tool, as far as it has been listed.
	ParamHeaders(server, tool string) []wire.ParamHeader
}

// A Gateway answers agents. It is a wire.Handler.
type Gateway struct {
	o        Options
	log      *slog.Logger
	parks    *parks
	audience audience
	ending   context.Context
	end      context.CancelFunc
	work     sync.WaitGroup

	standard, lean *toolSet
	all            *Sight   // of whoever may see everything
	sights         sync.Map // all that were used, by themselves
}

// New makes a gateway in front of servers. Close ends it.
func New(o Options) (*Gateway, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Sealer == nil {
		s, err := wire.NewSealer(nil)
		if err != nil {
			return nil, err
		}
		o.Sealer = s
	}
	g := &Gateway{o: o, log: o.Log}
	g.ending, g.end = context.WithCancel(context.Background())
	g.parks = newParks()
	g.all = &Sight{Snapshot: func() *catalog.Snapshot { return g.o.Catalog.Snapshot() }, Browser: o.Browser}
	g.sights.Store(g.all, true)
	g.audience.init(g)
	if o.Surface != Passthrough && o.Surface != "" && o.Browser == nil {
		return nil, fmt.Errorf("surface %s needs a browser", o.Surface)
	}
	g.initTools()
	return g, nil
}

// Close ends what the gateway does on its own account. Requests are the
// transports' to end.
func (g *Gateway) Close() {
	g.end()
	g.parks.close()
	g.work.Wait()
}

// Serve answers one request.
func (g *Gateway) Serve(ctx context.Context, in *wire.Incoming) ([]byte, error) {
	if in.Era == wire.Modern && removed[in.Method] {
		return nil, wire.Errorf(wire.CodeMethodNotFound, "method %s is not part of protocol version %s", in.Method, in.Version)
	}
	switch in.Method {
	case wire.MethodInitialize:
		return g.initialize(ctx, in)
	case wire.MethodDiscover:
		return g.discover(ctx, in)
	case wire.MethodListen:
		if in.Era == wire.Modern {
			return g.listen(ctx, in)
		}
	case wire.MethodSetLevel:
		return g.setLevel(in)
	case wire.MethodSubscribe, wire.MethodUnsubscribe:
		return g.subscribe(ctx, in)
	}
	sight := g.sight(in)
	own := g.own(sight)
	switch {
	case own != nil && in.Method == wire.MethodToolsCall:
		return g.use(ctx, in, own)
	case own != nil && in.Method == wire.MethodResourcesRead:
		if result, err, ok := g.readOwn(ctx, in); ok {
			return result, err
		}
	}
	server, several := g.only(sight)
	if several && listed[in.Method] != "" {
		return g.merged(ctx, in, sight)
	}
	t, err := g.route(in, server, several)
	if err != nil {
		return nil, err
	}
	return g.relay(ctx, in, t)
}

// removed are the methods of the handshake era that the modern one does not have.
var removed = map[string]bool{
	wire.MethodInitialize: true, wire.MethodPing: true, wire.MethodSetLevel: true,
	wire.MethodSubscribe: true, wire.MethodUnsubscribe: true,
}

// caller is who asks.
func caller(in *wire.Incoming) call.Caller {
	who := call.Caller{
		Era:          in.Era,
		Session:      in.Session,
		Subject:      in.Subject,
		Scopes:       in.Scopes,
		ClientInfo:   in.Meta.ClientInfo,
		Capabilities: in.Meta.Capabilities,
		LogLevel:     in.Meta.LogLevel,
		Progress:     in.Meta.ProgressToken,
	}
	if in.Era == wire.Legacy && in.Session != nil {
		who.ClientInfo, who.Capabilities = in.Session.ClientInfo, in.Session.Capabilities
		who.LogLevel = agentOf(in.Session).level()
	}
	return who
}

// ParamHeaders are the arguments of a tool, as agents name it, that HTTP
// headers repeat.
func (g *Gateway) ParamHeaders(_ context.Context, tool string) []wire.ParamHeader {
	if g.own(g.all) != nil {
		return nil // ours repeat nothing
	}
	server, several := g.only(g.all)
	if several {
		t, ok := g.toolShown(g.all, tool)
		if !ok {
			return nil
		}
		server, tool = t.server, t.name
	}
	return g.o.Servers.ParamHeaders(server, tool)
}
