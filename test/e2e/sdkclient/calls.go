package sdkclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// do calls a tool and returns its texts.
func (s *session) do(ctx context.Context, tool string, arguments any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := s.cs.CallTool(ctx, &mcp.CallToolParams{Name: s.t.Tool(tool), Arguments: arguments})
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	if r.IsError {
		return textOf(r), fmt.Errorf("%s failed: %s", tool, textOf(r))
	}
	return textOf(r), nil
}

func textOf(r *mcp.CallToolResult) string {
	var texts []string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func expect(got string, err error, want string) error {
	if err != nil {
		return err
	}
	if !strings.Contains(got, want) {
		return fmt.Errorf("%q is not in %q", want, got)
	}
	return nil
}

func (s *session) tools(ctx context.Context) error {
	for t, err := range s.cs.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		if t.Name == s.t.Tool("echo") {
			return nil
		}
	}
	return errors.New("no echo in the list")
}

func (s *session) call(ctx context.Context) error {
	got, err := s.do(ctx, "echo", map[string]any{"message": "hello \U0001F600"})
	return expect(got, err, "Echo: hello \U0001F600")
}

func (s *session) failingCall(ctx context.Context) error {
	r, err := s.cs.CallTool(ctx, &mcp.CallToolParams{Name: s.t.Tool("echo"), Arguments: map[string]any{}})
	if err != nil {
		return err
	}
	if !r.IsError || !strings.Contains(textOf(r), "Invalid arguments for tool echo") {
		return fmt.Errorf("isError %t, %q", r.IsError, textOf(r))
	}
	return nil
}

// manyCalls shows that each call gets its own answer.
func (s *session) manyCalls(ctx context.Context) error {
	var wg sync.WaitGroup
	n := 50
	if s.t.Changing {
		n = 5 // each may be a process of its own
	}
	errs := make([]error, n)
	for i := range errs {
		wg.Go(func() {
			want := fmt.Sprintf("message number %d.", i)
			got, err := s.do(ctx, "echo", map[string]any{"message": want})
			errs[i] = expect(got, err, "Echo: "+want)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// longCall starts an operation of the server that reports progress.
func (s *session) longCall(ctx context.Context, token string, seconds float64, steps int) error {
	p := &mcp.CallToolParams{Name: s.t.Tool("trigger-long-running-operation"), Arguments: map[string]any{"duration": seconds, "steps": steps}}
	p.SetProgressToken(token)
	r, err := s.cs.CallTool(ctx, p)
	if err != nil {
		return err
	}
	return expect(textOf(r), nil, "completed")
}

func (s *session) reportsProgress(ctx context.Context) error {
	const token, steps = "my own token", 4
	if err := s.longCall(ctx, token, 0.8, steps); err != nil {
		return err
	}
	for i := range steps {
		p, err := wait(ctx, fmt.Sprintf("progress %d", i+1), s.progress, func(p *mcp.ProgressNotificationParams) bool { return p.ProgressToken == token })
		if err != nil {
			return err
		}
		if p.Progress != float64(i+1) || p.Total != steps {
			return fmt.Errorf("progress %v of %v, not %d of %d", p.Progress, p.Total, i+1, steps)
		}
	}
	return nil
}

// cancellation gives up in the middle of a call.
func (s *session) cancellation(ctx context.Context) error {
	const token = "given up"
	call, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.longCall(call, token, 60, 300) }()
	if _, err := wait(ctx, "progress", s.progress, func(p *mcp.ProgressNotificationParams) bool { return p.ProgressToken == token }); err != nil {
		return err
	}
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			return fmt.Errorf("the call ended with %v", err)
		}
		return nil
	case <-time.After(10 * time.Second):
		return errors.New("the call goes on 10 s after it was cancelled")
	}
}
