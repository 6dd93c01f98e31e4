package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/config"
	"toolcrib/internal/wire"
)

// agent is the official SDK's client in one protocol version.
func (s *serving) agent(version string, o *mcp.ClientOptions, header ...string) *mcp.ClientSession {
	s.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "oracle", Version: "1"}, o)
	transport := &mcp.StreamableClientTransport{Endpoint: s.url + Endpoint}
	if len(header) == 2 {
		transport.HTTPClient = &http.Client{Transport: withHeader{header[0], header[1]}}
	}
	session, err := client.Connect(s.t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		s.t.Fatalf("connect in %s: %v", version, err)
	}
	s.t.Cleanup(func() { session.Close() })
	return session
}

type withHeader struct{ name, value string }

func (h withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(h.name, h.value)
	return http.DefaultTransport.RoundTrip(r)
}

// use calls one of our tools and returns its texts.
func use(t *testing.T, session *mcp.ClientSession, tool string, arguments any) (texts []string, failed bool) {
	t.Helper()
	if arguments == nil {
		arguments = map[string]any{}
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, block := range result.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		} else {
			raw, _ := json.Marshal(block)
			texts = append(texts, string(raw))
		}
	}
	return texts, result.IsError
}

type arguments = map[string]any

var bothEras = []string{wire.VersionModern, wire.Version202511}

