package gateway_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/wire"
)

// TestSeveral has three servers behind one gateway: what is listed under a
// name can be used under that name, and reaches the server it came from.
func TestSeveral(t *testing.T) {
	for _, version := range []string{wire.VersionModern, wire.Version202506} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, child(t, "alpha", "good"), child(t, "beta.two", "legacy"), child(t, "gamma", "modern"))
			s := r.connect(t, version, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
				},
			})
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range tools.Tools {
				names = append(names, tool.Name)
			}
			for _, want := range []string{"alpha__echo", "beta_two__echo", "gamma__echo"} {
				if !slices.Contains(names, want) {
					t.Fatalf("no %s in %v", want, names)
				}
				if got := callTool(t, s, want, map[string]any{"text": want}); !strings.Contains(got, want) {
					t.Errorf("%s: %s", want, got)
				}
			}
			pids := map[string]bool{}
			for _, server := range []string{"alpha", "beta_two", "gamma"} {
				pids[callTool(t, s, server+"__pid", nil)] = true
				if got := callTool(t, s, server+"__elicit", nil); !strings.Contains(got, "Ada") {
					t.Errorf("%s elicit: %s", server, got)
				}
			}
			if len(pids) != 3 {
				t.Errorf("calls reached %d processes, want 3", len(pids))
			}
			useResources(t, s)
			usePrompts(t, s)
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "nosuch__tool"}); err == nil || !strings.Contains(err.Error(), "tools/list") {
				t.Errorf("an unknown tool: %v", err)
			}
		})
	}
}

func callTool(t *testing.T, s *mcp.ClientSession, name string, args any) string {
	t.Helper()
	if args == nil {
		args = map[string]any{}
	}
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	b, _ := json.Marshal(res)
	return string(b)
}

func useResources(t *testing.T, s *mcp.ClientSession) {
	t.Helper()
	list, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	servers := map[string]bool{}
	for _, one := range list.Resources {
		server, _, ok := strings.Cut(strings.TrimPrefix(one.URI, "toolcrib://"), "/")
		if !ok {
			t.Fatalf("URI %s", one.URI)
		}
		servers[server] = true
		res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: one.URI})
		if err != nil {
			t.Errorf("read %s: %v", one.URI, err)
			continue
		}
		for _, c := range res.Contents {
			if !strings.HasPrefix(c.URI, "toolcrib://"+server+"/") {
				t.Errorf("content of %s is called %s", one.URI, c.URI)
			}
		}
	}
	if len(servers) != 3 {
		t.Errorf("resources of %v", servers)
	}
	templates, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) == 0 || !strings.HasPrefix(templates.ResourceTemplates[0].URITemplate, "toolcrib://alpha/") {
		t.Errorf("templates: %v, %v", templates, err)
	}
}

func usePrompts(t *testing.T, s *mcp.ClientSession) {
	t.Helper()
	list, err := s.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) == 0 {
		t.Fatalf("prompts: %v, %v", list, err)
	}
	for _, p := range list.Prompts {
		args := map[string]string{}
		for _, a := range p.Arguments {
			args[a.Name] = "x"
		}
		if _, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: args}); err != nil {
			t.Errorf("prompt %s: %v", p.Name, err)
		}
		if len(p.Arguments) > 0 {
			_, err := s.Complete(t.Context(), &mcp.CompleteParams{
				Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: p.Name},
				Argument: mcp.CompleteParamsArgument{Name: p.Arguments[0].Name, Value: "a"},
			})
			if err != nil {
				t.Errorf("complete %s: %v", p.Name, err)
			}
		}
	}
}

// TestListWithoutTheSlow is F06 as an agent sees it: a server that does not
// answer keeps nobody from the others' tools.
func TestListWithoutTheSlow(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "mute", "mute"), child(t, "quick", "good"), child(t, "broken", "exit-now"))
	began := time.Now()
	list := r.agent(t, true).request("tools/list", "{}")
	if !strings.Contains(list, `"quick__echo"`) {
		t.Errorf("list: %s", list)
	}
	if !strings.Contains(list, `"ttlMs":0`) {
		t.Errorf("an incomplete list may be kept: %s", list)
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestLateServerIsAnnounced has a server come after the list was answered.
func TestLateServerIsAnnounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "late", "slow-start", "ms=3500"), child(t, "quick", "good"))
	changed := make(chan struct{}, 10)
	s := r.connect(t, wire.Version202511, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	has := func(server string) bool {
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return strings.HasPrefix(tool.Name, server+"__") })
	}
	if has("late") {
		t.Skip("the late server was not late")
	}
	for deadline := time.After(30 * time.Second); ; {
		select {
		case <-changed:
			if has("late") {
				return
			}
		case <-deadline:
			t.Fatal("the late server was not announced")
		}
	}
}
