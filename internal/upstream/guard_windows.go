package upstream

import (
	"os/exec"
	"syscall"
)

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func ignoreTermination() {}

// killGroup has nothing to do: a child's job object ended with us.
func killGroup(int) {}
