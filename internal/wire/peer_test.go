package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A farEnd is the other side of a stream, in the hands of a test.
type farEnd struct {
	t     testing.TB
	in    *io.PipeWriter // what we say
	out   *io.PipeReader // what we hear
	lines chan string
}

// newFarEnd returns both sides. What the near one writes is read all the time,
// and kept for next.
func newFarEnd(t testing.TB) (far *farEnd, nearIn *io.PipeReader, nearOut *io.PipeWriter) {
	far, nearIn, nearOut = newDeafEnd(t)
	go far.listen()
	return far, nearIn, nearOut
}

// newDeafEnd reads nothing until listen is called.
func newDeafEnd(t testing.TB) (far *farEnd, nearIn *io.PipeReader, nearOut *io.PipeWriter) {
	far = &farEnd{t: t, lines: make(chan string, 10_000)}
	nearIn, far.in = io.Pipe()
	far.out, nearOut = io.Pipe()
	t.Cleanup(far.close)
	return far, nearIn, nearOut
}

func (f *farEnd) listen() {
	defer close(f.lines)
	r := bufio.NewReader(f.out)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		f.lines <- strings.TrimSuffix(line, "\n")
	}
}

func (f *farEnd) close() {
	f.in.Close()
	f.out.Close()
}

// say writes lines, all at once.
func (f *farEnd) say(lines ...string) {
	f.t.Helper()
	if _, err := f.in.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		f.t.Errorf("the other side does not listen: %v", err)
	}
}

// next is the next line that came.
func (f *farEnd) next() string {
	f.t.Helper()
	select {
	case line, ok := <-f.lines:
		if !ok {
			f.t.Fatal("the stream has ended")
		}
		return line
	case <-time.After(testPatience):
		f.t.Fatal("nothing came")
	}
	return ""
}

// nextMessage is the next line, which must be a message.
func (f *farEnd) nextMessage() Message {
	f.t.Helper()
	line := f.next()
	m, err := Parse([]byte(line))
	if err != nil {
		f.t.Fatalf("%.200q: %v", line, err)
	}
	return m
}

// want checks that the next line is this one.
func (f *farEnd) want(line string) {
	f.t.Helper()
	if got := f.next(); got != line {
		f.t.Errorf("got %s\nwant %s", got, line)
	}
}

// settle makes sure that all lines said so far have been read: what they cause
// at once comes before the answer to a ping.
func (f *farEnd) settle() (before []string) {
	f.t.Helper()
	f.say(`{"jsonrpc":"2.0","id":"settle","method":"ping"}`)
	for {
		line := f.next()
		if line == `{"jsonrpc":"2.0","id":"settle","result":{}}` {
			return before
		}
		before = append(before, line)
	}
}

// newTestPeer is a bare peer that reads until the far end closes.
func newTestPeer(t *testing.T, in io.Reader, out io.WriteCloser, set func(*peer)) *peer {
	p := newPeer(in, out, MaxMessage)
	p.onRequest = func(m Message) func(context.Context) ([]byte, error) {
		return func(context.Context) ([]byte, error) { return m.Params, nil }
	}
	p.onNotification = func(Message) {}
	p.onMalformed = func([]byte, *MalformedError) {}
	if set != nil {
		set(p)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.stop(p.read())
		p.busy.Wait()
	}()
	t.Cleanup(func() {
		p.stop(errClosed)
		out.Close()
		if c, ok := in.(io.Closer); ok {
			c.Close()
		}
		<-ended
	})
	return p
}

