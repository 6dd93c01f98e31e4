package upstream

import "context"

// A Child is a process as the pool runs it, for tests of nothing but that.
type Child struct {
	p *process
	l *launcher
}

// StartChild launches one. Close it after its end.
func StartChild(spec Spec) (*Child, error) {
	l := newLauncher(nil)
	p, err := l.startProcess(&spec, func([]byte) {})
	if err != nil {
		l.close()
		return nil, err
	}
	return &Child{p, l}, nil
}

func (c *Child) Pid() int                { return c.p.cmd.Process.Pid }
func (c *Child) Exited() <-chan struct{} { return c.p.exited }
func (c *Child) Terminate()              { c.p.group.terminate() }
func (c *Child) Kill()                   { c.p.group.kill() }

// Close ends the child.
func (c *Child) Close() {
	c.p.stop(context.Background())
	c.p.stdout.Close()
	c.l.close()
}
