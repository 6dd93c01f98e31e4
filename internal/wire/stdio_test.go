package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// ear is a Receiver that remembers noise as well.
type ear struct {
	*heard
	mu    sync.Mutex
	noise []string
}

func (e *ear) Noise(line []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.noise = append(e.noise, string(line[:min(len(line), 100)]))
}

func (e *ear) heardNoise() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.noise)
}

// newTestLink is a link whose server is a test.
func newTestLink(t *testing.T) (*StdioLink, *farEnd, *ear) {
	t.Helper()
	noLeaks(t)
	far, in, out := newFarEnd(t)
	e := &ear{heard: newHeard()}
	l := NewStdioLink(out, in, StdioLinkOptions{
		Receiver: e,
		Close:    func() error { out.Close(); return in.Close() },
		Explain:  func(err error) error { return fmt.Errorf("test server %w", err) },
	})
	t.Cleanup(func() { l.Close() })
	return l, far, e
}

type called struct {
	result string
	err    error
}

// callInBackground makes a call and returns where its end can be seen.
func callInBackground(ctx context.Context, l Link, method string) <-chan called {
	done := make(chan called, 1)
	go func() {
		result, err := l.Call(ctx, &Outgoing{Method: method})
		done <- called{string(result), err}
	}()
	return done
}

func wantCalled(t *testing.T, done <-chan called) called {
	t.Helper()
	select {
	case c := <-done:
		return c
	case <-time.After(testPatience):
		t.Fatal("the call did not end")
	}
	return called{}
}

func TestLinkCalls(t *testing.T) {
	l, far, _ := newTestLink(t)
	done := callInBackground(t.Context(), l, "work")
	far.want(`{"jsonrpc":"2.0","id":1,"method":"work"}`)
	far.say(`{"jsonrpc":"2.0","id":1,"result":{"n":9223372036854775807, "x":[ ]}}`)
	if c := wantCalled(t, done); c.err != nil || c.result != `{"n":9223372036854775807, "x":[ ]}` {
		t.Errorf("got %v", c)
	}
	done = callInBackground(t.Context(), l, "work")
	far.next()
	far.say(`{"jsonrpc":"2.0","id":2,"error":{"code":5,"message":"five","data":{"a": 1},"x":2}}`)
	c := wantCalled(t, done)
	var fault *Error
	if !errors.As(c.err, &fault) || string(fault.JSON()) != `{"code":5,"message":"five","data":{"a": 1},"x":2}` {
		t.Errorf("got %v", c.err)
	}
	if err := l.Notify(t.Context(), "n", []byte(`{"a":1}`)); err != nil {
		t.Error(err)
	}
	far.want(`{"jsonrpc":"2.0","method":"n","params":{"a":1}}`)
}

func TestLinkAnswersComeInAnyOrder(t *testing.T) {
	l, far, _ := newTestLink(t)
	const n = 300
	var calls sync.WaitGroup
	for range n {
		calls.Go(func() {
			params := []byte(`{"a":1}`)
			result, err := l.Call(t.Context(), &Outgoing{Method: "work", Params: params})
			if err != nil || string(result) != `{}` {
				t.Errorf("got %s, %v", result, err)
			}
		})
	}
	var ids []ID
	for range n {
		ids = append(ids, far.nextMessage().ID)
	}
	slices.Reverse(ids)
	for _, id := range ids {
		far.say(string(AppendResult(nil, id, []byte(`{}`))))
	}
	calls.Wait()
	if len(l.pending) > 0 {
		t.Errorf("%d calls are still waited for", len(l.pending))
	}
}

