package script

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// cacheDir spares every engine of the tests but the first compiling the program.
var cacheDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "toolcrib-script")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cacheDir = dir
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}
