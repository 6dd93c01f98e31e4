// Command toolcrib is a gateway in front of many MCP servers.
package main

import (
	"context"
	"os"

	"toolcrib/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
