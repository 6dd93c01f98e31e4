package gateway_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/discovery"
	"toolcrib/internal/gateway"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

// A rig is a whole gateway on a loopback port: real children behind it, real
// HTTP in front.
type rig struct {
	URL     string
	Pool    *upstream.Pool
	Gateway *gateway.Gateway
}

// newRig serves specs until the test ends.
func newRig(t testing.TB, specs ...upstream.Spec) *rig {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("TOOLCRIB_TEST_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	pool, err := upstream.NewPool(&upstream.Options{Log: log, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.Apply(specs); err != nil {
		t.Fatal(err)
	}
	do := call.Chain(pool.Call, call.Deadline(pool.CallTimeout), call.Concurrency(pool.Limit))
	known := knowledge(t, pool, do)
	g, err := gateway.New(gateway.Options{Servers: pool, Catalog: known, Call: do, Log: log, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	known.Watch(func(*catalog.Snapshot) { g.Learned() })
	unwatch := pool.Watch(func(e upstream.Event) {
		if strings.HasSuffix(e.Method, "list_changed") {
			known.Changed(e.Server)
		}
		g.Event(e.Server, e.Method, e.Params, e.Session)
	})
	handler := wire.NewHTTPServer(g, wire.HTTPOptions{Log: log, ParamHeaders: g.ParamHeaders})
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		handler.Close()
		server.Close()
		unwatch()
		g.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		pool.Close(ctx)
		http.DefaultClient.CloseIdleConnections()
	})
	return &rig{URL: server.URL, Pool: pool, Gateway: g}
}

// knowledge keeps the servers' listings, as the product does, until the test ends.
func knowledge(t testing.TB, pool *upstream.Pool, do call.Func) *discovery.Manager {
	var servers []discovery.Server
	for _, name := range pool.Names() {
		servers = append(servers, discovery.Server{Name: name, Identity: pool.Identity(name)})
	}
	m := discovery.New(discovery.Options{
		List: func(ctx context.Context, server string, _ bool) (catalog.Listing, error) {
			return pool.List(ctx, server, do)
		},
		Build: func(l []catalog.Listing) *catalog.Snapshot { return catalog.Build(l, catalog.Rules{}, time.Now()) },
		Live:  pool.Live,
	}, servers, nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); m.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return m
}

// child is the spec of a server process of mcptest.
func child(t testing.TB, name, behaviour string, args ...string) upstream.Spec {
	t.Helper()
	command, arguments, env := mcptest.Command(t, behaviour, args...)
	return upstream.Spec{Name: name, Command: command, Args: arguments, Env: env, ProbeTimeout: 2 * time.Second}
}

// connect is the official SDK's client, the oracle that we speak MCP.
func (r *rig) connect(t testing.TB, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "oracle", Version: "1"}, o)
	transport := &mcp.StreamableClientTransport{Endpoint: r.URL}
	s, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect in %s: %v", version, err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
