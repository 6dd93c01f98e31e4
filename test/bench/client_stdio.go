package main

import (
	"context"
	"fmt"
)

// stdioConnector calls a stdio server directly; all callers share its pipes, as
// the agents of a gateway do.
func stdioConnector(server *rawStdio, e era) connector {
	return func(_ context.Context, tool, arguments string, wantBytes int) (caller, error) {
		return &stdioCaller{server: server, params: []byte(callParams(e, tool, arguments)), wantBytes: wantBytes}, nil
	}
}

type stdioCaller struct {
	server    *rawStdio
	params    []byte
	wantBytes int
}

func (c *stdioCaller) call() error {
	ctx, cancel := context.WithTimeout(context.Background(), perCallLimit)
	defer cancel()
	result, err := c.server.request(ctx, "tools/call", c.params, nil)
	if err != nil {
		return err
	}
	if len(result) < c.wantBytes || len(result) == 0 {
		return fmt.Errorf("%d bytes came back, not %d: %.200q", len(result), c.wantBytes, result)
	}
	return nil
}

func (c *stdioCaller) close() {}
