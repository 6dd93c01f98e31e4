package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// legacyRequest is a request with an id.
func legacyRequest(id, method string, headers map[string]string) call {
	return call{body: `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`, headers: headers}
}

func TestSessionIsNegotiatedAndDescribed(t *testing.T) {
	got := make(chan *Incoming, 1)
	e := serveHTTP(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		got <- in
		return nil, nil
	}}, HTTPOptions{})
	for asked, want := range map[string]string{
		Version202511: Version202511, Version202506: Version202506, Version202503: Version202503,
		Version202411: Version202411, "1999-01-01": Version202511,
	} {
		session := e.initialize(asked)
		session[headerVersion] = ""
		if _, body := e.do(legacyRequest("7", "x", session)); body != `{"jsonrpc":"2.0","id":7,"result":{}}` {
			t.Errorf("body = %s", body)
		}
		in := <-got
		if in.Era != Legacy || in.Version != want || in.Session.Version != want || !in.Session.Capabilities.Elicitation || !strings.Contains(string(in.Session.ClientInfo), `"t"`) {
			t.Errorf("asked for %s: %+v", asked, in)
		}
	}
}

func TestEndedSessionIsNotFound(t *testing.T) { // F38
	h := &scripted{}
	e := serveHTTP(t, h, HTTPOptions{})
	session := e.initialize(Version202511)
	if resp, _ := e.do(call{verb: "DELETE", headers: session}); resp.StatusCode != 204 {
		t.Fatalf("DELETE: %d", resp.StatusCode)
	}
	for _, c := range []call{
		legacyRequest("1", "ping", session),
		legacyRequest("1", "tools/list", session),
		{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers: session},
		{verb: "GET", headers: session},
		{verb: "GET", headers: with(session, headerLastEvent, "0-1")},
		{verb: "DELETE", headers: session},
	} {
		if resp, body := e.do(c); resp.StatusCode != 404 || strings.Contains(body, "jsonrpc") {
			t.Errorf("%s %s: %d %s", c.verb, c.body, resp.StatusCode, body)
		}
	}
	again := e.initialize(Version202511)
	if again[headerSession] == session[headerSession] {
		t.Error("the session id was used again")
	}
	if resp, _ := e.do(legacyRequest("1", "ping", again)); resp.StatusCode != 200 {
		t.Errorf("after a new initialize: %d", resp.StatusCode)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.closed) != 1 || h.closed[0] != session[headerSession] {
		t.Errorf("closed = %v", h.closed)
	}
}

// Whoever routes by a session must not be able to take another one than we do.
func TestTwoSessionIDs(t *testing.T) {
	e := serveHTTP(t, &scripted{}, HTTPOptions{})
	session := e.initialize(Version202511)
	for _, c := range []call{legacyRequest("1", "ping", session), {verb: "GET", headers: session}, {verb: "DELETE", headers: session}} {
		req := e.request(t.Context(), c)
		req.Header.Add(headerSession, "another")
		resp, err := e.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 400 {
			t.Errorf("%s: %d", req.Method, resp.StatusCode)
		}
	}
	if resp, _ := e.do(legacyRequest("1", "ping", session)); resp.StatusCode != 200 {
		t.Errorf("said once: %d", resp.StatusCode)
	}
}

func TestDeleteCancelsRunningCalls(t *testing.T) {
	running := make(chan struct{})
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		close(running)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}}, HTTPOptions{})
	session := e.initialize(Version202511)
	answered := make(chan string, 1)
	go func() { answered <- e.background(legacyRequest("1", "slow", session)) }()
	<-running
	e.do(call{verb: "DELETE", headers: session})
	if body := <-answered; !strings.Contains(body, "session is over") {
		t.Errorf("the running call was answered with %s", body)
	}
}

