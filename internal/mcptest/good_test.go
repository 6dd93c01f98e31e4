package mcptest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The Go SDK's client is the oracle: what it accepts in both eras is MCP.

type dialect struct {
	name, version string // "" asks for the newest
}

var dialects = []dialect{{"modern", ""}, {"legacy", "2025-11-25"}, {"oldest", "2024-11-05"}}

// client connects the SDK's client to a behaviour.
func client(t *testing.T, transport mcp.Transport, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	// The SDK's SSE transport lives as long as the context of its opening.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	c := mcp.NewClient(&mcp.Implementation{Name: "oracle", Version: "1"}, o)
	s, err := c.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func inMemory(t *testing.T, name string, args ...string) mcp.Transport {
	out, in := Pipe(t, name, args...)
	return &mcp.IOTransport{Reader: out, Writer: in}
}

func asProcess(t *testing.T, name string, args ...string) mcp.Transport {
	command, arguments, env := Command(t, name, args...)
	cmd := exec.Command(command, arguments...)
	cmd.Env = os.Environ()
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return &mcp.CommandTransport{Command: cmd}
}

func callTool(t *testing.T, s *mcp.ClientSession, name string, arguments any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	return res
}

func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d content blocks, want 1", len(res.Content))
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content is %T", res.Content[0])
	}
	return text.Text
}

// noFaults fails the test if the server found the client at fault.
func noFaults(t *testing.T, s *mcp.ClientSession) {
	t.Helper()
	if got := textOf(t, callTool(t, s, "faults", nil)); got != `{"faults":[]}` {
		t.Errorf("faults: %s", got)
	}
}

func TestGoodServesSDKClient(t *testing.T) {
	for _, d := range dialects {
		for place, transport := range map[string]func(*testing.T, string, ...string) mcp.Transport{"memory": inMemory, "process": asProcess} {
			t.Run(d.name+"/"+place, func(t *testing.T) {
				s := client(t, transport(t, "good"), d.version, nil)
				want := d.version
				if want == "" {
					want = "2026-07-28"
				}
				if got := s.InitializeResult().ProtocolVersion; got != want {
					t.Errorf("version %s, want %s", got, want)
				}
				if got := textOf(t, callTool(t, s, "echo", map[string]any{"text": "hällo \U0001F600"})); got != "hällo \U0001F600" {
					t.Errorf("echo gave %q", got)
				}
				if got := textOf(t, callTool(t, s, "add", map[string]any{"a": 1.5, "b": 2})); got != `{"sum":3.5}` {
					t.Errorf("add gave %s", got)
				}
				if got := len(textOf(t, callTool(t, s, "big", map[string]any{"bytes": 300_000}))); got != 300_000 {
					t.Errorf("big gave %d bytes", got)
				}
				for i := 1; i <= 2; i++ {
					if got := textOf(t, callTool(t, s, "count", nil)); got != fmt.Sprintf(`{"count":%d}`, i) {
						t.Errorf("count gave %s", got)
					}
				}
				if res := callTool(t, s, "fail", nil); !res.IsError {
					t.Error("fail did not fail")
				}
				_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "rpcerror"})
				if err == nil || !strings.Contains(err.Error(), "always fails") {
					t.Errorf("rpcerror gave %v", err)
				}
				noFaults(t, s)
			})
		}
	}
}

func TestGoodFeatures(t *testing.T) {
	for _, d := range dialects {
		t.Run(d.name, func(t *testing.T) {
			s := client(t, inMemory(t, "good"), d.version, nil)
			ctx := t.Context()
			tools, err := s.ListTools(ctx, nil)
			if err != nil || len(tools.Tools) != len(goodTools()) {
				t.Fatalf("tools: %v, %v", tools, err)
			}
			prompts, err := s.ListPrompts(ctx, nil)
			if err != nil || len(prompts.Prompts) != 2 {
				t.Errorf("prompts: %v, %v", prompts, err)
			}
			prompt, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "Ada"}})
			if err != nil || len(prompt.Messages) != 1 {
				t.Errorf("prompt: %v, %v", prompt, err)
			}
			resources, err := s.ListResources(ctx, nil)
			if err != nil || len(resources.Resources) != 3 {
				t.Errorf("resources: %v, %v", resources, err)
			}
			templates, err := s.ListResourceTemplates(ctx, nil)
			if err != nil || len(templates.ResourceTemplates) != 1 {
				t.Errorf("templates: %v, %v", templates, err)
			}
			for uri, want := range map[string]string{textURI: "the text", itemStart + "7": "item 7"} {
				read, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
				if err != nil || read.Contents[0].Text != want {
					t.Errorf("read %s: %v, %v", uri, read, err)
				}
			}
			if read, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: blobURI}); err != nil || len(read.Contents[0].Blob) != 4 {
				t.Errorf("read blob: %v, %v", read, err)
			}
			if _, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: "test://none"}); err == nil {
				t.Error("read of a missing resource worked")
			}
			done, err := s.Complete(ctx, &mcp.CompleteParams{
				Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "greet"},
				Argument: mcp.CompleteParamsArgument{Name: "who", Value: "A"},
			})
			if err != nil || !slices.Equal(done.Completion.Values, []string{"Ada", "Alan"}) {
				t.Errorf("complete: %v, %v", done, err)
			}
			noFaults(t, s)
		})
	}
}

