//go:build !linux

package upstream

// reapOrphans has nothing to do: containers run Linux.
func (l *launcher) reapOrphans() (stop func()) { return func() {} }