// TestStandardSurface walks an agent through all our tools, in both eras.
func TestStandardSurface(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff}, Servers: []config.Server{
		server(t, "alpha", "good"), server(t, "beta two", "legacy"),
		{Name: "gone", Type: config.Stdio, Command: "no-such-program"},
		{Name: "off", Type: config.Stdio, Command: "x", Disabled: true},
	}}, Options{StateDir: t.TempDir()})
	s.app.known.Refresh(t.Context()) // an agent that comes first may be greeted before all are known
	for _, era := range bothEras {
		t.Run(era, func(t *testing.T) {
			a := s.agent(era, nil)
			list, err := a.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 11 {
				t.Fatalf("%d tools, %v", len(list.Tools), err)
			}
			if text := a.InitializeResult().Instructions; !strings.Contains(text, "alpha") || !strings.Contains(text, "beta_two") {
				t.Errorf("instructions: %s", text)
			}
			for _, c := range []struct {
				tool   string
				with   arguments
				failed bool
				wants  []string
			}{
				{"list_servers", nil, false, []string{`"lua":"beta_two"`, `"name":"off"`, `"disabled"`, "no-such-program"}},
				{"list-servers", arguments{"sausage": 1}, false, []string{`"ignored":["sausage"]`}},
				{"list_server_tools", arguments{"luaServerName": "beta_two"}, false, []string{"beta_two.echo", `"total_pages":1`}},
				{"list_server_tools", arguments{"server": "alhpa"}, true, []string{`"nearest":["alpha"]`, "list_servers"}},
				{"list_server_tools", arguments{"server": "off"}, true, []string{"disabled"}},
				{"tool_details", arguments{"tools": "alpha.add"}, false, []string{`"parameters"`, `alpha.add({a = `}},
				{"tool_details", arguments{"server": "beta two", "tool_name": "echo"}, false, []string{`"beta_two.echo"`}},
				{"tool_details", arguments{"tools": []string{"alpha.echo", "beta_two.add"}}, false, []string{"alpha.echo", "beta_two.add"}},
				{"tool_details", arguments{"tools": "alpha.ehco"}, true, []string{`"nearest":["alpha.echo"`}},
				{"tool_details", nil, true, []string{"no tool is named"}},
				{"search_tools", arguments{"query": "echo"}, false, []string{"alpha.echo", `"verdict":"found"`, `"relevance":`}},
				{"search_tools", arguments{"query": "echo", "server": "beta_two", "maxResults": "1"}, false, []string{"beta_two.echo", `"shown":1`}},
				{"search_tools", arguments{"query": ""}, true, []string{"empty"}},
				{"list_tools", arguments{"page_size": 3, "page": 2}, false, []string{`"has_prev":true`, `"page":2`}},
				{"list_tools", arguments{"detail_level": "full", "server": "alpha"}, false, []string{`"schema":{`}},
				{"list_tools", arguments{"detail_level": "loud"}, true, []string{"minimal or brief or full"}},
				{"list_categories", nil, false, []string{`"categories"`, `"count"`}},
				{"find_by_tags", arguments{"tags": "read-only,echo", "match_mode": "any"}, false, []string{`"tags":[`}},
				{"get_related_tools", arguments{"tool_name": "alpha.add"}, false, []string{`"relationship"`}},
				{"call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": 2, "b": 3}}, false, []string{"5"}},
				{"call_tool", arguments{"tool": "alpha.add", "arguments": `{"a":2,"b":4}`}, false, []string{"6"}},
				{"call_tool", arguments{"server": "beta two", "tool": "echo", "args": arguments{"text": "x"}}, false, []string{"x"}},
				{"call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": "two"}}, true, []string{"missing required", `"schema":{`, "Call it again"}},
				{"call_tool", arguments{"tool": "alpha.nosuch", "arguments": arguments{}}, true, []string{`"nearest"`, "list_server_tools"}},
				{"inspect_tool_response", arguments{"tool": "alpha.add", "sample_args": arguments{"a": 1, "b": 2}}, false, []string{`"structure"`}},
				{"inspect_tool_response", arguments{"tool": "alpha.count"}, true, []string{"allow_side_effects"}},
				{"execute", arguments{"script": "local h = alpha.add({a=1,b=2}) local v = h:await() return {sum = v, again = beta_two.echo({text='hi'}):await()}"}, false, []string{"hi"}},
				{"execute", arguments{"script": "alpha.add({a=1})", "dry_run": true}, false, []string{`"tool":"add"`}},
				{"execute", arguments{"script": "while true do end"}, true, []string{"cpu_limit"}},
				{"alpha.echo", arguments{"text": "directly"}, false, []string{"directly"}},
			} {
				texts, failed := use(t, a, c.tool, c.with)
				text := strings.Join(texts, "\n")
				if failed != c.failed {
					t.Errorf("%s %v: failed is %t: %s", c.tool, c.with, failed, text)
				}
				for _, want := range c.wants {
					if !strings.Contains(text, want) {
						t.Errorf("%s %v: no %q in %s", c.tool, c.with, want, text)
					}
				}
			}
			if _, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "nosuch"}); err == nil || !strings.Contains(err.Error(), "search_tools") {
				t.Errorf("an unknown tool: %v", err)
			}
		})
	}
}

// A server that asks the agent something in the course of a call is answered, by
// whichever of our tools it was called.
func TestQuestionsThroughCallTool(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Servers: []config.Server{server(t, "old", "legacy"), server(t, "new", "modern")}}, Options{StateDir: t.TempDir()})
	answers := &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
	}}
	for _, era := range bothEras {
		for _, server := range []string{"old", "new"} {
			t.Run(era+" "+server, func(t *testing.T) {
				a := s.agent(era, answers)
				texts, failed := use(t, a, "call_tool", arguments{"tool": server + ".elicit", "arguments": arguments{}})
				if failed || !strings.Contains(strings.Join(texts, ""), "Ada") {
					t.Errorf("%v", texts)
				}
			})
		}
	}
}

const referenceMark = "[toolcrib: reference"

func references(texts []string) int {
	n := 0
	for _, text := range texts {
		n += strings.Count(text, referenceMark)
	}
	return n
}