func TestGoodAsksClient(t *testing.T) {
	o := &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		//lint:ignore SA1019 deprecated since 2026-07-28, but servers still sample
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			//lint:ignore SA1019 as above
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "sampled"}}, nil
		},
		//lint:ignore SA1019 deprecated since 2026-07-28, but servers still ask for roots
		Capabilities: &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}},
	}
	for _, d := range dialects[:2] {
		t.Run(d.name, func(t *testing.T) {
			s := client(t, inMemory(t, "good"), d.version, o)
			for _, c := range []struct {
				tool      string
				arguments map[string]any
				want      string
				times     int
			}{
				{"elicit", nil, `"Ada"`, 1},
				{"sample", nil, "sampled", 1},
				{"roots", nil, `"roots"`, 1},
			} {
				got := textOf(t, callTool(t, s, c.tool, c.arguments))
				if strings.Count(got, c.want) != c.times {
					t.Errorf("%s gave %s, want %s %d times", c.tool, got, c.want, c.times)
				}
			}
			callTool(t, s, "elicit", map[string]any{"rounds": 3})
			if p, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "asking"}); err != nil {
				t.Errorf("prompt asking: %v, %v", p, err)
			}
			if r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: askURI}); err != nil {
				t.Errorf("resource asking: %v, %v", r, err)
			}
			noFaults(t, s)
		})
		t.Run(d.name+"/undeclared", func(t *testing.T) {
			s := client(t, inMemory(t, "good"), d.version, nil)
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "elicit"}); err == nil {
				t.Error("a client that cannot be asked was asked")
			}
		})
	}
}

func TestGoodProgressLogAndCancel(t *testing.T) {
	for _, d := range dialects[:2] {
		t.Run(d.name, func(t *testing.T) {
			steps := make(chan float64, 100)
			logs := make(chan any, 100)
			s := client(t, inMemory(t, "good"), d.version, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { steps <- r.Params.Progress },
				LoggingMessageHandler:       func(_ context.Context, r *mcp.LoggingMessageRequest) { logs <- r.Params.Data },
			})
			if d.name == "legacy" {
				//lint:ignore SA1019 deprecated since 2026-07-28, but servers still log
				if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
					t.Fatal(err)
				}
			}
			p := &mcp.CallToolParams{Name: "progress", Arguments: map[string]any{"steps": 3}}
			p.SetProgressToken("tok")
			if _, err := s.CallTool(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			for want := 1.0; want <= 3; want++ {
				if got := receive(t, steps); got != want {
					t.Errorf("progress %v, want %v", got, want)
				}
			}
			logged := &mcp.CallToolParams{Name: "log", Arguments: map[string]any{"text": "seen"}}
			if d.name == "modern" {
				logged.Meta = mcp.Meta{metaLogLevel: "info"}
			}
			if _, err := s.CallTool(t.Context(), logged); err != nil {
				t.Fatal(err)
			}
			if got := receive(t, logs); got != "seen" {
				t.Errorf("logged %v", got)
			}
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error, 1)
			go func() {
				_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60_000}})
				failed <- err
			}()
			eventually(t, func() bool { return strings.Contains(textOf(t, callTool(t, s, "calls", nil)), `"slow":1`) })
			cancel()
			if err := receive(t, failed); err == nil {
				t.Error("a cancelled call succeeded")
			}
			eventually(t, func() bool { return textOf(t, callTool(t, s, "cancelled-count", nil)) == `{"count":1}` })
			noFaults(t, s)
		})
	}
}

func TestGoodTellsOfChanges(t *testing.T) {
	for _, d := range dialects[:2] {
		t.Run(d.name, func(t *testing.T) {
			told := make(chan string, 100)
			s := client(t, inMemory(t, "good"), d.version, &mcp.ClientOptions{
				ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { told <- "tools" },
				PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { told <- "prompts" },
				ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { told <- "resources" },
				ResourceUpdatedHandler:     func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { told <- r.Params.URI },
			})
			for _, what := range []string{"tools", "prompts", "resources"} {
				callTool(t, s, "change", map[string]any{"what": what})
				if got := receive(t, told); got != what {
					t.Errorf("told of %s, want %s", got, what)
				}
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != len(goodTools())+1 {
				t.Errorf("tools after the change: %v, %v", tools, err)
			}
			if err := s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: textURI}); err != nil {
				t.Fatal(err)
			}
			callTool(t, s, "touch", map[string]any{"uri": blobURI})
			callTool(t, s, "touch", map[string]any{"uri": textURI})
			if got := receive(t, told); got != textURI {
				t.Errorf("told of %s, want %s", got, textURI)
			}
			noFaults(t, s)
		})
	}
}

// receive takes from a channel within a generous time.
func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// eventually polls until cond holds.
func eventually(t *testing.T, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came to be")
		}
	}
}
