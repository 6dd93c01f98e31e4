package app

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"

	"toolcrib/internal/config"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/wire"
)

var update = flag.Bool("update", false, "write the goldens anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// watched is how the command line opens a gateway with a listener.
func watched(t *testing.T) Options {
	return Options{StateDir: t.TempDir(), Version: "1.2.3", Telemetry: true, Metrics: true}
}

// webServer is a server that is reached over HTTP.
func webServer(t *testing.T, name string) config.Server {
	return config.Server{Name: name, Type: config.Streamable, URL: mcptest.HTTP(t, nil).URL}
}

// TestSpansOfASession has an agent do all that agents do, and a collector look on.
func TestSpansOfASession(t *testing.T) {
	c := newCollector(t)
	c.traces()
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff},
		Servers: []config.Server{server(t, "alpha", "good"), webServer(t, "beta")},
	}, watched(t))
	a := s.agent(wire.Version202511, nil)
	if _, err := a.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		tool string
		with arguments
	}{
		{"search_tools", arguments{"query": "add two numbers", "max_results": 1}},
		{"search_tools", arguments{"query": "select:alpha.add,beta.echo"}},
		{"search_tools", arguments{"query": "zzyzx qwfp"}},
		{"tool_details", arguments{"tools": "alpha.add"}},
		{"call_tool", arguments{"tool": "beta.add", "arguments": arguments{"a": 2, "b": 3}}},
		{"call_tool", arguments{"tool": "alpha.fail", "arguments": arguments{}}},
		{"call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": "two"}}},
		{"execute", arguments{"script": "local x = alpha.add({a=1,b=2}) local y = beta.echo({text='hi'}) return await_all({x, y})"}},
		{"execute", arguments{"script": "return nosuch.tool({}):await()"}},
	} {
		use(t, a, one.tool, one.with)
	}
	if _, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "nosuch"}); err == nil {
		t.Error("a tool that is not there was called")
	}
	if err := s.app.Apply(config.Config{HTTP: openHTTP}); err != nil {
		t.Error(err)
	}
	spans := c.await("tools/call search_tools", "tools/call search_tools", "tools/call search_tools", "tools/call execute", "tools/call execute", "tools/call nosuch",
		"discovery alpha", "discovery beta", "config reload")
	spans = slices.DeleteFunc(spans, func(s *otlp.Span) bool { return s.Name == "initialize" && s.Kind == otlp.Span_SPAN_KIND_CLIENT })
	golden(t, "session.spans", tree(oncePerServer(spans)))
	if c.about["service.name"] != "toolcrib" || c.about["service.version"] != "1.2.3" {
		t.Errorf("resource %v", c.about)
	}
}

// TestTraceIsPassedOn follows a trace from the agent through the gateway to servers
// of both transports, also out of a script.
func TestTraceIsPassedOn(t *testing.T) {
	c := newCollector(t)
	c.traces()
	const agentTrace, agentSpan = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	parent := "00-" + agentTrace + "-" + agentSpan + "-01"
	beta := mcptest.HTTP(t, nil)
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff},
		Servers: []config.Server{server(t, "alpha", "good"), {Name: "beta", Type: config.Streamable, URL: beta.URL}},
	}, watched(t))
	meta := func(text string) (traceparent, tracestate string) {
		var got struct{ Traceparent, Tracestate string }
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return got.Traceparent, got.Tracestate
	}
	for _, era := range bothEras {
		a := s.agent(era, nil)
		for _, one := range []struct {
			tool string
			with arguments
		}{
			{"call_tool", arguments{"tool": "alpha.meta", "arguments": arguments{}}},
			{"call_tool", arguments{"tool": "beta.meta", "arguments": arguments{}}},
			{"execute", arguments{"script": "return beta.meta({}):await()"}},
		} {
			result, err := a.CallTool(t.Context(), &mcp.CallToolParams{
				Name: one.tool, Arguments: one.with, Meta: mcp.Meta{"traceparent": parent, "tracestate": "vendor=1"},
			})
			if err != nil || result.IsError {
				t.Fatalf("%s %v: %v %+v", era, one, err, result)
			}
			told, state := meta(result.Content[0].(*mcp.TextContent).Text)
			var of *otlp.Span
			for of == nil { // the span that the server was told of
				for _, span := range c.await("tools/call meta") {
					if strings.Contains(told, hex.EncodeToString(span.SpanId)) {
						of = span
					}
				}
			}
			if want := "00-" + agentTrace + "-" + hex.EncodeToString(of.SpanId) + "-01"; told != want || state != "vendor=1" {
				t.Errorf("%s %v: the server was told %s, %s", era, one, told, state)
			}
			if header := beta.Header("tools/call"); one.with["tool"] != "alpha.meta" && (header.Get("Traceparent") != told || header.Get("Tracestate") != state) {
				t.Errorf("%s %v: headers %v, and _meta has %s", era, one, header, told)
			}
			if of.Name != "tools/call meta" || of.Kind != otlp.Span_SPAN_KIND_CLIENT {
				t.Errorf("%s %v: it was told of %s %s", era, one, of.Kind, of.Name)
			}
		}
	}
	for _, span := range c.await("tools/call call_tool", "tools/call call_tool", "tools/call call_tool", "tools/call call_tool", "tools/call execute", "tools/call execute") {
		if span.Kind == otlp.Span_SPAN_KIND_SERVER && strings.HasPrefix(span.Name, "tools/call") && hex.EncodeToString(span.ParentSpanId) != agentSpan {
			t.Errorf("%s is in %x", span.Name, span.ParentSpanId)
		}
	}
}

