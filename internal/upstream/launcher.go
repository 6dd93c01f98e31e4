package upstream

import (
	"os/exec"
	"runtime"
	"sync"
)

// A launcher starts children, all from one thread: on Linux a child is ended
// with the thread that started it, so that thread must live as long as we do.
type launcher struct {
	jobs  chan func()
	ended chan struct{}
	guard *guard

	mu   sync.Mutex
	pids map[int]bool // not yet collected
}

func newLauncher(g *guard) *launcher {
	l := &launcher{jobs: make(chan func()), ended: make(chan struct{}), guard: g, pids: map[int]bool{}}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this function
		defer close(l.ended)
		for job := range l.jobs {
			job()
		}
	}()
	return l
}

// close ends the thread; all children must be gone.
func (l *launcher) close() {
	close(l.jobs)
	<-l.ended
	l.guard.close()
}

func (l *launcher) start(cmd *exec.Cmd) error {
	done := make(chan error, 1)
	l.jobs <- func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		err := cmd.Start()
		if err == nil {
			l.pids[cmd.Process.Pid] = true
			l.guard.add(cmd.Process.Pid)
		}
		done <- err
	}
	return <-done
}

func (l *launcher) wait(cmd *exec.Cmd) error {
	l.guard.remove(cmd.Process.Pid)
	err := cmd.Wait()
	l.mu.Lock()
	delete(l.pids, cmd.Process.Pid)
	l.mu.Unlock()
	return err
}

// ours tells whether pid is a child that we will collect ourselves.
func (l *launcher) ours(pid int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pids[pid]
}
