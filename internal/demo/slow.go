package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func newSlow() *mcp.Server {
	s := newServer("slow", "Slow tools", &mcp.ServerOptions{
		Instructions: "Tools that take their time, to watch progress reports and to try cancelling.",
	})
	mcp.AddTool(s, &mcp.Tool{
		Name: "countdown", Title: "Count down", Annotations: readOnly(),
		Description: "Count down to zero and report progress at each step. Can be cancelled at any time.",
		InputSchema: schemaOf(object{
			"from":        object{"type": "integer", "minimum": 1, "maximum": 3600, "default": 5, "description": "the number to start from"},
			"interval_ms": object{"type": "integer", "minimum": 1, "maximum": 60_000, "default": 1000, "description": "milliseconds between two steps"},
		}),
	}, countdown)
	add(s, &mcp.Tool{
		Name: "sleep", Title: "Sleep", Annotations: readOnly(),
		Description: "Do nothing for some seconds, silently, and then say so. Can be cancelled at any time.",
		InputSchema: schemaOf(object{
			"seconds": object{"type": "number", "minimum": 0, "maximum": 3600, "description": "how long to sleep"},
		}, "seconds"),
	}, func(ctx context.Context, in struct {
		Seconds float64 `json:"seconds"`
	},
	) (string, slept, error) {
		start := time.Now()
		if err := wait(ctx, time.Duration(in.Seconds*float64(time.Second))); err != nil {
			return "", slept{}, err
		}
		return fmt.Sprintf("Slept for %g seconds.", in.Seconds), slept{Milliseconds: time.Since(start).Milliseconds()}, nil
	})
	return s
}

type slept struct {
	Milliseconds int64 `json:"milliseconds" jsonschema:"how long it really was"`
}

type counted struct {
	Steps int `json:"steps" jsonschema:"how many steps were counted"`
}

type countdownArgs struct {
	From       int `json:"from"`
	IntervalMS int `json:"interval_ms"`
}

func countdown(ctx context.Context, r *mcp.CallToolRequest, in countdownArgs) (*mcp.CallToolResult, counted, error) {
	token := r.Params.GetProgressToken()
	for step := 1; step <= in.From; step++ {
		if err := wait(ctx, time.Duration(in.IntervalMS)*time.Millisecond); err != nil {
			return nil, counted{}, fmt.Errorf("stopped at %d: %w", in.From-step+1, err)
		}
		if token == nil {
			continue
		}
		// A client that is gone cannot be told; the next wait notices it.
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(step), Total: float64(in.From),
			Message: fmt.Sprintf("%d to go", in.From-step),
		})
	}
	return said(fmt.Sprintf("Counted down from %d. Lift-off!", in.From)), counted{Steps: in.From}, nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
