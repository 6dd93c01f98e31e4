package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"toolcrib/internal/cli"
	"toolcrib/internal/mcptest"
)

// TestMain makes the test binary be the programs that scripts use.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"toolcrib":  toolcrib,
		"mcpserver": func() { mcptest.Main(nil) }, // which one is in its environment
		"mcpstdio":  func() { os.Exit(stdioClient(os.Args[1:])) },
	})
}

// toolcrib is main; a server of the demo ends without the pause of quickExit, which
// its environment does not have.
func toolcrib() {
	if len(os.Args) > 1 && os.Args[1] == "demo-server" {
		mcptest.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	main()
}

func TestScripts(t *testing.T) {
	remote := mcptest.HTTP(t, nil)
	engine := t.TempDir() // those that run Lua share it: compiling it takes seconds with the race detector
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CONFIG_HOME", e.WorkDir+"/config")
			e.Setenv("XDG_STATE_HOME", e.WorkDir+"/state")
			e.Setenv("GORACE", quickExit)
			e.Setenv("REMOTE", remote.URL) // a server that is reached, not started
			if !runsLua.MatchString(filepath.Base(e.WorkDir)) {
				return nil
			}
			if err := os.MkdirAll(e.WorkDir+"/state/toolcrib", 0o700); err != nil {
				return err
			}
			return os.Symlink(engine, e.WorkDir+"/state/toolcrib/engine")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// runsLua tells the scripts that need the engine.
var runsLua = regexp.MustCompile(`^script-(run|flow|policy|aliases)`)

// quickExit is for GORACE: a program built with the race detector otherwise waits
// a second before it exits.
const quickExit = "atexit_sleep_ms=0"

// exits CODE PROGRAM ARGS... runs a program that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}
