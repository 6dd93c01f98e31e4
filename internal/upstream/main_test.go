package upstream_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
)

// long runs the tests that take minutes.
var long = flag.Bool("long", false, "run faults as often as their figures say, and those that take minutes")

// rounds is how often a fault is tried.
func rounds(short, all int) int {
	if *long {
		return all
	}
	return short
}

// roles are what the test binary can be other than a test or a server, by its
// first argument.
var roles = map[string]func() error{
	"as-guard": func() error { upstream.Guard(os.Stdin); return nil },
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && roles[os.Args[1]] != nil {
		if err := roles[os.Args[1]](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	flag.Set("test.parallel", "8") // they wait most of the time
	mcptest.Main(m)
}

// as is the command that starts the test binary in a role.
func as(t testing.TB, role string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if roles[role] == nil {
		t.Fatalf("no role %q", role)
	}
	return []string{self, role}
}
