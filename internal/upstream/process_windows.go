package upstream

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A group is a job object: Windows ends everything in it when its handle is
// closed, also when that is because we died.
type group struct {
	mu  sync.Mutex
	job windows.Handle
}

func (g *group) prepare(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("create a job object: %w", err)
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		windows.CloseHandle(job)
		return fmt.Errorf("set up a job object: %w", err)
	}
	g.job = job
	return nil
}

func (g *group) started(cmd *exec.Cmd) {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err != nil {
		return // it has ended already
	}
	defer windows.CloseHandle(h)
	windows.AssignProcessToJobObject(g.job, h) // fails when it has ended
}

// terminate is what kill is: Windows has no way to ask a process without a window.
func (g *group) terminate() { g.kill() }

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		windows.TerminateJobObject(g.job, 1)
	}
}

func (g *group) reap(collect func() error, _ int) error {
	err := collect()
	g.kill()
	g.mu.Lock()
	defer g.mu.Unlock()
	windows.CloseHandle(g.job)
	g.job = 0
	return err
}

func growPipe(*os.File) {}