func TestWhatIsWrittenIsOneLine(t *testing.T) {
	noLeaks(t)
	far, in, out := newFarEnd(t)
	// As an HTTP server may send it: with line ends between its tokens.
	pretty, err := Parse([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\r\n \"code\" : 5,\n \"message\" : \"a\\nb\",\n\"data\":[\n1]}}"))
	if err != nil {
		t.Fatal(err)
	}
	p := newTestPeer(t, in, out, func(p *peer) {
		p.onRequest = func(m Message) func(context.Context) ([]byte, error) {
			return func(context.Context) ([]byte, error) {
				switch m.Method {
				case "fail":
					return nil, pretty.Fault
				case "nothing":
					return nil, nil
				}
				return []byte("{\n\t\"a\":\r\n\"x\\ny\"\n}"), nil
			}
		}
	})
	far.say(`{"jsonrpc":"2.0","id":1,"method":"fail"}`)
	far.want(`{"jsonrpc":"2.0","id":1,"error":{ "code" : 5, "message" : "a\nb","data":[1]}}`)
	far.say(`{"jsonrpc":"2.0","id":2,"method":"work"}`)
	far.want(`{"jsonrpc":"2.0","id":2,"result":{` + "\t" + `"a":"x\ny"}}`)
	far.say(`{"jsonrpc":"2.0","id":3,"method":"nothing"}`)
	far.want(`{"jsonrpc":"2.0","id":3,"result":{}}`)
	large := strings.Repeat("\n1,", largeBody)
	if err := p.send(t.Context(), "", "n", []byte("{\"a\":["+large+"\n0]}")); err != nil {
		t.Error(err)
	}
	far.want(`{"jsonrpc":"2.0","method":"n","params":{"a":[` + strings.ReplaceAll(large, "\n", "") + `0]}}`)
}

// halfWriter takes a few bytes of the first write and then breaks; what comes
// later it would take.
type halfWriter struct {
	mu      sync.Mutex
	written bytes.Buffer
	broke   bool
}

func (w *halfWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.broke {
		w.broke = true
		w.written.Write(b[:10])
		return 10, errors.New("disk on fire")
	}
	return w.written.Write(b)
}

func (*halfWriter) Close() error { return nil }

func TestNothingFollowsHalfALine(t *testing.T) {
	noLeaks(t)
	in, _ := io.Pipe()
	w := &halfWriter{}
	p := newTestPeer(t, in, w, func(p *peer) {
		p.explain = func(err error) error { return fmt.Errorf("%w; there was smoke", err) }
	})
	_, err := p.call(t.Context(), "first", []byte(`{}`))
	if tr := wantTransportError(t, err); !tr.Sent || !strings.Contains(err.Error(), "disk on fire; there was smoke") {
		t.Errorf("got %v, sent %v", err, tr.Sent)
	}
	for range 50 { // either of two channels may be picked
		if err := p.send(context.Background(), "", "second", nil); err == nil {
			t.Fatal("a line went out behind half a line")
		}
	}
	if w.written.Len() != 10 {
		t.Errorf("%q was written", w.written.String())
	}
	if !strings.Contains(p.err().Error(), "disk on fire") {
		t.Errorf("the peer ended with %v", p.err())
	}
}

func wantTransportError(t *testing.T, err error) *TransportError {
	t.Helper()
	var tr *TransportError
	if !errors.As(err, &tr) {
		t.Fatalf("got %v, want a transport error", err)
	}
	return tr
}

// A peer that sends requests and reads no answers must not make us hold an
// answer, or a goroutine, for each. When it reads after all it gets them all.
func TestUnreadAnswersAreBounded(t *testing.T) {
	noLeaks(t)
	far, in, out := newDeafEnd(t)
	p := newTestPeer(t, in, out, nil)
	const flood = 5000
	said := make(chan int)
	go func() {
		defer close(said)
		for i := range flood {
			far.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
			said <- i
		}
	}()
	last := 0
	for stalled := false; !stalled; {
		select {
		case last = <-said:
		case <-time.After(time.Second):
			stalled = true
		}
	}
	if last > maxAnswering+maxRefusing+10 {
		t.Errorf("%d requests were taken while no answer was read", last)
	}
	p.mu.Lock()
	if p.working > maxAnswering || len(p.refusals) > maxRefusing {
		t.Errorf("%d requests and %d refusals under way", p.working, len(p.refusals))
	}
	p.mu.Unlock()
	go far.listen()
	go func() {
		for range said {
		}
	}()
	seen := map[ID]bool{}
	for range flood {
		m := far.nextMessage()
		if m.Kind != Response || seen[m.ID] || (m.Fault != nil && m.Fault.Code != CodeUpstreamBusy) {
			t.Fatalf("got %+v", m)
		}
		seen[m.ID] = true
	}
}

