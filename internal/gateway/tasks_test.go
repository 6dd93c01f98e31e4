package gateway_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/catalog"
	"toolcrib/internal/gateway"
	"toolcrib/internal/wire"
)

// scripted are servers that exist only as answers. No server at hand speaks
// the tasks extension, so here the other side is a table.
type scripted struct {
	names   []string
	answers map[string]string // by server and method
	got     []string          // server, method, params
}

func (s *scripted) Names() []string { return s.names }
func (s *scripted) Hello(context.Context, string, call.Caller) (*wire.Hello, error) {
	return &wire.Hello{Era: wire.Modern, Capabilities: []byte(`{"tools":{}}`)}, nil
}

func (s *scripted) Known(string) *wire.Hello {
	return &wire.Hello{Capabilities: []byte(`{"tools":{},"tasks":{"list":{}},"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/ui":{"v":1.0}}}`)}
}
func (s *scripted) Subscribe(context.Context, string, string, call.Caller) error   { return nil }
func (s *scripted) Unsubscribe(context.Context, string, string, call.Caller) error { return nil }
func (s *scripted) RootsChanged(*wire.Session)                                     {}
func (s *scripted) ParamHeaders(string, string) []wire.ParamHeader                 { return nil }

func (s *scripted) call(_ context.Context, r *call.Request) ([]byte, error) {
	s.got = append(s.got, r.Server+" "+r.Method+" "+string(r.Params))
	return []byte(s.answers[r.Server+" "+r.Method]), nil
}

// nothing is a catalog that knows of nothing.
type nothing struct{}

func (nothing) Snapshot() *catalog.Snapshot     { return none }
func (nothing) Need(context.Context, ...string) {}
func (nothing) Asked(string)                    {}

var none = catalog.Build(nil, catalog.Rules{}, time.Time{})

type silent struct{}

func (silent) Notify(string, []byte) error { return nil }
func (silent) Request(context.Context, string, []byte) ([]byte, error) {
	return nil, wire.ErrNoRequests
}

// TestTasks relays tasks: with one server untouched, with several by ids that
// say whose they are.
func TestTasks(t *testing.T) {
	servers := &scripted{names: []string{"a", "b"}, answers: map[string]string{
		"b tools/call": `{"resultType":"task","taskId":"t1","status":"working","ttlMs":1.0}`,
		"b tasks/get":  `{"resultType":"complete","taskId":"t1","status":"completed","result":{"x":1e-7}}`,
	}}
	g, err := gateway.New(gateway.Options{Servers: servers, Catalog: nothing{}, Call: servers.call})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	ask := func(method, params string) string {
		result, err := g.Serve(t.Context(), &wire.Incoming{
			Era: wire.Modern, Version: wire.VersionModern, Method: method, Params: []byte(params), Back: silent{},
		})
		if err != nil {
			return err.Error()
		}
		return string(result)
	}
	if got := ask("tools/call", `{"name":"b__run","arguments":{}}`); got != `{"resultType":"task","taskId":"b~t1","status":"working","ttlMs":1.0}` {
		t.Errorf("a started task: %s", got)
	}
	if got := ask("tasks/get", `{"taskId":"b~t1"}`); got != `{"resultType":"complete","taskId":"b~t1","status":"completed","result":{"x":1e-7}}` {
		t.Errorf("a task: %s", got)
	}
	if got := servers.got[len(servers.got)-1]; got != `b tasks/get {"taskId":"t1"}` {
		t.Errorf("the server got %s", got)
	}
	if got := ask("tasks/get", `{"taskId":"t1"}`); !strings.Contains(got, "-32602") {
		t.Errorf("an unknown task: %s", got)
	}
	if got := ask("server/discover", `{}`); !strings.Contains(got, `"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/ui":{"v":1.0}}`) {
		t.Errorf("extensions: %s", got)
	}
	servers.names = []string{"b"}
	if got := ask("tasks/get", `{"taskId":"t1"}`); got != servers.answers["b tasks/get"] {
		t.Errorf("with one server: %s", got)
	}
}

// TestNoServers says what to do when nothing is configured.
func TestNoServers(t *testing.T) {
	servers := &scripted{}
	g, err := gateway.New(gateway.Options{Servers: servers, Catalog: nothing{}, Call: servers.call})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	_, err = g.Serve(t.Context(), &wire.Incoming{Era: wire.Modern, Method: "tools/call", Params: []byte(`{"name":"x"}`), Back: silent{}})
	if err == nil || !strings.Contains(err.Error(), "no server is configured") {
		t.Errorf("got %v", err)
	}
}
