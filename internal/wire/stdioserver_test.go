package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const (
	initializeLine  = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`
	initializedLine = `{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}}`
)

// A stdioAgent is an agent in the hands of a test, and the server it talks to.
type stdioAgent struct {
	*farEnd
	h     *scripted
	ended chan error // what ServeStdio returned
	stop  context.CancelFunc
}

func serveAgent(t *testing.T, h *scripted) *stdioAgent {
	t.Helper()
	noLeaks(t)
	far, in, out := newFarEnd(t)
	return serveStreams(t, far, in, out, h)
}

func serveStreams(t *testing.T, far *farEnd, in io.ReadCloser, out io.WriteCloser, h *scripted) *stdioAgent {
	ctx, stop := context.WithCancel(context.Background())
	a := &stdioAgent{farEnd: far, h: h, ended: make(chan error, 1), stop: stop}
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.ended <- ServeStdio(ctx, in, out, h, StdioOptions{Grace: 200 * time.Millisecond})
		out.Close()
	}()
	t.Cleanup(func() {
		stop()
		in.Close()
		<-done
	})
	return a
}

// legacyAgent has initialized.
func legacyAgent(t *testing.T, h *scripted) *stdioAgent {
	t.Helper()
	a := serveAgent(t, h)
	a.say(initializeLine)
	a.want(initializedLine)
	return a
}

func (a *stdioAgent) wantEnd() error {
	a.t.Helper()
	select {
	case err := <-a.ended:
		return err
	case <-time.After(testPatience):
		a.t.Fatal("the server did not end")
	}
	return nil
}

func (a *stdioAgent) wantFault(id ID, code int) *Error {
	a.t.Helper()
	m := a.nextMessage()
	if m.ID != id || m.Fault == nil || m.Fault.Code != code {
		a.t.Fatalf("got %+v %v, want code %d for %s", m, m.Fault, code, id)
	}
	return m.Fault
}

// echoing answers with the params.
func echoing(_ context.Context, in *Incoming) ([]byte, error) {
	return or(in.Params, []byte("{}")), nil
}

func or(b, other []byte) []byte {
	if b == nil {
		return other
	}
	return b
}

func TestStdioPipelinedStart(t *testing.T) {
	opened := make(chan struct{})
	var order []string
	var mu sync.Mutex
	h := &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, in.Method)
		if in.Era != Legacy || in.Version != Version202506 || in.Session == nil || string(in.Session.ClientInfo) != `{"name":"test","version":"1"}` || !in.Session.Capabilities.Elicitation {
			t.Errorf("got %+v", in)
		}
		return []byte(`{"tools":[]}`), nil
	}}
	slow := &slowStart{scripted: h, opened: opened}
	noLeaks(t)
	far, in, out := newFarEnd(t)
	ended := make(chan error, 1)
	go func() { ended <- ServeStdio(context.Background(), in, out, slow, StdioOptions{}) }()
	far.say(initializeLine, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	far.settle() // all of it has been read, and nothing is answered before initialize
	mu.Lock()
	if len(order) > 0 {
		t.Errorf("%v came before initialize was answered", order)
	}
	mu.Unlock()
	close(opened)
	lines := []string{far.next(), far.next()} // in either order
	for _, want := range []string{initializedLine, `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`} {
		if !slices.Contains(lines, want) {
			t.Errorf("got %q, not %s", lines, want)
		}
	}
	far.in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// slowStart answers initialize when opened is closed.
type slowStart struct {
	*scripted
	opened chan struct{}
}

func (h *slowStart) Serve(ctx context.Context, in *Incoming) ([]byte, error) {
	if in.Method == MethodInitialize {
		<-h.opened
	}
	return h.scripted.Serve(ctx, in)
}

func TestStdioBothEras(t *testing.T) {
	var mu sync.Mutex
	seen := map[Era]*Session{}
	h := &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if s := seen[in.Era]; s != nil && s != in.Session {
			t.Errorf("another session for %v", in.Era)
		}
		seen[in.Era] = in.Session
		if in.Session.Era != in.Era || in.Session.Version != in.Version {
			t.Errorf("a request of %v in a session of %v", in.Era, in.Session.Era)
		}
		if _, err := in.Session.Back.Request(t.Context(), MethodRootsList, nil); in.Era == Modern && !errors.Is(err, ErrNoRequests) {
			t.Errorf("a modern agent was asked: %v", err)
		}
		return []byte(`{"era":"` + in.Era.String() + `"}`), nil
	}}
	a := serveAgent(t, h)
	modern := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, id, modernMeta)
	}
	a.say(modern(1))
	a.want(`{"jsonrpc":"2.0","id":1,"result":{"era":"modern"}}`)
	a.say(initializeLine)
	a.want(initializedLine)
	a.say(modern(2))
	a.want(`{"jsonrpc":"2.0","id":2,"result":{"era":"modern"}}`)
	a.say(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	asked := a.nextMessage()
	if asked.Method != MethodRootsList || asked.Kind != Request {
		t.Fatalf("got %+v", asked)
	}
	a.say(string(AppendResult(nil, asked.ID, []byte(`{"roots":[]}`))))
	a.want(`{"jsonrpc":"2.0","id":3,"result":{"era":"legacy"}}`)
	a.in.Close()
	if err := a.wantEnd(); err != nil {
		t.Error(err)
	}
	if len(h.closed) != 2 || len(seen) != 2 || seen[Modern] == seen[Legacy] {
		t.Errorf("%d sessions were closed, %d seen", len(h.closed), len(seen))
	}
	for era, s := range seen {
		if s.Context().Err() == nil {
			t.Errorf("the %v session is still open", era)
		}
	}
}

// Sessions may be read at any time: -race finds it when they change.
func TestStdioSessionsDoNotChange(t *testing.T) {
	reading := make(chan struct{})
	h := &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		for i := 0; in.Method == "read" && ctx.Err() == nil && i < 1000; i++ {
			_ = in.Session.Era.String() + in.Session.Version + string(in.Session.ClientInfo)
			if i == 10 {
				close(reading)
			}
		}
		return nil, nil
	}}
	a := serveAgent(t, h)
	a.say(`{"jsonrpc":"2.0","id":1,"method":"read","params":{` + modernMeta + `}}`)
	wantDone(t, "reading", reading)
	a.say(initializeLine)
	lines := []string{a.next(), a.next()}
	if !slices.Contains(lines, initializedLine) {
		t.Errorf("got %q", lines)
	}
}

func TestStdioBeforeInitialize(t *testing.T) {
	a := serveAgent(t, &scripted{notified: func(_ *Session, method string, _ []byte) {
		t.Errorf("notified of %s by nobody", method)
	}})
	a.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if e := a.wantFault("1", CodeInvalidParams); !strings.Contains(e.Message, "initialize first") {
		t.Errorf("got %v", e)
	}
	a.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	a.want(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	a.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, c := range []struct {
		params string
		code   int
	}{
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}`, CodeUnsupportedVersion},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}`, CodeUnsupportedVersion},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, CodeInvalidParams},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}}`, CodeInvalidParams},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}`, CodeInvalidParams},
		{`{"_meta":null}`, CodeInvalidParams},
		{`{"Name":"x"}`, CodeInvalidParams},
	} {
		id := numberID(uint64(i))
		a.say(string(AppendRequest(nil, id, "tools/list", []byte(c.params))))
		a.wantFault(id, c.code)
	}
	for i, params := range []string{`{}`, `{"protocolVersion":7}`, `{"protocolVersion":""}`, `{"protocolVersion":"a","protocolVersion":"b"}`} {
		id := numberID(uint64(i))
		a.say(string(AppendRequest(nil, id, MethodInitialize, []byte(params))))
		a.wantFault(id, CodeInvalidParams)
	}
	a.say(`{"jsonrpc":"2.0","id":9,"method":"initialize"}`)
	a.wantFault("9", CodeInvalidParams)
	a.say(initializeLine)
	a.want(initializedLine)
	a.say(initializeLine)
	a.wantFault(`"init"`, CodeInvalidRequest)
	a.in.Close()
	if err := a.wantEnd(); err != nil || len(a.h.closed) != 1 {
		t.Errorf("%v, %d sessions closed", err, len(a.h.closed))
	}
}

// failingStart fails initialize the first time.
type failingStart struct {
	*scripted
	opened chan struct{}
	times  int
}

func (h *failingStart) Serve(ctx context.Context, in *Incoming) ([]byte, error) {
	if in.Method == MethodInitialize {
		if h.times++; h.times == 1 {
			<-h.opened
			return nil, Errorf(CodeInternal, "not now")
		}
	}
	return h.scripted.Serve(ctx, in)
}

func TestStdioInitializeMayBeRepeatedAfterItFailed(t *testing.T) {
	noLeaks(t)
	far, in, out := newFarEnd(t)
	h := &failingStart{scripted: &scripted{serve: echoing}, opened: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- ServeStdio(context.Background(), in, out, h, StdioOptions{}) }()
	a := &stdioAgent{farEnd: far}
	a.say(initializeLine, `{"jsonrpc":"2.0","id":1,"method":"early"}`)
	a.settle()
	close(h.opened)
	codes := map[ID]int{}
	for range 2 {
		m := a.nextMessage()
		codes[m.ID] = m.Fault.Code
	}
	if codes[`"init"`] != CodeInternal || codes["1"] != CodeInvalidRequest {
		t.Errorf("got %v", codes)
	}
	eventually(t, "the session was closed", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.closed) == 1
	})
	a.say(initializeLine)
	a.want(initializedLine)
	a.in.Close()
	if err := <-ended; err != nil || len(h.closed) != 2 {
		t.Errorf("%v, %d sessions closed", err, len(h.closed))
	}
}

func TestStdioCancellation(t *testing.T) {
	began, cause := make(chan struct{}), make(chan error, 1)
	a := legacyAgent(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		if in.Method != "wait" {
			return nil, nil
		}
		close(began)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return nil, ctx.Err()
	}})
	a.say(`{"jsonrpc":"2.0","id":"w","method":"wait"}`)
	wantDone(t, "the request", began)
	a.say(`{"jsonrpc":"2.0","id":"w","method":"other"}`)
	a.wantFault(`"w"`, CodeInvalidRequest) // the id is in use
	a.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w","reason":"x"}}`)
	if err := <-cause; !errors.Is(err, errCancelled) {
		t.Errorf("the cause is %v", err)
	}
	eventually(t, "the id is free", func() bool {
		a.say(`{"jsonrpc":"2.0","id":"w","method":"other"}`)
		m := a.nextMessage()
		return m.Fault == nil
	})
	if before := a.settle(); len(before) > 0 {
		t.Errorf("a cancelled request was answered: %q", before)
	}
}