func TestLinkTellsOfCancelledCalls(t *testing.T) {
	l, far, _ := newTestLink(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := callInBackground(ctx, l, "work")
	far.next()
	cancel(errors.New(`not "needed"`))
	if tr := wantTransportError(t, wantCalled(t, done).err); !tr.Sent || tr.Error() != `not "needed"` {
		t.Errorf("got %v, sent %v", tr, tr.Sent)
	}
	far.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"not \"needed\""}}`)
	far.say(`{"jsonrpc":"2.0","id":1,"result":{}}`) // too late, and nothing to speak of

	ctx, cancel = context.WithCancelCause(t.Context())
	done = callInBackground(ctx, l, MethodInitialize)
	far.next()
	cancel(nil)
	wantCalled(t, done)
	if before := far.settle(); len(before) > 0 {
		t.Errorf("initialize must not be cancelled: %q", before)
	}
}

func TestLinkAnswersItsServer(t *testing.T) {
	l, far, e := newTestLink(t)
	cancelled := make(chan struct{})
	e.answer = func(ctx context.Context, method string, params []byte) ([]byte, error) {
		switch method {
		case "wait":
			<-ctx.Done()
			close(cancelled)
			return []byte(`{}`), nil
		case "fail":
			return nil, errors.New("no luck")
		}
		return params, nil
	}
	far.say(`{"jsonrpc":"2.0","id":"a","method":"ping"}`)
	far.want(`{"jsonrpc":"2.0","id":"a","result":{}}`)
	far.say(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x": 1}}`)
	far.want(`{"jsonrpc":"2.0","id":1,"result":{"x": 1}}`)
	far.say(`{"jsonrpc":"2.0","id":1,"method":"fail"}`)
	far.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no luck"}}`)

	far.say(`{"jsonrpc":"2.0","id":"w","method":"wait"}`, `{"jsonrpc":"2.0","id":"w","method":"echo","params":{}}`)
	if m := far.nextMessage(); m.ID != `"w"` || m.Fault == nil || m.Fault.Code != CodeInvalidRequest {
		t.Errorf("an id in use: %+v", m)
	}
	for _, odd := range []string{``, `,"params":{}`, `,"params":{"requestId":"none"}`, `,"params":{"requestId":{"a":1}}`, `,"params":{"requestId":1,"requestId":"w"}`} {
		far.say(`{"jsonrpc":"2.0","method":"notifications/cancelled"` + odd + `}`)
	}
	far.settle()
	select {
	case <-cancelled:
		t.Fatal("cancelled by something else")
	default:
	}
	far.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}`)
	wantDone(t, "the cancellation", cancelled)
	if before := far.settle(); len(before) > 0 {
		t.Errorf("a cancelled request was answered: %q", before)
	}
	far.say(`{"jsonrpc":"2.0","method":"hello","params":{"b":2}}`)
	if n := e.wait(t, "hello"); n.params != `{"b":2}` || n.related != nil {
		t.Errorf("got %+v", n)
	}
	if len(e.heardNoise()) > 0 || l.Err() != nil {
		t.Errorf("noise %q, %v", e.heardNoise(), l.Err())
	}
}

func TestLinkToleratesNoise(t *testing.T) {
	l, far, e := newTestLink(t)
	done := callInBackground(t.Context(), l, "work")
	far.next()
	far.say("Starting...", "", "   ", `{"level":"info"}`, "[1,2]", "\x1b[31mred")
	full := strings.Repeat("x", maxNoise-200)
	far.say(full)
	far.say(`{"jsonrpc":"2.0","method":"n"}`) // a message: counting starts again
	far.say(full)
	far.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	if c := wantCalled(t, done); c.err != nil {
		t.Errorf("got %v", c.err)
	}
	if noise := e.heardNoise(); len(noise) != 7 || noise[0] != "Starting..." {
		t.Errorf("noise %.200q", noise)
	}
}

func TestLinkEndsWithTooMuchNoise(t *testing.T) {
	for name, lines := range map[string][]string{
		"text":    {strings.Repeat("x", 1000)},
		"logs":    {`{"level":"info","msg":"` + strings.Repeat("x", 500) + `"}`},
		"batches": {"[" + strings.Repeat("1,", 50) + "2]"}, // not one message in them
	} {
		t.Run(name, func(t *testing.T) {
			l, far, _ := newTestLink(t)
			done := callInBackground(t.Context(), l, "work")
			far.next()
			go func() {
				for i := range 10_000 {
					if _, err := far.in.Write([]byte(lines[i%len(lines)] + "\n")); err != nil {
						return
					}
				}
			}()
			tr := wantTransportError(t, wantCalled(t, done).err)
			if !tr.Sent || !strings.Contains(tr.Error(), "test server printed more than 65536 bytes on its standard output that are no messages; the last line began") {
				t.Errorf("got %v", tr)
			}
			wantDone(t, "the end of the link", l.Done())
		})
	}
}

// F07: what the child writes without end is bounded by the limit of a message.
func TestLinkEndsWithATooLongLine(t *testing.T) {
	l, far, _ := newTestLink(t)
	done := callInBackground(t.Context(), l, "work")
	far.next()
	const sent = 200 << 20
	used := bytesAllocated(func() {
		written := make(chan int64, 1)
		go func() {
			n, _ := io.Copy(far.in, io.LimitReader(io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":"`), endless{}), sent))
			written <- n
		}()
		tr := wantTransportError(t, wantCalled(t, done).err)
		if !tr.Sent || tr.Error() != fmt.Sprintf("test server message too long: over %d bytes", MaxMessage) {
			t.Errorf("got %v", tr)
		}
		if n := <-written; n > MaxMessage+(2<<20) {
			t.Errorf("%d bytes were read", n)
		}
	})
	if used > MaxMessage+(8<<20) {
		t.Errorf("%d bytes of memory for a message of at most %d", used, MaxMessage)
	}
	if _, err := l.Call(t.Context(), &Outgoing{Method: "again"}); err == nil || wantTransportError(t, err).Sent {
		t.Errorf("a call on a link that is over: %v", err)
	}
}

