package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

var (
	errInterrupted = errors.New("interrupted")
	errTerminated  = errors.New("terminated")
)

// signals gives two contexts: soft ends at the first signal that asks us to
// stop, hard at the second. A third is not caught.
func signals(parent context.Context) (soft, hard context.Context, release func()) {
	hard, hardEnd := context.WithCancelCause(parent)
	soft, softEnd := context.WithCancelCause(hard)
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A reader that went away is an error of the write then, and not our end.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	go func() {
		for _, end := range []context.CancelCauseFunc{softEnd, hardEnd} {
			select {
			case sig := <-c:
				if sig == os.Interrupt {
					end(errInterrupted)
				} else {
					end(errTerminated)
				}
			case <-hard.Done():
				return
			}
		}
		signal.Stop(c)
	}()
	return soft, hard, func() {
		signal.Stop(c)
		signal.Stop(pipe)
		hardEnd(nil)
	}
}
