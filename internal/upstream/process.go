package upstream

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// How a child is ended: its input is closed, then it is asked, then it is made
// to. What is still there after killGrace hangs in the kernel, and waiting for
// it would be in vain.
const (
	closeGrace = 2 * time.Second
	termGrace  = 3 * time.Second
	killGrace  = 2 * time.Second
)

// strangerGrace is how long we read on after a child's end: somebody outside its
// group may hold its output open, and would keep us from noticing.
const strangerGrace = time.Second

// A process is a child with everything it starts: a process group of its own,
// so that nothing outlives it.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *tail
	group  group
	exited chan struct{} // closed when the child and its group are gone
	state  string        // "exit status 1"; set before exited is closed

	stopOnce sync.Once
}

// startProcess launches a server.
func (l *launcher) startProcess(s *Spec, log func(line []byte)) (*process, error) {
	path, err := findCommand(s)
	if err != nil {
		return nil, err
	}
	if err := checkDir(s.Dir); err != nil {
		return nil, err // else the system says that the command does not exist
	}
	cmd := exec.Command(path, s.Args...)
	cmd.Args[0] = s.Command
	cmd.Env = childEnv(s.Env)
	cmd.Dir = s.Dir
	p := &process{cmd: cmd, stderr: newTail(log), exited: make(chan struct{})}
	pipes, err := openPipes()
	if err != nil {
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.inR, pipes.outW, pipes.errW
	if err := p.group.prepare(cmd); err != nil {
		pipes.close()
		return nil, err
	}
	err = l.start(cmd)
	pipes.closeChildEnds()
	if err != nil {
		pipes.closeOurEnds()
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	p.stdin, p.stdout = pipes.inW, pipes.outR
	p.group.started(cmd)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		io.Copy(p.stderr, pipes.errR) // ends with the group, which holds the other end
		p.stderr.end()
		pipes.errR.Close()
	}()
	go p.wait(l, pipes.errR, drained)
	return p, nil
}

// wait reaps the child and whatever it left behind in its group.
func (p *process) wait(l *launcher, errR *os.File, drained chan struct{}) {
	err := p.group.reap(func() error { return l.wait(p.cmd) }, p.cmd.Process.Pid)
	p.state = "exited"
	if ps := p.cmd.ProcessState; ps != nil {
		p.state = ps.String()
	} else if err != nil {
		p.state = err.Error()
	}
	last := time.Now().Add(strangerGrace)
	p.stdout.SetReadDeadline(last)
	errR.SetReadDeadline(last) // fails when it is closed already
	<-drained
	close(p.exited)
}

// stop ends the child and its group, kindly first, and tells whether they are
// gone. When hard ends they get no more time.
func (p *process) stop(hard context.Context) bool {
	p.stopOnce.Do(func() { p.stdin.Close() })
	if p.gone(hard, closeGrace) {
		return true
	}
	if hard.Err() == nil {
		p.group.terminate()
		if p.gone(hard, termGrace) {
			return true
		}
	}
	p.group.kill()
	return p.gone(context.Background(), killGrace)
}

// gone waits for the end, shorter when ctx ends.
func (p *process) gone(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.exited:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// explain says how a child ended and what it said last.
func (p *process) explain(err error) error {
	select {
	case <-p.exited:
		err = fmt.Errorf("ended (%s)", p.state)
	case <-time.After(500 * time.Millisecond):
	}
	return p.stderr.addTo(err)
}

type childPipes struct{ inR, inW, outR, outW, errR, errW *os.File }

func openPipes() (*childPipes, error) {
	var c childPipes
	for _, ends := range [][2]**os.File{{&c.inR, &c.inW}, {&c.outR, &c.outW}, {&c.errR, &c.errW}} {
		r, w, err := os.Pipe()
		if err != nil {
			c.close()
			return nil, fmt.Errorf("make pipes for a child: %w", err)
		}
		*ends[0], *ends[1] = r, w
	}
	growPipe(c.outR)
	return &c, nil
}

func (c *childPipes) close() { c.closeChildEnds(); c.closeOurEnds() }

func (c *childPipes) closeChildEnds() { closeFiles(c.inR, c.outW, c.errW) }

func (c *childPipes) closeOurEnds() { closeFiles(c.inW, c.outR, c.errR) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