// background is do for other goroutines than the test's.
func (e *endpoint) background(c call) string {
	resp, err := e.client.Do(e.request(context.Background(), c))
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestCancelledNotificationCancelsThatCall(t *testing.T) {
	running := make(chan ID, 2)
	e := serveHTTP(t, &scripted{
		serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
			running <- in.ID
			<-ctx.Done()
			return nil, Errorf(CodeInternal, "%v", context.Cause(ctx))
		},
		notified: func(_ *Session, method string, _ []byte) { t.Errorf("the handler was told of %s", method) },
	}, HTTPOptions{})
	session, other := e.initialize(Version202511), e.initialize(Version202511)
	answers := make(chan string, 2)
	for _, id := range []string{`"a"`, `"b"`} {
		go func() { answers <- e.background(legacyRequest(id, "slow", session)) }()
	}
	<-running
	<-running
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"enough"}}`
	e.do(call{body: cancel, headers: other})
	e.do(call{body: strings.Replace(cancel, `"a"`, `"zz"`, 1), headers: session})
	select {
	case body := <-answers:
		t.Fatalf("another session's or an unknown id ended %s", body)
	default:
	}
	if resp, _ := e.do(call{body: cancel, headers: session}); resp.StatusCode != 202 {
		t.Errorf("status %d", resp.StatusCode)
	}
	if body := <-answers; !strings.Contains(body, `"id":"a"`) || !strings.Contains(body, "cancelled") {
		t.Errorf("ended: %s", body)
	}
	e.do(call{body: strings.Replace(cancel, `"a"`, `"b"`, 1), headers: session})
	<-answers
}

func TestAgentIsAskedOnTheStreamOfItsCall(t *testing.T) {
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		return in.Back.Request(ctx, MethodElicit, []byte(`{"message":"who?"}`))
	}}, HTTPOptions{})
	session := e.initialize(Version202506)
	stream := bufio.NewReader(e.open(context.Background(), legacyRequest("1", "ask", session)).Body)
	question := agentEvents(t, stream, 1)[0]
	m, err := Parse([]byte(question.data))
	if err != nil || m.Kind != Request || m.Method != MethodElicit || question.id == "" {
		t.Fatalf("question = %+v, %v", question, err)
	}
	other := e.initialize(Version202506) // whose answers must not count here
	e.do(call{body: `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"stolen":true}}`, headers: other})
	if resp, _ := e.do(call{body: `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"action":"accept","n":9223372036854775807}}`, headers: session}); resp.StatusCode != 202 {
		t.Errorf("answer: %d", resp.StatusCode)
	}
	if events := agentEvents(t, stream, -1); len(events) != 1 || events[0].data != `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","n":9223372036854775807}}` {
		t.Errorf("events = %v", events)
	}
}

