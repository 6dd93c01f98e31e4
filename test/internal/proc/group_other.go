//go:build !unix

package proc

import "os/exec"

func ownGroup(*exec.Cmd) {}

func askToEnd(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
