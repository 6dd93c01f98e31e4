package mcptest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startProcess starts a behaviour as a process that is killed with the test.
func startProcess(t *testing.T, name string, args ...string) (cmd *exec.Cmd, c *rawClient, exited <-chan error) {
	t.Helper()
	command, arguments, env := Command(t, name, args...)
	cmd = exec.Command(command, arguments...)
	cmd.Env = os.Environ()
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c = &rawClient{t: t, in: in, lines: make(chan string, 1000)}
	done := make(chan error, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.lines <- lines.Text()
		}
		close(c.lines)
		done <- cmd.Wait()
		close(done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		in.Close()
		<-done
	})
	return cmd, c, done
}

func TestGoodProcessEndsWithItsInput(t *testing.T) {
	_, c, exited := startProcess(t, "good")
	c.send(discoverLine)
	c.answer("1")
	c.in.Close()
	if err := receive(t, exited); err != nil {
		t.Errorf("exit: %v", err)
	}
}

func TestIgnoreTermStays(t *testing.T) {
	cmd, c, exited := startProcess(t, "ignore-term")
	c.send(discoverLine)
	c.answer("1")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.in.Close()
	select {
	case err := <-exited:
		t.Fatalf("it went: %v", err)
	case <-time.After(300 * time.Millisecond): // long enough for a process that does obey
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	receive(t, exited)
}

func TestForksLeavesChildren(t *testing.T) {
	file := t.TempDir() + "/pids"
	_, c, exited := startProcess(t, "forks", "n=2", "leave=true", "pids="+file)
	c.send(rawRequest(1, true, "tools/call", json.RawMessage(`{"name":"children"}`)))
	var res struct {
		StructuredContent struct{ Pids []int }
	}
	if err := json.Unmarshal(c.answer("1").result, &res); err != nil {
		t.Fatal(err)
	}
	pids := res.StructuredContent.Pids
	if len(pids) != 2 {
		t.Fatalf("children %v", pids)
	}
	written, err := os.ReadFile(file)
	if err != nil || len(strings.Fields(string(written))) != 2 {
		t.Errorf("file %q, %v", written, err)
	}
	c.send(rawRequest(2, true, "tools/call", json.RawMessage(`{"name":"leave"}`)))
	if err := receive(t, exited); err != nil {
		t.Errorf("exit: %v", err)
	}
	for _, pid := range pids {
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("child %d did not stay: %v", pid, err)
		}
		if err := p.Kill(); err != nil {
			t.Errorf("kill %d: %v", pid, err)
		}
	}
}

func TestProcessWithBadArguments(t *testing.T) {
	if code := runProcess(Behaviour{Name: "no-such"}); code != 2 {
		t.Errorf("code %d", code)
	}
}
