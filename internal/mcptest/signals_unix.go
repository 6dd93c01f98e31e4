//go:build unix

package mcptest

import (
	"os"
	"syscall"
)

func terminationSignals() []os.Signal {
	return []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
}
