//go:build unix && !linux

package upstream

import (
	"os"
	"syscall"
)

// dieWithParent has nothing to ask for here: only Linux ends a child with its
// parent. The guard process does it for us.
func dieWithParent(*syscall.SysProcAttr) {}

// reap collects the child and then ends what is left of its group. A group's
// number stays taken while the group has members; if it has none the signal
// goes nowhere, unless the number was given away within these two lines.
func (g *group) reap(collect func() error, _ int) error {
	err := collect()
	g.kill()
	g.set(0)
	return err
}

func growPipe(*os.File) {}