func TestStdioAgentIsAsked(t *testing.T) {
	answers := make(chan called, 1)
	ctx, giveUp := context.WithCancelCause(t.Context())
	a := legacyAgent(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		if err := in.Back.Notify("n", []byte(`{"a":1}`)); err != nil {
			t.Error(err)
		}
		result, err := in.Back.Request(ctx, MethodElicit, []byte(`{"message":"?"}`))
		answers <- called{string(result), err}
		return []byte(`{"done":true}`), nil
	}})
	ask := func() ID {
		t.Helper()
		a.say(`{"jsonrpc":"2.0","id":1,"method":"work"}`)
		a.want(`{"jsonrpc":"2.0","method":"n","params":{"a":1}}`)
		m := a.nextMessage()
		if m.Method != MethodElicit || string(m.Params) != `{"message":"?"}` {
			t.Fatalf("got %+v", m)
		}
		return m.ID
	}
	const done = `{"jsonrpc":"2.0","id":1,"result":{"done":true}}`
	a.say(string(AppendResult(nil, ask(), []byte(`{"action":"accept"}`))))
	if c := wantCalled(t, answers); c.err != nil || c.result != `{"action":"accept"}` {
		t.Errorf("got %v", c)
	}
	a.want(done)
	a.say(string(AppendFault(nil, ask(), Errorf(-1, "user left"))))
	if c := wantCalled(t, answers); c.err == nil || AsError(c.err).Code != -1 {
		t.Errorf("got %v", c)
	}
	a.want(done)
	a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{},"error":{}}`, ask()))
	if c := wantCalled(t, answers); c.err == nil || !strings.Contains(c.err.Error(), "sent a malformed answer") {
		t.Errorf("got %v", c)
	}
	a.want(done) // and no error for the malformed answer, which had nobody waiting for it
	a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":"%s"}}`, ask(), strings.Repeat("x", maxAgentMessage)))
	if c := wantCalled(t, answers); c.err == nil || !strings.Contains(c.err.Error(), "sent a malformed answer: message too long") {
		t.Errorf("got %v", c)
	}
	a.want(done)
	id := ask()
	giveUp(errors.New("enough"))
	if c := wantCalled(t, answers); c.err == nil || c.err.Error() != "enough" {
		t.Errorf("got %v", c)
	}
	got := []string{a.next(), a.next()}
	slices.Sort(got)
	want := []string{done, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"enough"}}`, id)}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStdioManyRequestsAtOnce(t *testing.T) {
	release := make(chan struct{})
	a := legacyAgent(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		<-release
		return in.Params, nil
	}})
	const n = 300
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"work","params":{"n":%d}}`, i, i))
	}
	a.say(lines...)
	seen := map[ID]bool{}
	busy := 0
	for len(seen) < n {
		m := a.nextMessage()
		if seen[m.ID] {
			t.Fatalf("%s was answered twice", m.ID)
		}
		seen[m.ID] = true
		switch {
		case m.Fault == nil:
			if string(m.Result) != fmt.Sprintf(`{"n":%s}`, m.ID) {
				t.Errorf("got %+v", m)
			}
		case m.Fault.Code != CodeUpstreamBusy:
			t.Errorf("got %v", m.Fault)
		default:
			if busy++; busy == n-maxAnswering {
				close(release)
			}
		}
	}
	if busy > n-maxAnswering+1 { // initialize may count for a moment after its answer
		t.Errorf("%d requests were refused", busy)
	}
	if before := a.settle(); len(before) > 0 {
		t.Errorf("more came: %q", before)
	}
}