// 256 requests may be in work, but not 256 of the largest.
func TestRequestsInWorkAreBoundedInBytes(t *testing.T) {
	noLeaks(t)
	far, in, out := newFarEnd(t)
	release := make(chan struct{})
	newTestPeer(t, in, out, func(p *peer) {
		p.onRequest = func(m Message) func(context.Context) ([]byte, error) {
			return func(context.Context) ([]byte, error) {
				<-release
				return nil, nil
			}
		}
	})
	const size = 10 << 20
	padding := `,"x":"` + strings.Repeat("x", size) + `"`
	taken := maxHeld / size
	for i := range taken + 1 {
		far.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"work","params":{}%s}`, i, padding))
	}
	if m := far.nextMessage(); m.ID != numberID(uint64(taken)) || m.Fault == nil || m.Fault.Code != CodeUpstreamBusy {
		t.Errorf("one too many got %+v", m)
	}
	close(release)
	for range taken {
		if m := far.nextMessage(); m.Fault != nil {
			t.Errorf("got %v", m.Fault)
		}
	}
	eventually(t, "there is room again", func() bool { // which is a moment after the answers
		far.say(`{"jsonrpc":"2.0","id":1,"method":"work","params":{}` + padding + `}`)
		return far.nextMessage().Fault == nil
	})
}

// Each level of a batch in a batch would be read once more.
func TestBatchesDoNotNest(t *testing.T) {
	noLeaks(t)
	far, in, out := newFarEnd(t)
	var mu sync.Mutex
	bad := 0
	newTestPeer(t, in, out, func(p *peer) {
		p.onMalformed = func([]byte, *MalformedError) { mu.Lock(); bad++; mu.Unlock() }
	})
	far.say(strings.Repeat("[", 900) + `{"jsonrpc":"2.0","id":1,"method":"x","params":{}}` + strings.Repeat("]", 900))
	if before := far.settle(); len(before) > 0 || bad != 1 {
		t.Errorf("a batch in a batch was answered with %q; %d malformed messages", before, bad)
	}
}

// stalledWriter takes nothing, and keeps to its deadline.
type stalledWriter struct {
	mu       sync.Mutex
	deadline time.Time
	moved    chan struct{}
	closed   chan struct{}
	once     sync.Once
}

func newStalledWriter() *stalledWriter {
	return &stalledWriter{moved: make(chan struct{}, 100), closed: make(chan struct{})}
}

func (w *stalledWriter) SetWriteDeadline(at time.Time) error {
	w.mu.Lock()
	w.deadline = at
	w.mu.Unlock()
	w.moved <- struct{}{}
	return nil
}

func (w *stalledWriter) Write([]byte) (int, error) {
	for {
		w.mu.Lock()
		left := time.Until(w.deadline)
		w.mu.Unlock()
		if left <= 0 {
			return 0, os.ErrDeadlineExceeded
		}
		select {
		case <-time.After(left):
		case <-w.moved:
		case <-w.closed:
			return 0, os.ErrClosed
		}
	}
}

func (w *stalledWriter) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

func TestStalledPeerIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := io.Pipe()
		p := newTestPeer(t, in, newStalledWriter(), nil)
		began := time.Now()
		_, err := p.call(t.Context(), "x", []byte(`{}`))
		if tr := wantTransportError(t, err); tr.Sent || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v, sent %v", err, tr.Sent)
		}
		if took := time.Since(began); took < writeTimeout || took > 2*writeTimeout {
			t.Errorf("it took %v", took)
		}
		<-p.ctx.Done()
	})
}

// Callers keep their own deadlines although the other side does not read.
func TestCallsDoNotWaitForAStalledPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := io.Pipe()
		p := newTestPeer(t, in, newStalledWriter(), nil)
		large := []byte(`{"a":"` + strings.Repeat("x", largeBody) + `"}`)
		for i, params := range [][]byte{large, []byte(`{}`), nil, large} { // the first has the turn
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("too late"))
			began := time.Now()
			_, err := p.call(ctx, "x", params)
			if wantTransportError(t, err); err.Error() != "too late" || time.Since(began) != time.Second {
				t.Errorf("call %d: %v after %v", i, err, time.Since(began))
			}
			cancel()
		}
		if p.ctx.Err() != nil {
			t.Errorf("the peer was given up: %v", p.err())
		}
		if len(p.pending) > 0 {
			t.Errorf("%d calls are still waited for", len(p.pending))
		}
	})
}

// A call that was given up while it was being written is taken back.
func TestLargeCallIsCancelledOnceItIsOut(t *testing.T) {
	noLeaks(t)
	far, in, out := newDeafEnd(t)
	p := newTestPeer(t, in, out, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	result := make(chan error)
	go func() {
		_, err := p.call(ctx, "x", []byte(`{"a":"`+strings.Repeat("x", largeBody)+`"}`))
		result <- err
	}()
	first := make([]byte, 1)
	if _, err := io.ReadFull(far.out, first); err != nil {
		t.Fatal(err)
	}
	cancel(errors.New("changed my mind"))
	if tr := wantTransportError(t, <-result); !tr.Sent || tr.Error() != "changed my mind" {
		t.Errorf("got %v, sent %v", tr, tr.Sent)
	}
	go far.listen()
	if line := string(first) + far.next(); !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,"method":"x",`) || CheckJSON([]byte(line)) != nil {
		t.Errorf("got %.100s", line)
	}
	far.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"changed my mind"}}`)
}

// echoEnd answers every request on a stream with the same result, cheaply.
func echoEnd(in io.WriteCloser, out io.Reader) {
	defer in.Close()
	buf := make([]byte, 4096)
	answer := make([]byte, 0, 4096)
	for {
		n, err := out.Read(buf)
		if err != nil {
			return
		}
		id := buf[bytes.Index(buf[:n], []byte(`"id":`))+5 : n]
		answer = append(answer[:0], `{"jsonrpc":"2.0","id":`...)
		answer = append(answer, id[:bytes.IndexByte(id, ',')]...)
		answer = append(answer, `,"result":{"content":[{"type":"text","text":"hello"}]}}`+"\n"...)
		if _, err := in.Write(answer); err != nil {
			return
		}
	}
}

func echoLink(t testing.TB) *StdioLink {
	stdin, toServer := io.Pipe()
	fromServer, stdout := io.Pipe()
	go echoEnd(stdout, stdin)
	l := NewStdioLink(toServer, fromServer, StdioLinkOptions{Receiver: newHeard(), Close: func() error { toServer.Close(); return fromServer.Close() }})
	t.Cleanup(func() { l.Close() })
	return l
}

func TestCallAllocations(t *testing.T) {
	l := echoLink(t)
	out := &Outgoing{Method: MethodToolsCall, Params: []byte(legacyParams)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := testing.AllocsPerRun(500, func() {
		if _, err := l.Call(ctx, out); err != nil {
			t.Fatal(err)
		}
	})
	if n > 10 {
		t.Errorf("%v allocations for a call and its answer", n)
	}
}

func BenchmarkStdioCall(b *testing.B) {
	l := echoLink(b)
	out := &Outgoing{Method: MethodToolsCall, Params: []byte(legacyParams)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Call(b.Context(), out); err != nil {
			b.Fatal(err)
		}
	}
}
