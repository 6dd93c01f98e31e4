package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"toolcrib/internal/cli"
)

// guardCommand is what the gateway calls its own executable with, to have its
// servers ended should it be killed.
const guardCommand = "process-guard"

// serveOurGateway is the product's own command line with a side port.
func serveOurGateway(ctx context.Context, args []string) error {
	if len(args) < 1 {
		return errors.New("needs the address of the side port")
	}
	if err := serveStats(ctx, args[0]); err != nil {
		return err
	}
	return runCLI(ctx, args[1:])
}

func guardOurGateway(ctx context.Context, args []string) error {
	return runCLI(ctx, append([]string{guardCommand}, args...))
}

func runCLI(ctx context.Context, args []string) error {
	if code := cli.Run(ctx, args, os.Stdin, os.Stdout, os.Stderr, os.Getenv); code != 0 {
		return fmt.Errorf("exit code %d", code)
	}
	return nil
}
