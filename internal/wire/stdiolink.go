package wire

import (
	"context"
	"errors"
	"io"
	"sync"
)

// StdioLinkOptions of a stdio link.
type StdioLinkOptions struct {
	Receiver Receiver
	// Close ends the process behind the pipes and returns when it is gone. It
	// is called once, by Close or after the pipes broke.
	Close func() error
	// Explain adds what is known about a stream that ended (the exit status,
	// the last words on standard error); may be nil.
	Explain func(error) error
}

// A StdioLink is a Link over a child's standard input and output.
type StdioLink struct {
	*peer
	o     StdioLinkOptions
	once  sync.Once
	ended error
	done  chan struct{}
}

// NewStdioLink starts reading what the child prints.
func NewStdioLink(stdin io.Writer, stdout io.Reader, o StdioLinkOptions) *StdioLink {
	l := &StdioLink{peer: newPeer(stdout, stdin, MaxMessage), o: o, done: make(chan struct{})}
	l.onNotification = func(m Message) { o.Receiver.Notification(nil, m.Method, m.Params) }
	l.onMalformed = func(line []byte, _ *MalformedError) { o.Receiver.Noise(line) }
	l.onRequest = func(m Message) func(context.Context) ([]byte, error) {
		return func(ctx context.Context) ([]byte, error) {
			return o.Receiver.Request(ctx, nil, m.Method, m.Params)
		}
	}
	l.explain = o.Explain
	go func() {
		defer close(l.done)
		err := l.read()
		if errors.Is(err, io.EOF) {
			err = errors.New("closed its standard output")
		}
		if o.Explain != nil {
			err = o.Explain(err)
		}
		l.stop(err)
		l.end() // first, since an answer may be stuck in a pipe that nobody reads
		l.busy.Wait()
	}()
	return l
}

// Call sends a request and waits for its answer.
func (l *StdioLink) Call(ctx context.Context, out *Outgoing) ([]byte, error) {
	return l.call(ctx, out.Method, out.Params)
}

// Notify sends a notification.
func (l *StdioLink) Notify(ctx context.Context, method string, params []byte) error {
	return l.send(ctx, "", method, params)
}

// Done is closed when the child's output ended.
func (l *StdioLink) Done() <-chan struct{} { return l.ctx.Done() }

// Err says why.
func (l *StdioLink) Err() error { return l.err() }

var errClosed = errors.New("the connection was closed")

// Close ends the child and waits until nothing of the link runs any more.
func (l *StdioLink) Close() error {
	l.stop(errClosed)
	l.end()
	<-l.done
	return l.ended
}

func (l *StdioLink) end() {
	l.once.Do(func() {
		if l.o.Close != nil {
			l.ended = l.o.Close()
		}
	})
}