func TestMalformedAnswerEndsTheQuestion(t *testing.T) {
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		return in.Back.Request(ctx, MethodElicit, nil)
	}}, HTTPOptions{})
	session := e.initialize(Version202506)
	stream := bufio.NewReader(e.open(context.Background(), legacyRequest("1", "ask", session)).Body)
	agentEvents(t, stream, 1)
	if resp, _ := e.do(call{body: `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, headers: session}); resp.StatusCode != 400 {
		t.Errorf("status %d", resp.StatusCode)
	}
	if events := agentEvents(t, stream, -1); len(events) != 1 || errorCode(events[0].data) != CodeAgentRefused {
		t.Errorf("events = %v", events)
	}
}

func TestQuestionThatIsNotWaitedForIsWithdrawn(t *testing.T) {
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		return in.Back.Request(ctx, MethodElicit, nil)
	}}, HTTPOptions{})
	session := e.initialize(Version202511)
	stream := bufio.NewReader(e.open(context.Background(), legacyRequest("1", "ask", session)).Body)
	events := agentEvents(t, stream, -1)
	if len(events) != 4 || events[0].data != "" || !strings.Contains(events[2].data, MethodCancelled) || errorCode(events[3].data) != CodeInternal {
		t.Errorf("events = %v", events)
	}
}

func TestSessionsOwnStream(t *testing.T) {
	sessions := make(chan *Session, 1)
	e := serveHTTP(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		sessions <- in.Session
		return nil, nil
	}}, HTTPOptions{})
	session := e.initialize(Version202506)
	e.do(legacyRequest("1", "x", session))
	back := (<-sessions).Back
	for i := range 300 { // before anybody listens: the oldest are dropped
		back.Notify(MethodToolsChanged, fmt.Appendf(nil, `{"n":%d}`, i))
	}
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	resp := e.open(ctx, call{verb: "GET", headers: session})
	stream := bufio.NewReader(resp.Body)
	events := agentEvents(t, stream, maxKeptEvents)
	if !strings.Contains(events[0].data, `{"n":44}`) || !strings.Contains(events[255].data, `{"n":299}`) {
		t.Errorf("the queue had %v to %v", events[0], events[255])
	}
	if resp, _ := e.do(call{verb: "GET", headers: session}); resp.StatusCode != http.StatusConflict {
		t.Errorf("a second stream: %d", resp.StatusCode)
	}
	answers := make(chan string, 1)
	go func() {
		b, err := back.Request(context.Background(), MethodRootsList, nil)
		answers <- fmt.Sprint(string(b), err)
	}()
	m, err := Parse([]byte(agentEvents(t, stream, 1)[0].data))
	if err != nil {
		t.Fatal(err)
	}
	e.do(call{body: `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"roots":[]}}`, headers: session})
	if got := <-answers; got != `{"roots":[]}<nil>` {
		t.Errorf("answer = %s", got)
	}
	last := events[250].id
	hangUp()
	back.Notify(MethodToolsChanged, []byte(`{"n":"last"}`))
	stream = bufio.NewReader(e.open(context.Background(), call{verb: "GET", headers: with(session, headerLastEvent, last)}).Body)
	if again := agentEvents(t, stream, 7); again[0] != events[251] || !strings.Contains(again[6].data, `"last"`) {
		t.Errorf("resumed with %v", again)
	}
}

func TestWithoutOwnStreamAnOpenCallCarriesTheQuestion(t *testing.T) {
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		in.Session.Back.Notify(MethodToolsChanged, nil) // waits: there is no stream yet
		b, err := in.Session.Back.Request(ctx, MethodRootsList, nil)
		in.Session.Back.Notify(MethodPromptsChanged, nil) // now there is one
		return b, err
	}}, HTTPOptions{})
	session := e.initialize(Version202506)
	stream := bufio.NewReader(e.open(context.Background(), legacyRequest("1", "x", session)).Body)
	m, err := Parse([]byte(agentEvents(t, stream, 1)[0].data))
	if err != nil || m.Method != MethodRootsList {
		t.Fatalf("%+v %v", m, err)
	}
	e.do(call{body: `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"roots":[]}}`, headers: session})
	if events := agentEvents(t, stream, -1); len(events) != 2 || !strings.Contains(events[0].data, MethodPromptsChanged) {
		t.Errorf("events = %v", events)
	}
	own := bufio.NewReader(e.open(context.Background(), call{verb: "GET", headers: session}).Body)
	if events := agentEvents(t, own, 1); !strings.Contains(events[0].data, MethodToolsChanged) {
		t.Errorf("queued = %v", events)
	}
}

func TestTooManySessions(t *testing.T) {
	h := &scripted{}
	e := serveHTTP(t, h, HTTPOptions{MaxSessions: 2, SessionIdle: 200 * time.Millisecond})
	first := e.initialize(Version202511)
	e.initialize(Version202511)
	again := call{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`}
	if resp, body := e.do(again); resp.StatusCode != 503 || errorCode(body) == 0 {
		t.Errorf("third session: %d %s", resp.StatusCode, body)
	}
	open := e.open(context.Background(), call{verb: "GET", headers: first}) // keeps it from being idle
	eventually(t, "the idle session makes room", func() bool {
		resp, _ := e.do(again)
		return resp.StatusCode == 200
	})
	if resp, _ := e.do(legacyRequest("1", "ping", first)); resp.StatusCode != 200 {
		t.Errorf("the session with an open stream is gone: %d", resp.StatusCode)
	}
	open.Body.Close()
	eventually(t, "all sessions end", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.closed) == 3
	})
}