func TestStdioPingFlood(t *testing.T) {
	a := legacyAgent(t, &scripted{serve: echoing})
	const n = 5000
	go func() {
		for i := range n {
			a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
		}
	}()
	seen := map[ID]bool{}
	for range n {
		m := a.nextMessage()
		if m.Kind != Response || seen[m.ID] {
			t.Fatalf("got %+v", m)
		}
		seen[m.ID] = true
	}
	a.say(`{"jsonrpc":"2.0","id":1,"method":"work","params":{"a":1}}`)
	a.want(`{"jsonrpc":"2.0","id":1,"result":{"a":1}}`)
}

func TestStdioTooLongLine(t *testing.T) {
	a := legacyAgent(t, &scripted{serve: echoing})
	used := bytesAllocated(func() {
		if _, err := io.Copy(a.in, io.LimitReader(io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x","params":"`), endless{}), 50<<20)); err != nil {
			t.Error(err)
		}
		a.say("")
		a.wantFault("1", CodeInvalidRequest)
	})
	if used > maxAgentMessage+(8<<20) {
		t.Errorf("%d bytes of memory for a message of at most %d", used, maxAgentMessage)
	}
	a.say(`{"jsonrpc":"2.0","id":2,"method":"x","params":{"a":1}}`)
	a.want(`{"jsonrpc":"2.0","id":2,"result":{"a":1}}`)
	a.say(`{"params":{"a":"` + strings.Repeat("x", maxAgentMessage) + `"},"id":7,"method":"x","jsonrpc":"2.0"}`)
	a.wantFault("null", CodeInvalidRequest) // nobody can see whose it is
	// Malformed lines of an agent are answered, however many there are.
	for range 3 {
		a.say(strings.Repeat("x", 2*maxNoise))
		a.wantFault("null", CodeParse)
	}
	a.say(`{"jsonrpc":"2.0","id":3,"method":"x","params":{}}`)
	a.want(`{"jsonrpc":"2.0","id":3,"result":{}}`)
}

func TestStdioBatches(t *testing.T) {
	notes := make(chan string, 10)
	a := legacyAgent(t, &scripted{serve: echoing, notified: func(_ *Session, method string, _ []byte) { notes <- method }})
	a.say(`[{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1}},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"method":"ping"},7,[],{"jsonrpc":"2.0","id":3,"method":"x","params":[]}]`)
	var got []string
	for range 5 {
		m := a.nextMessage()
		code := 0
		if m.Fault != nil {
			code = m.Fault.Code
		}
		got = append(got, fmt.Sprintf("%s %d", m.ID, code))
	}
	slices.Sort(got)
	if want := []string{"1 0", "2 0", "3 -32600", "null -32600", "null -32600"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := <-notes; n != "n" {
		t.Errorf("got %s", n)
	}
	a.say(`[]`)
	a.wantFault("null", CodeInvalidRequest)
	a.say("[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, maxBatch) + `{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	a.wantFault("null", CodeInvalidRequest)
}

func TestStdioPanicIsAnInternalError(t *testing.T) {
	var log bytes.Buffer
	noLeaks(t)
	far, in, out := newFarEnd(t)
	a := &stdioAgent{farEnd: far}
	ended := make(chan error, 1)
	h := &scripted{serve: func(context.Context, *Incoming) ([]byte, error) { panic("oh") }}
	go func() {
		ended <- ServeStdio(context.Background(), in, out, h, StdioOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	}()
	a.say(initializeLine)
	a.want(initializedLine)
	a.say(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
	if e := a.wantFault("1", CodeInternal); strings.Contains(e.Message, "oh") {
		t.Errorf("the agent is told %v", e)
	}
	far.in.Close()
	if err := <-ended; err != nil || !strings.Contains(log.String(), "panic=oh") {
		t.Errorf("%v, logged %s", err, log.String())
	}
}

// A shell pipe closes its end at once and still wants its answers.
func TestStdioAnswersAfterTheEndOfInput(t *testing.T) {
	noLeaks(t)
	release := make(chan struct{})
	h := &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		switch in.Method {
		case "slow":
			<-release
		case MethodListen:
			<-in.Session.Context().Done()
			if ctx.Err() != nil {
				t.Error("the request itself was cancelled")
			}
		}
		return []byte(`{}`), nil
	}}
	input := strings.Join([]string{
		initializeLine, `{"jsonrpc":"2.0","id":1,"method":"slow"}`, `{"jsonrpc":"2.0","id":2,"method":"quick"}`, "garbage",
		`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{` + modernMeta + `}}`, `{"jsonrpc":"2.0","id":4,"method":"x","params":[]}`,
	}, "\n")
	out := &lockedBuffer{}
	ended := make(chan error, 1)
	go func() {
		ended <- ServeStdio(context.Background(), strings.NewReader(input), out, h, StdioOptions{Grace: testPatience})
	}()
	eventually(t, "the others are answered", func() bool { return strings.Count(out.String(), "\n") == 5 })
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	var ids []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		m, err := Parse([]byte(line))
		if err != nil {
			t.Error(err)
		}
		ids = append(ids, string(m.ID))
	}
	slices.Sort(ids)
	if want := []string{`"init"`, "1", "2", "3", "4", "null"}; !slices.Equal(ids, want) {
		t.Errorf("answered %q, want %q", ids, want)
	}
	if len(h.closed) != 2 {
		t.Errorf("%d sessions closed", len(h.closed))
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestStdioGraceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		causes := make(chan error, 1)
		h := &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return nil, ctx.Err()
		}}
		began := time.Now()
		out := &lockedBuffer{}
		if err := ServeStdio(t.Context(), strings.NewReader(initializeLine+"\n"+`{"jsonrpc":"2.0","id":1,"method":"x"}`), out, h, StdioOptions{}); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it took %v", took)
		}
		if err := <-causes; !errors.Is(err, errClosed) {
			t.Errorf("the cause is %v", err)
		}
		if strings.Count(out.String(), "\n") != 1 {
			t.Errorf("written: %s", out.String())
		}
	})
}

