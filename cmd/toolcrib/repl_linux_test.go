package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A person is asked for inputs, and shown where one goes on.
func TestReplOnATerminal(t *testing.T) {
	r := newRunner(t)
	file := r.write("servers:\n  calculator: {command: toolcrib, args: [demo-server, calculator]}\n")
	r.run(0, "refresh", "--config", file)
	master, tty := openTerminal(t)
	cmd := exec.Command("toolcrib", "run", "--config", file, "--repl")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "GORACE="+quickExit, "TERM=xterm")
	cmd.Stdin, cmd.Stderr = tty, tty
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	if _, err := io.WriteString(master, "1 +\n2\n:help\n:quit\n"); err != nil {
		t.Fatal(err)
	}
	value, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || value != "3\n" {
		t.Errorf("value %q, %v", value, err)
	}
	shown, _ := io.ReadAll(master) // ends with an error when the other end is closed
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"Lua over 5 tools of 1 server; :help says more", ">> ", ":reset  forget all inputs"} {
		if !strings.Contains(strings.ReplaceAll(string(shown), "\r", ""), want) {
			t.Errorf("the terminal does not show %q:\n%q", want, shown)
		}
	}
}
