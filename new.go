package toolcrib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"

	"toolcrib/internal/app"
	"toolcrib/internal/config"
)

// GatewayOptions of New. It needs servers, from Config or in Servers or both;
// everything else may be left out.
type GatewayOptions struct {
	// Config is a configuration file, as "toolcrib serve --config" reads it.
	Config string

	// Servers are served besides those of the file.
	Servers []Server

	// Surface is what agents see, FirstCall what comes with their first call.
	// If they are empty, the file decides, and without one the defaults.
	Surface   Surface
	FirstCall FirstCall

	// StateDir is where listings of servers are kept, so that the next start
	// need not wait for them. Empty keeps them in memory.
	StateDir string

	// Authenticate says who sends an HTTP request, or why that one may not: any
	// error is answered with 401. Whoever gets past it can use every tool.
	// Without it, Handler answers requests from this machine alone.
	Authenticate func(*http.Request) (subject string, err error)

	// AllowedHosts and AllowedOrigins are names in Host and Origin headers that
	// Handler accepts besides loopback ones and those of the file.
	AllowedHosts, AllowedOrigins []string

	// Log gets what the gateway has to say. Nil discards it.
	Log *slog.Logger
}

// A Server is an MCP server behind the gateway: a command that is run, or an
// address. A configuration file can say more about one.
type Server struct {
	Name string // agents call its tools Name.tool

	Command string            // a server on standard input and output
	Args    []string          //
	Env     map[string]string // besides the few variables that every server gets
	Dir     string            // where it runs; empty: where this program does

	URL     string            // a server over HTTP
	Headers map[string]string // sent with every request
}

// Surface is the set of tools that agents see.
type Surface string

// The surfaces. The empty value is SurfaceStandard.
const (
	SurfaceStandard    Surface = "standard"    // tools to find, read and call all others
	SurfaceLean        Surface = "lean"        // the four of them that are enough
	SurfacePassthrough Surface = "passthrough" // every tool of every server, one to one
	SurfaceAuto        Surface = "auto"        // passthrough while that is small, else standard
)

// A Gateway is one MCP endpoint in front of many servers. All its methods may be
// used at the same time.
type Gateway struct {
	app     *app.App
	handler *app.Handler
}

// New opens a gateway. It does not wait for its servers: one that cannot be
// started is reported to agents that ask for it. When ctx ends, the gateway is
// cut short; Close ends it in order.
func New(ctx context.Context, options *GatewayOptions) (*Gateway, error) {
	if options == nil {
		options = &GatewayOptions{}
	}
	c, err := options.configuration()
	if err != nil {
		return nil, fmt.Errorf("toolcrib.New: %w", err)
	}
	a, err := app.Open(ctx, c, app.Options{Log: options.Log, Version: version(), StateDir: options.StateDir})
	if err != nil {
		return nil, fmt.Errorf("toolcrib.New: %w", err)
	}
	return &Gateway{app: a, handler: a.Handler(app.HandlerOptions{
		Authenticate: options.Authenticate, AllowedHosts: options.AllowedHosts, AllowedOrigins: options.AllowedOrigins,
	})}, nil
}

// configuration is what a file with all of it would say.
func (o *GatewayOptions) configuration() (c config.Config, err error) {
	if o.Config != "" {
		if c, err = config.Load(o.Config); err != nil {
			return c, err
		}
	}
	for _, s := range o.Servers {
		if _, twice := c.Server(s.Name); twice {
			return c, fmt.Errorf("two servers are called %q: rename one of them", s.Name)
		}
		c.Servers = append(c.Servers, config.Server{
			Name: s.Name, Command: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir, URL: s.URL, Headers: s.Headers,
		})
	}
	if len(c.Servers) == 0 {
		return c, errors.New("there are no servers: name some in Servers, or a file that does in Config")
	}
	switch o.Surface {
	case "":
	case SurfaceStandard, SurfaceLean, SurfacePassthrough, SurfaceAuto:
		c.Disclosure.Surface = config.Surface(o.Surface)
	default:
		return c, fmt.Errorf("there is no surface %q: use one of the constants SurfaceStandard, SurfaceLean, SurfacePassthrough, SurfaceAuto", o.Surface)
	}
	if !o.FirstCall.known() {
		return c, fmt.Errorf("FirstCall is %q: use FirstCallBrief, FirstCallFull or FirstCallOff", o.FirstCall)
	}
	if o.FirstCall != "" {
		c.Disclosure.FirstCall = config.FirstCall(o.FirstCall)
	}
	return c, nil
}

// Handler is the endpoint for agents over HTTP, in both generations of the
// protocol, to be put at a path of your choice. It is the same one each time.
func (g *Gateway) Handler() http.Handler { return g.handler }

// ServeStdio serves one agent until it closes in or ctx ends; its running calls
// may finish first. For most programs in and out are os.Stdin and os.Stdout, and
// then nothing else may write to out.
func (g *Gateway) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return g.app.ServeStdio(ctx, in, out)
}

// Close takes nothing new, lets running calls finish until ctx ends, and ends
// all servers. An http.Server that uses Handler is shut down after it, because
// agents keep streams open until then; an agent of ServeStdio is let go by the
// context of that.
func (g *Gateway) Close(ctx context.Context) error {
	g.handler.Close(ctx)
	return g.app.Close(ctx)
}

// version is that of this module in the program it is part of.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == "toolcrib" && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "devel"
}
