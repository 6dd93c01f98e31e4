package upstream

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel end a child when the thread that started it is
// gone, which is when we are killed (see launcher).
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// reap waits for the child's end without collecting it, ends what is left of
// its group, and only then collects it: the number is signalled for the last
// time while it still is the child's.
func (g *group) reap(collect func() error, pid int) error {
	for {
		var info unix.Siginfo
		if unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil) != unix.EINTR {
			break
		}
	}
	g.kill()
	g.set(0)
	return collect()
}

// growPipe lets a child write a large answer in fewer turns.
func growPipe(f *os.File) {
	if c, err := f.SyscallConn(); err == nil {
		c.Control(func(fd uintptr) {
			unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) // refused: it stays as it is
		})
	}
}
