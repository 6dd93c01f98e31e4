//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// write changes the configuration of a process that runs.
func (p *process) write(text string) {
	p.t.Helper()
	for i, arg := range p.cmd.Args {
		if arg == "--config" {
			if err := os.WriteFile(p.cmd.Args[i+1], []byte(text), 0o600); err != nil {
				p.t.Fatal(err)
			}
			return
		}
	}
	p.t.Fatal("the process has no --config")
}

// says waits for a line of the log.
func (p *process) says(want string) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if strings.Contains(p.log.text(), want) {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the log does not say %q:\n%s", want, p.log.text())
		}
	}
}

func TestServeFollowsItsFile(t *testing.T) {
	p := startHTTP(t, goodServer)
	p.write(strings.Replace(goodServer, "command", "comand", 1))
	p.says("the configuration changed and cannot be used")
	p.says(`toolcrib.yaml:3:5: unknown key`)
	if answer, err := p.call("echo", `{"text":"hello"}`); err != nil || !strings.Contains(answer, "hello") {
		t.Errorf("with a bad file: %v %s", err, answer)
	}
	p.write(goodServer + "  # a comment\n")
	p.says("the configuration can be used again")
	p.write(strings.Replace(goodServer, "servers:\n", "servers:\n  more: {command: no-such-program}\n", 1))
	p.says("the configuration changed and is in use")
	p.signal(syscall.SIGTERM)
	if code := p.exit(10 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
}

func TestServeDoesNotFollowItsFile(t *testing.T) {
	p := startHTTP(t, goodServer, "--no-watch", "--log-level", "debug")
	p.write("nonsense")
	if answer, err := p.call("echo", `{"text":"hello"}`); err != nil || !strings.Contains(answer, "hello") {
		t.Errorf("call: %v %s", err, answer)
	}
	p.signal(syscall.SIGTERM)
	p.exit(10 * time.Second)
	if strings.Contains(p.log.text(), "configuration changed") {
		t.Errorf("it watched:\n%s", p.log.text())
	}
}

// catalog --watch keeps its file in step with the configuration.
func TestCatalogIsKeptInStep(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "toolcrib.yaml"), filepath.Join(dir, "TOOLS.md")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(goodServer)
	cmd := exec.Command("toolcrib", "catalog", "--config", file, "--out", out, "--watch")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "GORACE="+quickExit)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	expect := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			text, _ := os.ReadFile(out)
			if strings.Contains(string(text), want) {
				return
			}
			if time.Now().After(deadline) {
				cmd.Process.Kill()
				cmd.Wait()
				t.Fatalf("the file has no %q:\n%s\n%s", want, text, said.String())
			}
		}
	}
	expect("| `echo` |")
	put(strings.Replace(goodServer, "servers:\n", "servers:\n  more: {command: no-such-program}\n", 1))
	expect("## more")
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, said.String())
	}
}
