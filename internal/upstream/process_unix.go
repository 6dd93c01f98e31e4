//go:build unix

package upstream

import (
	"os/exec"
	"sync"
	"syscall"
)

// A group is a child's process group. Its number is the child's, and is only
// signalled while the child has not been reaped: until then the system gives
// that number to nobody else.
type group struct {
	mu   sync.Mutex
	pgid int // 0 before the start and after the end
}

func (g *group) prepare(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	return nil
}

func (g *group) started(cmd *exec.Cmd) { g.set(cmd.Process.Pid) }

func (g *group) set(pgid int) {
	g.mu.Lock()
	g.pgid = pgid
	g.mu.Unlock()
}

func (g *group) signal(s syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pgid > 1 {
		syscall.Kill(-g.pgid, s) // fails when all are gone already
	}
}

func (g *group) terminate() { g.signal(syscall.SIGTERM) }
func (g *group) kill()      { g.signal(syscall.SIGKILL) }
