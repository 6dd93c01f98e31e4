//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Ctrl-C ends a call and a script, and their servers; of a script it is told what
// it had done.
func TestInterruptedCallAndRun(t *testing.T) {
	r := newRunner(t)
	file := r.write("servers:\n  good: {command: mcpserver, env: {TOOLCRIB_MCPTEST: good, GORACE: atexit_sleep_ms=0}}\n")
	r.run(0, "refresh", "--config", file)
	lua := filepath.Join(r.dir, "slow.lua")
	if err := os.WriteFile(lua, []byte("local slow = good.slow({ms = 600000})\ngood.stderr({text = 'begun'}):await()\nslow:await()"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		args  []string
		begun string // in the log
		says  []string
	}{
		{"call", []string{"tools", "call", "--config", file, "good.slow", "--arg", "ms=600000"}, "server connected", nil},
		{"run", []string{"run", "--config", file, lua}, "begun", []string{"calls made:", "good.slow  ", "cancelled"}},
		{"repl", []string{"run", "--config", file, "--repl", lua}, "begun", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("toolcrib", append(c.args, "--log-level", "debug")...)
			cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "GORACE="+quickExit)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			said, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			kill := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
			defer kill.Stop()
			var log strings.Builder
			lines := bufio.NewScanner(io.TeeReader(said, &log))
			for lines.Scan() && !strings.Contains(lines.Text(), c.begun) {
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(log.String(), "toolcrib: stopped before it was done") {
				t.Errorf("exit code %d:\n%s", code, log.String())
			}
			for _, want := range c.says {
				if !strings.Contains(log.String(), want) {
					t.Errorf("it does not say %q:\n%s", want, log.String())
				}
			}
		})
	}
}
