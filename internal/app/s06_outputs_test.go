package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/web"
)

// A leaking gateway has secrets, and servers that tell them.
type leaking struct {
	t *testing.T
	c config.Config
	o Options
	s *serving
}

// outputsOfAGateway are all ways by which something comes out of it, besides its logs,
// traces and files. Each says what came out where; another way is another function here.
var outputsOfAGateway = []func(l *leaking, add func(where, text string)){
	toldToAgents, shownToPeople, askedOverHTTP, answeredByTheAPI, shownOnPages,
}

func toldToAgents(l *leaking, add func(where, text string)) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		session := l.s.agent(version, nil)
		add("agent "+version+" greeted", fmt.Sprint(session.InitializeResult()))
		for _, call := range []struct {
			name string
			args map[string]any
		}{
			{"list_servers", nil},
			{"list_tools", map[string]any{"detail_level": "full"}},
			{"call_tool", map[string]any{"tool": "talker.leak", "arguments": map[string]any{}}},
			{"execute", map[string]any{"script": "local v, err = talker.leak({}):try(); print(err); result(tostring(err))", "ledger": true}},
			{"execute", map[string]any{"script": "result(talker.leak({}):await())"}},
			{"inspect_tool_response", map[string]any{"tool": "talker.leak", "allow_side_effects": true}},
			{"tool_details", map[string]any{"tools": "talker.leak"}},
			{"search_tools", map[string]any{"query": "leak"}},
			{"list_server_tools", map[string]any{"server": "dies"}},
		} {
			result, err := session.CallTool(l.t.Context(), &mcp.CallToolParams{Name: call.name, Arguments: call.args})
			raw, _ := json.Marshal(result)
			add("agent "+version+" "+call.name, fmt.Sprint(string(raw), err))
		}
		for _, server := range l.c.Servers {
			_, err := session.ReadResource(l.t.Context(), &mcp.ReadResourceParams{URI: "toolcrib://" + server.Name + "/file:///x"})
			add("agent "+version+" reads "+server.Name, fmt.Sprint(err))
		}
	}
}

func shownToPeople(l *leaking, add func(where, text string)) {
	in, err := Inspect(l.c, l.o)
	if err != nil {
		l.t.Fatal(err)
	}
	told, err := in.Refresh(l.t.Context(), nil, RefreshOptions{Timeout: 2 * time.Second})
	for _, one := range told {
		add("refresh", fmt.Sprintf("%+v %v\n", one, one.Failure))
	}
	add("refresh", fmt.Sprint(err))
	for _, state := range in.Servers(in.Snapshot()) {
		if state.Known != nil {
			add("servers", fmt.Sprintf("%+v %+v\n", state, state.Known.Failure()))
		}
	}
	for _, server := range l.c.Servers {
		d, err := Discover(l.t.Context(), server, l.o, DiscoverOptions{Timeout: 500 * time.Millisecond, Raw: true})
		add("discover "+server.Name, fmt.Sprint(err))
		if d != nil {
			add("discover "+server.Name, fmt.Sprintf("%s %s %+v %+v", d.Stdout, d.Stderr, d.Failure, d.Notes))
			for _, tool := range d.Server.Tools() {
				add("discover "+server.Name, string(tool.Raw()))
			}
		}
	}
	add("config show", l.c.YAML()+l.c.JSON())
}

func askedOverHTTP(l *leaking, add func(where, text string)) {
	for _, path := range []string{"/readyz", "/healthz", "/metrics"} {
		_, body, header := l.s.do("GET", path, "")
		add(path, fmt.Sprint(body, header))
	}
}

// answeredByTheAPI asks for everything that is documented, and for what changes nothing
// but the server that is asked.
func answeredByTheAPI(l *leaking, add func(where, text string)) {
	doc := l.s.documented()
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			op := doc.Paths[path][method]
			if op.OperationID == "events" { // it does not end
				continue
			}
			ids := []string{"talker.leak"}
			if op.OperationID == "getActivity" {
				ids = []string{"1", "2", "3", "4", "5", "6", "7", "8"}
			}
			for _, id := range ids {
				for _, server := range l.c.Servers {
					at := strings.NewReplacer("{name}", url.PathEscape(server.Name), "{id}", url.PathEscape(id)).Replace(path)
					_, body, header := l.s.do(strings.ToUpper(method), at+map[string]string{"search": "?q=leak"}[op.OperationID], map[string]string{"callTool": `{"arguments":{}}`}[op.OperationID])
					add(strings.ToUpper(method)+" "+path, fmt.Sprint(body, header))
					if method != "get" || !strings.Contains(path, "{name}") {
						break // once is enough
					}
				}
			}
		}
	}
	_, body, _ := l.s.do("GET", web.Root+"/activity?size=100", "")
	add("GET "+web.Root+"/activity", body)
}

func shownOnPages(l *leaking, add func(where, text string)) {
	paths := []string{"/", "/servers", "/catalog", "/catalog?q=leak", "/tools/talker.leak", "/activity", "/activity/1", "/trust", "/config", "/login", "/nothing"}
	for _, server := range l.c.Servers {
		paths = append(paths, "/servers/"+server.Name)
	}
	for _, path := range paths {
		_, body, header := l.s.do("GET", path, "", "Accept", "text/html", "Sec-Fetch-Site", "none")
		add("GET "+path, fmt.Sprint(body, header))
	}
}