// Whose first call it is, and what it carries.
func TestFirstCall(t *testing.T) {
	t.Parallel()
	echo := arguments{"tool": "one.echo", "arguments": arguments{"text": "hello"}}
	one := func(t *testing.T, d config.Disclosure) *serving {
		return serveHTTP(t, config.Config{HTTP: openHTTP, Disclosure: d, Servers: []config.Server{server(t, "one", "good")}}, Options{StateDir: t.TempDir()})
	}
	first := func(t *testing.T, a *mcp.ClientSession, want int) {
		t.Helper()
		texts, _ := use(t, a, "call_tool", echo)
		if references(texts) != want {
			t.Errorf("%d references, want %d: %v", references(texts), want, texts)
		}
		if want > 0 && (len(texts) != 2 || !strings.HasPrefix(texts[0], referenceMark) || texts[1] != "hello") {
			t.Errorf("not in front of what was there: %q", texts)
		}
	}
	usual := one(t, config.Disclosure{})
	t.Run("once for each session", func(t *testing.T) {
		for range 3 {
			a := usual.agent(wire.Version202511, nil)
			use(t, a, "search_tools", arguments{"query": "echo"}) // no call of a tool
			first(t, a, 1)
			first(t, a, 0)
		}
	})
	t.Run("not with what failed to be called", func(t *testing.T) {
		a := usual.agent(wire.Version202511, nil)
		for _, bad := range []arguments{{"tool": "one.nosuch"}, {"tool": "one.add", "arguments": arguments{}}} {
			if texts, failed := use(t, a, "call_tool", bad); !failed || references(texts) != 0 {
				t.Errorf("%v", texts)
			}
		}
		first(t, a, 1)
	})
	t.Run("with an error of the tool", func(t *testing.T) {
		a := usual.agent(wire.Version202511, nil)
		if texts, failed := use(t, a, "call_tool", arguments{"tool": "one.fail", "arguments": arguments{}}); !failed || references(texts) != 1 {
			t.Errorf("failed is %t: %v", failed, texts)
		}
	})
	t.Run("with a script", func(t *testing.T) {
		a := usual.agent(wire.Version202511, nil)
		texts, _ := use(t, a, "execute", arguments{"script": "return one.echo({text='hi'}):await()"})
		if references(texts) != 1 || !strings.Contains(strings.Join(texts[1:], ""), "hi") {
			t.Errorf("%v", texts)
		}
		first(t, a, 0)
	})
	t.Run("by header", func(t *testing.T) {
		s := one(t, config.Disclosure{CallerHeader: "X-Client-Id"})
		a, b := s.agent(wire.VersionModern, nil, "X-Client-Id", "a"), s.agent(wire.VersionModern, nil, "X-Client-Id", "b")
		first(t, a, 1)
		first(t, a, 0)
		first(t, b, 1)
		first(t, s.agent(wire.VersionModern, nil, "X-Client-Id", "a"), 0)
	})
	t.Run("by conversation", func(t *testing.T) {
		a := usual.agent(wire.Version202511, nil)
		for i, want := range []int{1, 0, 1} {
			result, err := a.CallTool(t.Context(), &mcp.CallToolParams{
				Meta: mcp.Meta{"threadId": fmt.Sprint("thread", i/2)}, Name: "call_tool", Arguments: echo,
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(result.Content) - 1; got != want {
				t.Errorf("call %d has %d references, want %d", i, got, want)
			}
		}
	})
	t.Run("full", func(t *testing.T) {
		a := one(t, config.Disclosure{FirstCall: config.FirstCallFull}).agent(wire.Version202511, nil)
		texts, _ := use(t, a, "call_tool", echo)
		if !strings.Contains(texts[0], "- one.add: ") {
			t.Errorf("%v", texts)
		}
	})
	t.Run("off", func(t *testing.T) {
		first(t, one(t, config.Disclosure{FirstCall: config.FirstCallOff}).agent(wire.Version202511, nil), 0)
	})
	t.Run("passthrough", func(t *testing.T) {
		a := one(t, asIs).agent(wire.Version202511, nil)
		if texts, _ := use(t, a, "echo", arguments{"text": "hello"}); len(texts) != 1 {
			t.Errorf("%v", texts)
		}
	})
}

// Two hundred agents at once, each with several first calls at the same time:
// every one gets the reference once, and its own results.
func TestManyFirstCalls(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Disclosure: config.Disclosure{CallerHeader: "X-Client-Id"},
		Servers: []config.Server{server(t, "one", "good")},
	}, Options{StateDir: t.TempDir()})
	const agents, calls = 200, 4
	var all sync.WaitGroup
	gate := make(chan struct{}, 50)
	for i := range agents {
		all.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			a := s.agent(bothEras[i%2], nil, "X-Client-Id", fmt.Sprint(i))
			found := make([]int, calls)
			var mine sync.WaitGroup
			for j := range calls {
				mine.Go(func() {
					text := fmt.Sprintf("agent %d call %d", i, j)
					result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool", Arguments: arguments{"tool": "one.echo", "arguments": arguments{"text": text}}})
					if err != nil {
						t.Errorf("%s: %v", text, err)
						return
					}
					found[j] = len(result.Content) - 1
					if last, ok := result.Content[len(result.Content)-1].(*mcp.TextContent); !ok || last.Text != text {
						t.Errorf("%s: %v", text, result.Content)
					}
				})
			}
			mine.Wait()
			total := 0
			for _, n := range found {
				total += n
			}
			if total != 1 {
				t.Errorf("agent %d got the reference %d times", i, total)
			}
		})
	}
	all.Wait()
}

