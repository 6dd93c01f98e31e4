package app

import (
	"context"
	"errors"
	"io"
	"syscall"

	"toolcrib/internal/wire"
)

// ServeStdio serves one agent until it closes in or ctx ends. Either way its
// running calls may finish first.
func (a *App) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	r := endable(ctx, in)
	defer r.Close()
	a.o.Log.Info("serving one agent on standard input and output")
	err := wire.ServeStdio(a.life, r, out, a.agents, wire.StdioOptions{Log: a.o.Log, Grace: drainTime})
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		a.o.Log.Info("the agent does not read any more", "error", err)
		return nil // it is gone, which is how all agents end
	}
	return err
}

// endable is in, and ends when ctx does. A read of standard input cannot be
// interrupted, so the goroutine in it stays until the process ends or in does.
func endable(ctx context.Context, in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { w.Close() })
	go func() {
		defer stop()
		_, err := io.CopyBuffer(writerOnly{w}, readerOnly{in}, make([]byte, 64<<10))
		w.CloseWithError(err) // nil means the end
	}()
	return r
}

// readerOnly and writerOnly hide the short cuts that would make io.CopyBuffer
// leave its buffer aside.
type (
	readerOnly struct{ io.Reader }
	writerOnly struct{ io.Writer }
)
