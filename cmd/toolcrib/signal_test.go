//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Calls that run when SIGTERM comes get their answers, and the process ends well.
func TestTerminateLetsRunningCallsFinish(t *testing.T) {
	p := startHTTP(t, goodServer)
	const callers = 20
	answered := make(chan struct{}, callers)
	for range callers {
		go func() {
			if answer, err := p.call("slow", `{"ms":2000}`); err != nil || !strings.Contains(answer, "done") {
				t.Errorf("a running call: %v %s", err, answer)
			}
			answered <- struct{}{}
		}()
	}
	p.untilCalled("slow", callers)
	p.signal(syscall.SIGTERM)
	for range callers {
		<-answered
	}
	if code := p.exit(10 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
	if _, err := p.call("echo", `{"text":"late"}`); err == nil {
		t.Error("a call after the end was answered")
	}
}

// Under 200 calls a second, SIGTERM fails none that is running.
func TestTerminateUnderLoad(t *testing.T) {
	p := startHTTP(t, goodServer)
	if _, err := p.call("echo", `{"text":"warm"}`); err != nil {
		t.Fatal(err)
	}
	const (
		agents = 40
		lasts  = `{"ms":200}`
		// A call that was made so shortly before the signal may not have arrived.
		onTheWay = 100 * time.Millisecond
	)
	type failure struct {
		made time.Time
		err  error
	}
	var good atomic.Int64
	busy := make(chan struct{}) // closed when the load has been on for a while
	failures := make(chan failure, agents)
	for range agents {
		go func() {
			for {
				made := time.Now()
				answer, err := p.call("slow", lasts)
				if err == nil && !strings.Contains(answer, "done") {
					err = errors.New(answer)
				}
				if err != nil {
					failures <- failure{made, err}
					return
				}
				if good.Add(1) == 5*agents {
					close(busy)
				}
			}
		}()
	}
	select {
	case <-busy:
	case f := <-failures:
		t.Fatalf("a call failed before any signal: %v", f.err)
	case <-time.After(60 * time.Second):
		t.Fatal("the calls took more than a minute")
	}
	told := time.Now()
	p.signal(syscall.SIGTERM)
	for range agents { // each goes on until it is not let in again
		if f := <-failures; told.Sub(f.made) > onTheWay {
			t.Errorf("a call that was running for %s failed: %v", told.Sub(f.made), f.err)
		}
	}
	if code := p.exit(10 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		signal syscall.Signal
		code   int
	}{"SIGTERM": {syscall.SIGTERM, 1}, "SIGINT": {syscall.SIGINT, 130}} {
		t.Run(name, func(t *testing.T) {
			p := startHTTP(t, goodServer)
			called := make(chan struct{})
			go func() {
				defer close(called)
				p.call("slow", `{"ms":60000}`)
			}()
			p.untilCalled("slow", 1)
			p.signal(c.signal)
			p.untilStopping()
			start := time.Now()
			p.signal(c.signal)
			if code := p.exit(10 * time.Second); code != c.code {
				t.Errorf("exit code %d, want %d:\n%s", code, c.code, p.log.text())
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %s", d)
			}
			<-called
		})
	}
}

// untilStopping waits until the process takes no connections any more.
func (p *process) untilStopping() {
	p.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		if _, err := p.call("echo", `{"text":"x"}`); err != nil {
			return
		}
	}
	p.t.Fatal("still takes calls after the first signal")
}

func TestInterruptIsExitCode130(t *testing.T) {
	p := startHTTP(t, goodServer)
	p.signal(syscall.SIGINT)
	if code := p.exit(10 * time.Second); code != 130 {
		t.Errorf("exit code %d:\n%s", code, p.log.text())
	}
}

// An agent that stops reading ends its gateway, without a crash on the pipe.
func TestClosedStandardOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "toolcrib.yaml")
	if err := os.WriteFile(file, []byte(goodServer), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("toolcrib", "serve", "--config", file)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log := &logLines{}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go log.read(stderr, regexp.MustCompile("$^"), nil)
	out.Close()
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: cmd, log: log}
	if code := p.exit(20 * time.Second); code != 0 {
		t.Errorf("exit code %d:\n%s", code, log.text())
	}
}