// A result that is too long comes as its beginning and a link, and can be read by
// pages in two ways.
func TestLongResults(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Disclosure: config.Disclosure{MaxResult: 5000, FirstCall: config.FirstCallOff},
		Servers: []config.Server{server(t, "one", "good")},
	}, Options{StateDir: t.TempDir()})
	for _, era := range bothEras {
		t.Run(era, func(t *testing.T) {
			a := s.agent(era, nil)
			if texts, _ := use(t, a, "call_tool", arguments{"tool": "one.big", "arguments": arguments{"bytes": 4000}}); len(texts) != 1 || len(texts[0]) != 4000 {
				t.Fatalf("a short one was changed: %d blocks", len(texts))
			}
			result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool", Arguments: arguments{"tool": "one.big", "arguments": arguments{"bytes": 12000}}})
			if err != nil {
				t.Fatal(err)
			}
			link := ""
			for _, block := range result.Content {
				if l, ok := block.(*mcp.ResourceLink); ok {
					link = l.URI
				}
			}
			if !strings.HasPrefix(link, "toolcrib://results/") {
				t.Fatalf("no link: %v", result.Content)
			}
			read, again := "", ""
			for page := 1; page <= 3; page++ {
				uri := fmt.Sprintf("%s?page=%d", link, page)
				r, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				if err != nil {
					t.Fatal(err)
				}
				read += r.Contents[0].Text
				texts, _ := use(t, a, "call_tool", arguments{"tool": uri})
				again += texts[0]
			}
			if len(read) != 12000 || read != again {
				t.Errorf("read %d and %d characters of 12000", len(read), len(again))
			}
			if _, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link + "?page=4"}); err == nil {
				t.Error("there is a page 4")
			}
		})
	}
}

// What is no tool is shown for all servers on every surface.
func TestResourcesAndPromptsOnStandard(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, config.Config{HTTP: openHTTP, Servers: []config.Server{server(t, "one", "good")}}, Options{StateDir: t.TempDir()})
	for _, era := range bothEras {
		a := s.agent(era, nil)
		resources, err := a.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var uris []string
		for _, r := range resources.Resources {
			uris = append(uris, r.URI)
			if strings.HasSuffix(r.URI, "asking") {
				continue // of an agent that can be asked
			}
			if _, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI}); err != nil {
				t.Errorf("read %s: %v", r.URI, err)
			}
		}
		if !slices.Contains(uris, "toolcrib://summary") || !slices.ContainsFunc(uris, func(u string) bool { return strings.HasPrefix(u, "toolcrib://one/") }) {
			t.Errorf("resources: %v", uris)
		}
		prompts, err := a.ListPrompts(t.Context(), nil)
		if err != nil || len(prompts.Prompts) == 0 || !strings.HasPrefix(prompts.Prompts[0].Name, "one.") {
			t.Errorf("prompts: %v %v", prompts, err)
		}
	}
}