func TestLinkSaysHowItsServerEnded(t *testing.T) {
	l, far, _ := newTestLink(t)
	done := callInBackground(t.Context(), l, "work")
	answered := callInBackground(t.Context(), l, "work")
	far.next()
	far.say(string(AppendResult(nil, far.nextMessage().ID, []byte(`{}`)))) // its last words
	far.in.Close()
	results := []called{wantCalled(t, done), wantCalled(t, answered)}
	slices.SortFunc(results, func(a, b called) int { return strings.Compare(b.result, a.result) })
	if results[0].result != `{}` || results[0].err != nil {
		t.Errorf("the call that was answered: %v", results[0])
	}
	if tr := wantTransportError(t, results[1].err); !tr.Sent || tr.Error() != "test server closed its standard output" {
		t.Errorf("got %v", tr)
	}
	wantDone(t, "the end", l.Done())
	if l.Err() == nil || l.Err().Error() != "test server closed its standard output" {
		t.Errorf("got %v", l.Err())
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestLinkCannotBeWrittenTo(t *testing.T) {
	l, far, _ := newTestLink(t)
	far.out.Close()
	_, err := l.Call(t.Context(), &Outgoing{Method: "work"})
	if tr := wantTransportError(t, err); tr.Sent || !strings.HasPrefix(tr.Error(), "test server could not be written to: ") {
		t.Errorf("got %v, sent %v", tr, tr.Sent)
	}
	wantDone(t, "the end", l.Done())
}

func TestClosedLink(t *testing.T) {
	l, far, e := newTestLink(t)
	asked := make(chan struct{})
	e.answer = func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		close(asked)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	done := callInBackground(t.Context(), l, "work")
	far.next()
	far.say(`{"jsonrpc":"2.0","id":1,"method":"ask"}`)
	wantDone(t, "the question", asked)
	var closing sync.WaitGroup
	for range 3 {
		closing.Go(func() {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	closing.Wait()
	if tr := wantTransportError(t, wantCalled(t, done).err); !tr.Sent || !errors.Is(tr, errClosed) {
		t.Errorf("got %v", tr)
	}
	if err := l.Notify(t.Context(), "n", nil); err == nil || wantTransportError(t, err).Sent {
		t.Errorf("got %v", err)
	}
}

// A child may close its output and read no more while it lives: an answer that
// is stuck on its way to it must not keep it alive.
func TestLinkEndsWithAnAnswerStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, fromServer := io.Pipe()
		stalled := newStalledWriter()
		e := &ear{heard: newHeard()}
		e.answer = func(context.Context, string, []byte) ([]byte, error) { return nil, nil }
		l := NewStdioLink(stalled, in, StdioLinkOptions{Receiver: e, Close: func() error { stalled.Close(); return in.Close() }})
		fromServer.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ask"}` + "\n"))
		synctest.Wait()
		began := time.Now()
		fromServer.Close()
		<-l.done
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestLinkTakesBatches(t *testing.T) {
	l, far, e := newTestLink(t)
	one, two := callInBackground(t.Context(), l, "work"), callInBackground(t.Context(), l, "work")
	far.next()
	far.next()
	far.say(` [{"jsonrpc":"2.0","id":2,"result":{}}, {"jsonrpc":"2.0","method":"n","params":{}},7,{"jsonrpc":"2.0","id":1,"result":{}}]`)
	for _, done := range []<-chan called{one, two} {
		if c := wantCalled(t, done); c.err != nil || c.result != "{}" {
			t.Errorf("got %v", c)
		}
	}
	e.wait(t, "n")
	if noise := e.heardNoise(); len(noise) != 1 || noise[0] != "7" {
		t.Errorf("noise %q", noise)
	}
}

// TestHalfAnAnswer has a server die in the middle of a line: its call fails as
// one whose server is gone, and can be made again where that does no harm.
func TestHalfAnAnswer(t *testing.T) {
	out, in := io.Pipe()
	drain, sink := io.Pipe()
	l := NewStdioLink(sink, out, StdioLinkOptions{Receiver: deaf{}, Close: func() error { sink.Close(); return in.Close() }})
	defer l.Close()
	go func() {
		asked := bufio.NewReader(drain)
		asked.ReadString('\n') // it dies when it has been asked
		go io.Copy(io.Discard, asked)
		io.WriteString(in, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te`)
		in.Close()
	}()
	_, err := l.Call(t.Context(), &Outgoing{Method: "tools/call"})
	var broken *TransportError
	if !errors.As(err, &broken) || !broken.Sent {
		t.Errorf("got %v", err)
	}
}
