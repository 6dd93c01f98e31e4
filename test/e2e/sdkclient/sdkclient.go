// Package sdkclient drives the everything server with the Go SDK's client: a
// second implementation of the protocol that was written by others.
//
// Everything that the server offers is used: lists, calls, progress, the three
// requests that a server may make of its client, completion, logging, changed
// lists, subscriptions, cancellation.
//
//lint:file-ignore SA1019 roots, sampling and logging are deprecated and still have to pass the gateway.
package sdkclient

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Target is where the everything server is reached.
type Target struct {
	Transport mcp.Transport
	Version   string // of the protocol, that has to be agreed on
	Modern    bool
	Shared    bool // the server's connection is not this client's alone
	Changing  bool // two calls may reach the server over different connections

	// What its tools, prompts and resources are called there.
	Tool, Prompt, URI func(string) string
}

// Names that are left as they are.
func Plain(s string) string { return s }

// patience is for what the server sends on its own account.
const patience = 15 * time.Second

// session is a connected client and what it has been told.
type session struct {
	t  Target
	cs *mcp.ClientSession

	progress chan *mcp.ProgressNotificationParams
	logs     chan *mcp.LoggingMessageParams
	changed  chan struct{}
	updated  chan string
	elicited chan *mcp.ElicitParams
	sampled  chan *mcp.CreateMessageParams
	added    int // resources
}

// Check connects and makes every check, each reported by name.
func Check(ctx context.Context, t Target, report func(name string, err error)) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	s := &session{
		t:        t,
		progress: make(chan *mcp.ProgressNotificationParams, 256),
		logs:     make(chan *mcp.LoggingMessageParams, 256),
		changed:  make(chan struct{}, 256),
		updated:  make(chan string, 256),
		elicited: make(chan *mcp.ElicitParams, 16),
		sampled:  make(chan *mcp.CreateMessageParams, 16),
	}
	err := s.connect(ctx)
	report("connect", err)
	if err != nil {
		return
	}
	for _, c := range s.checks() {
		if c.legacyOnly && t.Modern || c.ownOnly && t.Shared || c.sameOnly && t.Changing {
			continue
		}
		if ctx.Err() != nil {
			report(c.name, ctx.Err())
			continue
		}
		report(c.name, c.do(ctx))
	}
	report("close", within(10*time.Second, s.cs.Close))
}

// A check is one thing that has to work.
type check struct {
	name string
	do   func(context.Context) error
	// The modern era has no way for it: the server says it outside of any request.
	legacyOnly bool
	// The server asks once for each of its connections: of many agents on one
	// connection none can answer for all.
	ownOnly bool
	// The server remembers it for one connection: a second call has to reach it
	// over the same.
	sameOnly bool
}

func (s *session) checks() []check {
	return []check{
		{name: "tools", do: s.tools},
		{name: "call", do: s.call},
		{name: "call that fails", do: s.failingCall},
		{name: "many calls at once", do: s.manyCalls},
		{name: "prompts", do: s.prompts},
		{name: "resources", do: s.resources},
		{name: "completion", do: s.completion},
		{name: "progress", do: s.reportsProgress},
		{name: "elicitation", do: s.elicitation},
		{name: "sampling", do: s.sampling},
		{name: "roots", do: s.roots, legacyOnly: true, ownOnly: true},
		{name: "logging", do: s.logging, legacyOnly: true},
		{name: "list_changed", do: s.listChanged, sameOnly: true},
		{name: "subscription", do: s.subscription, sameOnly: true},
		{name: "cancellation", do: s.cancellation},
		{name: "call after all that", do: s.call},
	}
}

func (s *session) connect(ctx context.Context) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			s.sampled <- r.Params
			return &mcp.CreateMessageResult{Model: "none", Role: "assistant", Content: &mcp.TextContent{Text: sampledText}}, nil
		},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			s.elicited <- r.Params
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": elicitedName}}, nil
		},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { offer(s.changed, struct{}{}) },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			offer(s.updated, r.Params.URI)
		},
		LoggingMessageHandler:       func(_ context.Context, r *mcp.LoggingMessageRequest) { offer(s.logs, r.Params) },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { offer(s.progress, r.Params) },
	})
	client.AddRoots(&mcp.Root{Name: rootName, URI: rootURI})
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	cs, err := client.Connect(ctx, s.t.Transport, &mcp.ClientSessionOptions{ProtocolVersion: s.t.Version})
	if err != nil {
		return err
	}
	s.cs = cs
	if got := cs.InitializeResult().ProtocolVersion; got != s.t.Version {
		return fmt.Errorf("version %s was agreed on, not %s", got, s.t.Version)
	}
	return nil
}

const (
	sampledText  = "a sampled text"
	elicitedName = "Ada Lovelace"
	rootName     = "the workshop"
	rootURI      = "file:///tmp/workshop"
)

// offer never blocks: a flood of notices must not stop the client.
func offer[T any](ch chan T, v T) {
	select {
	case ch <- v:
	default:
	}
}

// wait takes the first value that is wanted.
func wait[T any](ctx context.Context, what string, ch <-chan T, wanted func(T) bool) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case v := <-ch:
			if wanted(v) {
				return v, nil
			}
		case <-ctx.Done():
			var zero T
			return zero, fmt.Errorf("no %s came: %w", what, ctx.Err())
		}
	}
}

// within gives up on what ought to be quick.
func within(limit time.Duration, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return fmt.Errorf("not done after %s", limit)
	}
}