// TestContentIsTracedWhenAskedFor finds arguments and results in spans only with
// the settings for it, and secrets never.
func TestContentIsTracedWhenAskedFor(t *testing.T) {
	const canary, known = "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "s3rver-secret"
	for _, asked := range []bool{false, true} {
		c := newCollector(t)
		c.traces()
		one := server(t, "alpha", "good")
		one.Env["SECRET"] = known
		s := serveHTTP(t, config.Config{
			HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff}, Servers: []config.Server{one},
			Tracing: config.Tracing{Arguments: asked, Results: asked},
		}, watched(t))
		a := s.agent(wire.VersionModern, nil)
		text := "public words, " + canary + " and " + known
		use(t, a, "call_tool", arguments{"tool": "alpha.echo", "arguments": arguments{"text": text, "password": "hunter2"}})
		use(t, a, "search_tools", arguments{"query": "echo " + canary})
		all := tree(c.await("tools/call echo", "tools/call call_tool", "tools/call search_tools"))
		for _, secret := range []string{canary, known, "hunter2"} {
			if strings.Contains(all, secret) {
				t.Errorf("asked %v: %s is in a span:\n%s", asked, secret, all)
			}
		}
		if strings.Contains(all, "public words") != asked {
			t.Errorf("asked %v:\n%s", asked, all)
		}
		for _, name := range []string{"gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "password"} {
			if strings.Contains(all, name) != asked {
				t.Errorf("asked %v, %s:\n%s", asked, name, all)
			}
		}
	}
}

// TestLangfuseRecipe sets what docs/tracing.md says, and nothing else.
func TestLangfuseRecipe(t *testing.T) {
	c := newCollector(t)
	recipe, err := os.ReadFile("../../docs/tracing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(recipe), "## Langfuse")
	_, rest, found := strings.Cut(rest, "```sh\n")
	block, _, _ := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/tracing.md has no recipe for Langfuse")
	}
	login := base64.StdEncoding.EncodeToString([]byte("pk-lf-1:sk-lf-22"))
	for line := range strings.Lines(block) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if !ok || !strings.HasPrefix(name, "OTEL_") {
			continue
		}
		value = strings.Trim(value, `"`)
		value = strings.ReplaceAll(value, "https://cloud.langfuse.com", c.url)
		value = strings.ReplaceAll(value, "$LANGFUSE_LOGIN", login)
		t.Setenv(name, value)
	}
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
	s := serveHTTP(t, config.Config{
		HTTP: openHTTP, Disclosure: config.Disclosure{FirstCall: config.FirstCallOff}, Servers: []config.Server{server(t, "alpha", "good")},
		Tracing: config.Tracing{Arguments: true, Results: true},
	}, watched(t))
	a := s.agent(wire.Version202511, nil)
	use(t, a, "search_tools", arguments{"query": "select:alpha.add"})
	use(t, a, "call_tool", arguments{"tool": "alpha.add", "arguments": arguments{"a": 2, "b": 3}})
	use(t, a, "call_tool", arguments{"tool": "alpha.fail", "arguments": arguments{}})
	use(t, a, "execute", arguments{"script": "return alpha.add({a=1,b=2}):await()"})
	spans := c.await("tools/call search_tools", "tools/call call_tool", "tools/call call_tool", "tools/call execute", "discovery alpha")
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, h := range c.headers {
		if c.paths[i] != "/api/public/otel/v1/traces" || h.Get("Authorization") != "Basic "+login || h.Get("X-Langfuse-Ingestion-Version") != "4" {
			t.Errorf("it was sent to %s with %v", c.paths[i], h)
		}
	}
	golden(t, "langfuse.spans", langfuse(oncePerServer(spans)))
}

// langfuse is what Langfuse reads of spans.
func langfuse(spans []*otlp.Span) string {
	for _, s := range spans {
		s.Attributes = slices.DeleteFunc(s.Attributes, func(a *common.KeyValue) bool {
			return !strings.HasPrefix(a.Key, "langfuse.") && a.Key != "session.id" && a.Key != "user.id"
		})
	}
	return tree(spans)
}
