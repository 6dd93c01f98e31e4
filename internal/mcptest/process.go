package mcptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// processVariable in the environment makes a test binary be a server.
const processVariable = "TOOLCRIB_MCPTEST"

// Main is for TestMain. Where Command asked for it the test binary becomes that
// server and exits; else the tests run, and goroutines that they leave behind
// fail them.
func Main(m *testing.M, o ...goleak.Option) {
	if name := os.Getenv(processVariable); name != "" {
		Exit(runProcess(Behaviour{Name: name, Args: os.Args[1:]}))
	}
	goleak.VerifyTestMain(m, o...)
}

// Exit ends a server that is a process of its own. Unlike os.Exit it does not wait for
// a second if it was built with the race detector.
func Exit(code int) { syscall.Exit(code) }

func runProcess(b Behaviour) int {
	err := serve(context.Background(), b, os.Stdin, os.Stdout, os.Stderr, true)
	var exit *ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Code
	case err != nil:
		fmt.Fprintln(os.Stderr, "mcptest:", err)
		return 2
	}
	return 0
}

// Command is what a server's spec needs to start a behaviour as a process of its
// own. The package's TestMain must call Main.
func Command(t testing.TB, name string, args ...string) (command string, arguments []string, env map[string]string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatalf("mcptest needs to know its own executable: %v", err)
	}
	b, ok := behaviours()[name]
	if !ok {
		t.Fatalf("no behaviour %q: use one of %q", name, Names())
	}
	if _, err := parseArgs(args, b.args); err != nil {
		t.Fatalf("behaviour %s: %v", name, err)
	}
	return self, args, map[string]string{processVariable: name}
}

// Pipe runs a behaviour in memory until the test ends, and returns the two ends
// that a client holds. Both are closed when the server ends.
func Pipe(t testing.TB, name string, args ...string) (fromServer io.ReadCloser, toServer io.WriteCloser) {
	t.Helper()
	serverIn, toServer := io.Pipe()
	fromServer, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		err := Serve(ctx, Behaviour{Name: name, Args: args}, serverIn, serverOut, io.Discard)
		serverOut.Close()
		serverIn.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		toServer.Close()
		fromServer.Close()
		var exit *ExitError
		if err := <-ended; err != nil && !errors.As(err, &exit) {
			t.Errorf("server %s: %v", name, err)
		}
	})
	return fromServer, toServer
}