func TestStdioEndsWithItsContext(t *testing.T) {
	served := make(chan struct{}, 1)
	a := legacyAgent(t, &scripted{serve: func(context.Context, *Incoming) ([]byte, error) {
		served <- struct{}{}
		return nil, nil
	}})
	a.stop()
	if err := a.wantEnd(); err != nil {
		t.Error(err)
	}
	if len(a.h.closed) != 1 {
		t.Errorf("%d sessions closed", len(a.h.closed))
	}
	// What it reads later is nobody's business any more.
	a.in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"x"}` + "\n"))
	a.in.Close()
	select {
	case <-served:
		t.Error("a request was served after the end")
	default:
	}
}

func TestStdioOutputClosed(t *testing.T) {
	a := legacyAgent(t, &scripted{serve: echoing})
	a.out.Close()
	a.say(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
	if err := a.wantEnd(); !errors.Is(err, io.ErrClosedPipe) || !strings.HasPrefix(err.Error(), "agent could not be written to: ") {
		t.Errorf("got %v", err)
	}
	if len(a.h.closed) != 1 {
		t.Errorf("%d sessions closed", len(a.h.closed))
	}
}

func TestStdioStalledAgentIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, agent := io.Pipe()
		defer agent.Close()
		h := &scripted{serve: echoing}
		ended := make(chan error, 1)
		go func() { ended <- ServeStdio(t.Context(), in, newStalledWriter(), h, StdioOptions{}) }()
		go func() {
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(agent, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i); err != nil {
					return
				}
			}
		}()
		began := time.Now()
		err := <-ended
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) > 2*writeTimeout {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
		in.Close()
	})
}

func TestStdioBrokenInput(t *testing.T) {
	noLeaks(t)
	broken := errors.New("broken")
	in, agent := io.Pipe()
	agent.CloseWithError(broken)
	if err := ServeStdio(t.Context(), in, io.Discard, &scripted{}, StdioOptions{}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
