//go:build unix

package upstream

import (
	"os/exec"
	"os/signal"
	"syscall"
)

// detach keeps the guard out of our process group, and so out of reach of what
// ends us.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func ignoreTermination() { signal.Ignore(syscall.SIGTERM, syscall.SIGHUP) }

func killGroup(pgid int) { syscall.Kill(-pgid, syscall.SIGKILL) }