// Few agents say when they leave: the session that was idle longest makes room, and none
// that is in use.
func TestIdlestSessionMakesRoom(t *testing.T) {
	h := &scripted{}
	e := serveHTTP(t, h, HTTPOptions{MaxSessions: 3})
	var all []map[string]string
	for range 3 {
		all = append(all, e.initialize(Version202511))
	}
	open := e.open(context.Background(), call{verb: "GET", headers: all[0]}) // in use
	defer open.Body.Close()
	for i, idle := range []time.Duration{time.Hour, 2 * surelyIdle, 3 * surelyIdle} {
		e.srv.mu.Lock()
		hs := e.srv.sessions[all[i][headerSession]]
		e.srv.mu.Unlock()
		hs.mu.Lock()
		hs.used = hs.used.Add(-idle)
		hs.mu.Unlock()
	}
	e.initialize(Version202511)
	e.initialize(Version202511)
	for i, want := range []int{200, 404, 404} {
		if resp, _ := e.do(legacyRequest("1", "ping", all[i])); resp.StatusCode != want {
			t.Errorf("session %d: %d, want %d", i, resp.StatusCode, want)
		}
	}
	again := call{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`}
	if resp, body := e.do(again); resp.StatusCode != 503 || errorCode(body) == 0 {
		t.Errorf("when all are in use: %d %s", resp.StatusCode, body)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.closed) != 2 {
		t.Errorf("%d were closed", len(h.closed))
	}
}

func TestFailedInitializeLeavesNoSession(t *testing.T) {
	h := &refusing{}
	e := serveHTTP(t, h, HTTPOptions{})
	resp, body := e.do(call{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`})
	if resp.StatusCode != 200 || errorCode(body) != 1001 || resp.Header.Get(headerSession) != "" {
		t.Errorf("%d %s %v", resp.StatusCode, body, resp.Header)
	}
	if len(e.srv.sessions) != 0 || len(h.closed) != 1 {
		t.Errorf("%d sessions are left, %d were closed", len(e.srv.sessions), len(h.closed))
	}
}

type refusing struct{ scripted }

func (*refusing) Serve(context.Context, *Incoming) ([]byte, error) {
	return nil, Errorf(CodeUpstreamFailed, "no")
}

func TestBatches(t *testing.T) {
	notified := make(chan string, 10)
	e := serveHTTP(t, &scripted{
		serve: func(_ context.Context, in *Incoming) ([]byte, error) {
			if in.Method == "talk" {
				in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
			}
			return json.RawMessage(`{"m":"` + in.Method + `"}`), nil
		},
		notified: func(_ *Session, method string, _ []byte) { notified <- method },
	}, HTTPOptions{})
	session := e.initialize(Version202503)
	one := func(id int, method string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s"}`, id, method)
	}
	note := `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`
	resp, body := e.do(call{body: "[" + one(1, "a") + "," + note + ",7," + one(2, "initialize") + "," + one(3, "ping") + "," + one(4, "b") + "]", headers: session})
	var answers []struct {
		ID     *int
		Result struct{ M string }
		Error  struct{ Code int }
	}
	if err := json.Unmarshal([]byte(body), &answers); err != nil || resp.StatusCode != 200 || len(answers) != 5 || resp.ContentLength != int64(len(body)) {
		t.Fatalf("%d %s %v", resp.StatusCode, body, err)
	}
	if answers[0].Result.M != "a" || answers[1].ID != nil || answers[1].Error.Code != CodeInvalidRequest || answers[2].Error.Code != CodeInvalidRequest || *answers[3].ID != 3 || answers[4].Result.M != "b" {
		t.Errorf("answers = %s", body)
	}
	if got := <-notified; got != MethodRootsChanged {
		t.Errorf("notified of %s", got)
	}
	resp, body = e.do(call{body: "[" + one(1, "talk") + "," + one(2, "b") + "]", headers: session})
	if events := agentEvents(t, bufio.NewReader(strings.NewReader(body)), -1); resp.Header.Get("Content-Type") != "text/event-stream" || len(events) != 3 {
		t.Errorf("as a stream: %s", body)
	}
	for body, want := range map[string]int{
		"[]":             400,
		"[" + note + "]": 202,
		"[" + strings.Repeat(note+",", 100) + note + "]": 400,
	} {
		if resp, got := e.do(call{body: body, headers: session}); resp.StatusCode != want {
			t.Errorf("%.40s: %d %s, want %d", body, resp.StatusCode, got, want)
		}
	}
}
