// Command toolcrib is a gateway in front of many MCP servers.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"toolcrib/internal/cli"
)

// A gateway holds little and throws much away: collecting less often costs a few
// megabytes and saves a good part of the work. GOGC says otherwise.
const collectAt = 300

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
