package upstream

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// quiet is how long a disposable server may say nothing more before it has
	// said everything.
	quiet = 1500 * time.Millisecond
	// maxCollected bounds what is kept of its output: the longest answer of a real
	// server has 2.1 MB.
	maxCollected = 4 << 20
)

// LaunchOnce starts a stdio server a second time, with variables added to its
// environment and input written to it, and returns what it printed until it was
// quiet, ended, or ctx did. Nothing of it is left afterwards. That it ended by
// itself with another code than 0 is an *exec.ExitError.
func (p *Pool) LaunchOnce(ctx context.Context, server string, env map[string]string, input []byte) (stdout, stderr []byte, err error) {
	s, err := p.server(server)
	if err != nil {
		return nil, nil, err
	}
	if s.spec.Transport != Stdio {
		return nil, nil, errors.New("is not started by us: it is reached at a url")
	}
	release, ok := s.hold()
	if !ok {
		return nil, nil, errRemoved
	}
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ended, cancel)()
	spec := s.spec
	spec.Env = maps.Clone(s.spec.Env)
	if spec.Env == nil {
		spec.Env = map[string]string{}
	}
	maps.Copy(spec.Env, env)
	child, err := p.launcher.startProcess(&spec, func([]byte) {})
	if err != nil {
		return nil, nil, err
	}
	out := &collector{heard: make(chan struct{}, 1)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		out.fill(child.stdout)
	}()
	child.stdin.SetWriteDeadline(time.Now().Add(quiet)) // one that does not read shall not hold us up
	child.stdin.Write(input)                            // nor one that has ended
	alone := out.wait(ctx, child)
	hurry, rest := context.WithTimeout(p.hard, quiet)
	defer rest()
	if !child.stop(hurry) {
		child.stdout.SetReadDeadline(time.Now()) // the system does not let it go
	}
	<-read
	child.stdout.Close()
	if ps := child.cmd.ProcessState; alone && ps != nil && !ps.Success() {
		err = &exec.ExitError{ProcessState: ps}
	}
	return out.bytes(), []byte(child.stderr.text()), err
}

// A collector keeps the beginning of what a server prints.
type collector struct {
	heard chan struct{}
	mu    sync.Mutex
	buf   bytes.Buffer
}

func (c *collector) fill(f *os.File) {
	chunk := make([]byte, 32<<10)
	for {
		n, err := f.Read(chunk)
		c.mu.Lock()
		c.buf.Write(chunk[:min(n, maxCollected-c.buf.Len())])
		c.mu.Unlock()
		if n > 0 {
			select {
			case c.heard <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// wait returns when the server has ended, or said something and then nothing
// more, or ctx has ended. It tells whether the server has.
func (c *collector) wait(ctx context.Context, child *process) (ended bool) {
	var silence <-chan time.Time
	for {
		select {
		case <-c.heard:
			silence = time.After(quiet)
		case <-silence:
			return false
		case <-child.exited:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func (c *collector) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.buf.Bytes())
}

// Rest stops a server's process if nobody is using it: it was started only to
// be asked something.
func (p *Pool) Rest(server string) {
	s, err := p.server(server)
	if err != nil || s.spec.Transport != Stdio {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sl := range s.slots {
		if c := sl.conn; c != nil && sl.users == 0 && !s.carries(c) {
			s.lostLocked(c, nil)
			s.goLocked(func() { c.link.Close() })
		}
	}
}
