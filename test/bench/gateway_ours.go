package main

import (
	"context"
	"errors"
)

// serveOurGateway is the product's own command line with a side port.
func serveOurGateway(ctx context.Context, args []string) error {
	if len(args) < 1 {
		return errors.New("needs the address of the side port")
	}
	if err := serveStats(ctx, args[0]); err != nil {
		return err
	}
	return errors.New("not linked yet")
}
