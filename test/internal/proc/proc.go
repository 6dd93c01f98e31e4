// Package proc runs the processes of the benchmarks, the conformance run and the
// end-to-end run: each in a process group of its own, so that what it leaves
// behind can be found and ended without touching anything else.
package proc

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// A Spec says what to run.
type Spec struct {
	Name    string // for messages
	Command []string
	Dir     string
	Env     []string  // all of it; nil inherits
	Log     io.Writer // gets stdout and stderr; nil discards
	Ready   string    // host:port that accepts connections once it is ready; "" does not wait
}

// A Process is a running child.
type Process struct {
	Name string
	Pid  int

	cmd  *exec.Cmd
	done chan struct{}
	err  error
	once sync.Once
}

// Start runs a process and waits until it is ready.
func Start(ctx context.Context, s Spec) (*Process, error) {
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	cmd.Stdout, cmd.Stderr = s.Log, s.Log
	ownGroup(cmd)
	// Pipes that a grandchild holds open must not keep Wait from returning.
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Name, err)
	}
	p := &Process{Name: s.Name, Pid: cmd.Process.Pid, cmd: cmd, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := p.waitReady(ctx, s.Ready); err != nil {
		p.Stop(0)
		return nil, err
	}
	return p, nil
}

func (p *Process) waitReady(ctx context.Context, addr string) error {
	if addr == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return fmt.Errorf("%s ended before it listened on %s: %v", p.Name, addr, p.err)
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen on %s: %w", p.Name, addr, ctx.Err())
		case <-tick.C:
			c, err := net.DialTimeout("tcp", addr, time.Second)
			if err == nil {
				return c.Close()
			}
		}
	}
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stop asks the process to end, waits as long as grace, then kills its whole
// group. It returns the processes of the group that outlived the polite part.
func (p *Process) Stop(grace time.Duration) (left []int) {
	p.once.Do(func() {
		if grace > 0 {
			askToEnd(p.cmd)
			select {
			case <-p.done:
			case <-time.After(grace):
			}
		}
		left = members(p.Pid)
		killGroup(p.cmd)
		<-p.done
	})
	return left
}

// Kill ends the process alone and at once, as a crash would.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// FreePort returns a loopback address that nobody listens on. It is not one of those that
// systems give to connections that go out: one of these could take it before whoever is to
// listen on it does.
func FreePort() (string, error) {
	var why error
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(10000+rand.IntN(20000)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
		why = err
	}
	return "", why
}
