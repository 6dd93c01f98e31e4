//lint:file-ignore SA1019 deprecated features of the protocol are relayed as long as agents use them

package gateway_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// TestChanges has servers announce changes to agents of both eras.
func TestChanges(t *testing.T) {
	for _, server := range []string{"good", "legacy", "modern"} {
		for _, version := range []string{wire.VersionModern, wire.Version202511} {
			t.Run(server+"/"+version, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, child(t, "one", server))
				heard := make(chan string, 100)
				s := r.connect(t, version, &mcp.ClientOptions{
					ToolListChangedHandler:   func(context.Context, *mcp.ToolListChangedRequest) { heard <- "tools" },
					PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) { heard <- "prompts" },
					ResourceUpdatedHandler: func(_ context.Context, n *mcp.ResourceUpdatedNotificationRequest) {
						heard <- n.Params.URI
					},
				})
				until(t, heard, "tools", func() { callTool(t, s, "change", map[string]any{"what": "tools", "times": 3}) })
				until(t, heard, "prompts", func() { callTool(t, s, "change", map[string]any{"what": "prompts"}) })
			})
		}
	}
}

// TestSubscriptions has a legacy agent watch a resource of servers of both eras.
func TestSubscriptions(t *testing.T) {
	for _, server := range []string{"good", "legacy", "modern"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, child(t, "one", server))
			heard := make(chan string, 100)
			s := r.connect(t, wire.Version202511, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, n *mcp.ResourceUpdatedNotificationRequest) {
					heard <- n.Params.URI
				},
			})
			list, err := s.ListResources(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			uri := list.Resources[0].URI
			if err := s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			until(t, heard, uri, func() { callTool(t, s, "touch", map[string]any{"uri": uri}) })
			if err := s.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// until repeats do until want was heard: a subscription may take a moment to
// reach the server.
func until(t *testing.T, heard <-chan string, want string, do func()) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		do()
		again := time.After(500 * time.Millisecond)
	listening:
		for {
			select {
			case got := <-heard:
				if got == want {
					return
				}
			case <-again:
				break listening
			case <-deadline:
				t.Fatalf("did not hear of %s", want)
			}
		}
	}
}

// TestLogging has agents get the log messages that they asked for.
func TestLogging(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"legacy", "modern"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, child(t, "one", server))
			heard := make(chan string, 100)
			s := r.connect(t, wire.Version202511, &mcp.ClientOptions{
				LoggingMessageHandler: func(_ context.Context, n *mcp.LoggingMessageRequest) { heard <- string(n.Params.Level) },
			})
			if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
				t.Fatal(err)
			}
			callTool(t, s, "log", map[string]any{"level": "info", "text": "too little"})
			until(t, heard, "error", func() { callTool(t, s, "log", map[string]any{"level": "error", "text": "enough"}) })
			for len(heard) > 0 {
				if level := <-heard; level != "error" {
					t.Errorf("heard of %s", level)
				}
			}
		})
	}
	t.Run("modern agent without a level", func(t *testing.T) {
		r := newRig(t, child(t, "one", "good"))
		if got := r.agent(t, true).request("tools/call", `{"name":"log","arguments":{"level":"error","text":"x"}}`); strings.Contains(got, "notifications/message") {
			t.Errorf("got %s", got)
		}
	})
}

// TestCancellation has an agent give up a call: the server hears of it.
func TestCancellation(t *testing.T) {
	for _, server := range []string{"legacy", "modern"} {
		for _, version := range []string{wire.VersionModern, wire.Version202511} {
			t.Run(server+"/"+version, func(t *testing.T) {
				t.Parallel()
				r := newRig(t, child(t, "one", server))
				s := r.connect(t, version, nil)
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					// The call has to be under way before it is given up.
					for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
						if strings.Contains(callTool(t, s, "calls", nil), `slow`) {
							break
						}
					}
					cancel()
				}()
				if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60_000}}); err == nil {
					t.Fatal("a cancelled call succeeded")
				}
				for deadline := time.Now().Add(20 * time.Second); ; {
					if got := callTool(t, s, "cancelled-count", nil); strings.Contains(got, `"count":1`) {
						return
					} else if time.Now().After(deadline) {
						t.Fatalf("the server did not hear of it: %s", got)
					}
				}
			})
		}
	}
}

// TestNoFaults has the strict server judge how we speak to it.
func TestNoFaults(t *testing.T) {
	for _, server := range []string{"good", "legacy", "modern"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, child(t, "one", server))
			for _, version := range []string{wire.VersionModern, wire.Version202511} {
				useEverything(t, r, version)
				s := r.connect(t, version, nil)
				if got := callTool(t, s, "faults", nil); !strings.Contains(got, `"faults":[]`) {
					t.Errorf("%s: %s", version, got)
				}
			}
		})
	}
}

// TestURLElicitation is an error of 2025-11-25 that asks to visit a URL: to a
// modern agent it is a question.
func TestURLElicitation(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "one", "legacy"))
	got := r.agent(t, true).request("tools/call", `{"name":"url","arguments":{}}`)
	for _, want := range []string{`"resultType":"input_required"`, `"method":"elicitation/create"`, `"url"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestAmbiguousQuestion has two agents call a server on its one connection:
// neither gets to see what the server asks, since it does not say whom.
func TestAmbiguousQuestion(t *testing.T) {
	t.Parallel()
	r := newRig(t, child(t, "one", "legacy"))
	first := r.connect(t, wire.Version202511, nil)
	asked := make(chan struct{}, 10)
	second := r.connect(t, wire.Version202511, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked <- struct{}{}
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go first.CallTool(ctx, &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60_000}})
	for !strings.Contains(callTool(t, second, "calls", nil), "slow") {
	}
	if _, err := second.CallTool(ctx, &mcp.CallToolParams{Name: "elicit", Arguments: map[string]any{}}); err == nil || !strings.Contains(err.Error(), "several agents") {
		t.Errorf("got %v", err)
	}
	if len(asked) > 0 {
		t.Error("an agent was asked what may have been for the other")
	}
}

// TestPerAgent gives every agent a process of its own, so that its questions
// are its own too.
func TestPerAgent(t *testing.T) {
	t.Parallel()
	spec := child(t, "one", "legacy")
	spec.Sharing = upstream.PerAgent
	r := newRig(t, spec)
	answer := func(name string) *mcp.ClientOptions {
		return &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name}}, nil
		}}
	}
	a, b := r.connect(t, wire.Version202511, answer("Ada")), r.connect(t, wire.Version202511, answer("Bob"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go a.CallTool(ctx, &mcp.CallToolParams{Name: "slow", Arguments: map[string]any{"ms": 60_000}})
	if got := callTool(t, b, "elicit", nil); !strings.Contains(got, "Bob") {
		t.Errorf("got %s", got)
	}
	if callTool(t, a, "pid", nil) == callTool(t, b, "pid", nil) {
		t.Error("two agents share a process")
	}
}
