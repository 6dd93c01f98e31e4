package app

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"toolcrib/internal/mcptest"
)

func TestMain(m *testing.M) {
	// Compiling the engine takes seconds with the race detector. The directory is
	// made when it is needed.
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("toolcrib-app-engine-%d", os.Getpid()))
	scriptCache = func(string) string { return dir }
	mcptest.Main(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}
