//go:build !unix

package mcptest

import "os"

func terminationSignals() []os.Signal { return []os.Signal{os.Interrupt} }
