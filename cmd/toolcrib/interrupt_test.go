//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C in the middle of discover leaves nothing of the server, nor of what the
// server started.
func TestInterruptedDiscoverLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	told := filepath.Join(dir, "told")
	if err := syscall.Mkfifo(told, 0o600); err != nil {
		t.Fatal(err)
	}
	pids, err := os.OpenFile(told, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pids.Close()
	script := `trap "" TERM; sleep 600 & echo $! >` + told + `; echo $$ >` + told + `; wait; sleep 600`
	cmd := exec.Command("toolcrib", "discover", "--timeout", "60s", "--", "sh", "-c", script)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "GORACE="+quickExit)
	log := &strings.Builder{}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids.SetReadDeadline(time.Now().Add(30 * time.Second))
	var started []int
	for lines := bufio.NewScanner(pids); len(started) < 2; {
		if !lines.Scan() {
			cmd.Process.Kill()
			t.Fatalf("the server was not started: %v", lines.Err())
		}
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		started = append(started, pid)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: cmd, log: &logLines{}}
	if code := p.exit(15 * time.Second); code != 130 {
		t.Errorf("exit code %d:\n%s", code, log)
	}
	if log.String() != "toolcrib: stopped before it was done\n" {
		t.Errorf("it says:\n%s", log)
	}
	for _, pid := range started {
		if runs(pid) {
			t.Errorf("process %d still runs", pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// runs tells whether a process is there and has not ended. One that has ended
// stays until whoever inherited it takes note.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return runtime.GOOS != "linux" // there it has gone just now; elsewhere there is no such file
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// A reader that has seen enough, as head has, is nothing to complain about.
func TestReaderOfOutputGoes(t *testing.T) {
	r := newRunner(t)
	file := r.write("servers:\n  calculator: {command: toolcrib, args: [demo-server, calculator]}\n")
	r.run(0, "refresh", "--config", file)
	for _, args := range [][]string{{"tools", "list", "--config", file}, {"servers", "--json", "--config", file}} {
		cmd := exec.Command("toolcrib", args...)
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "GORACE="+quickExit)
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = writer, &said
		_ = cmd.Run()
		writer.Close()
		if code := cmd.ProcessState.ExitCode(); code != 1 || said.String() != "" {
			t.Errorf("%v: exit code %d, and it says %q", args, code, said.String())
		}
	}
}