// The surface auto shows few tools as they are, and more by our own.
func TestAutoSurface(t *testing.T) {
	t.Parallel()
	names := func(tokens int) []string {
		s := serveHTTP(t, config.Config{
			HTTP: openHTTP, Disclosure: config.Disclosure{Surface: config.Auto, AutoTokens: tokens},
			Servers: []config.Server{server(t, "one", "good"), server(t, "two", "good")},
		}, Options{StateDir: t.TempDir()})
		a := s.agent(wire.VersionModern, nil)
		list, err := a.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	if got := names(10); !slices.Contains(got, "search_tools") || len(got) != 11 {
		t.Errorf("with little room: %v", got)
	}
	if got := names(100_000); !slices.Contains(got, "one__echo") || slices.Contains(got, "search_tools") {
		t.Errorf("with room for all: %v", got)
	}
}

// Scripts of the configuration are listed, and run by their names.
func TestStoredScriptsOnTheSurface(t *testing.T) {
	t.Parallel()
	c, err := config.Parse("c.yaml", []byte(`
disclosure: {first_call: "off", max_result: 2000}
http: {auth: none}
scripts:
  twice:
    description: Says a text twice.
    source: return one.echo({text = args.text .. args.text}):await()
    parameters:
      text: {type: string, required: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	c.Servers = []config.Server{server(t, "one", "good")}
	a := serveHTTP(t, c, Options{StateDir: t.TempDir()}).agent(wire.VersionModern, nil)
	for _, step := range []struct {
		tool string
		with arguments
		want string
	}{
		{"list_tools", nil, `"scripts":[{"name":"twice","signature":"twice(text*: str)","description":"Says a text twice."}]`},
		{"execute", arguments{"script": "twice", "args": arguments{"text": "ab"}}, "abab"},
		{"execute", arguments{"script": "twice"}, `missing required`},
		{"execute", arguments{"script": "return args.n + 1", "args": arguments{"n": 41}}, "42"},
		{"execute", arguments{"script": "return ('x'):rep(300000)"}, "toolcrib://results/"},
	} {
		texts, _ := use(t, a, step.tool, step.with)
		if text := strings.Join(texts, "\n"); !strings.Contains(text, step.want) {
			t.Errorf("%s %v: no %q in %.500s", step.tool, step.with, step.want, text)
		}
	}
}

// What scripts may do is configured, for some callers apart.
func TestScriptsAreLimited(t *testing.T) {
	t.Parallel()
	c, err := config.Parse("c.yaml", []byte(`
http: {auth: none}
disclosure: {first_call: "off"}
execute:
  calls: 2
  read_only: true
  callers:
    - {who: ["ci-*"], calls: 50}
`))
	if err != nil {
		t.Fatal(err)
	}
	c.Servers = []config.Server{server(t, "one", "good")}
	if got := c.Execute.LimitsOf("ci-7").Calls; got != 50 {
		t.Errorf("%d calls", got)
	}
	a := serveHTTP(t, c, Options{StateDir: t.TempDir()}).agent(wire.VersionModern, nil)
	for script, want := range map[string]string{
		"for i = 1, 2 do one.echo({text = 'x'}):await() end return 'done'": "done",
		"for i = 1, 3 do one.echo({text = 'x'}):await() end return 'done'": "call_limit",
		"one.count({}):await()":               "execute.read_only",
		"local s = servers['one'] s.echo({})": "execute.read_only",
	} {
		texts, _ := use(t, a, "execute", arguments{"script": script})
		if text := strings.Join(texts, "\n"); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", script, want, text)
		}
	}
}
