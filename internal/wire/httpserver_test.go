package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const testPatience = 20 * time.Second

// scripted is a Handler made of functions.
type scripted struct {
	serve    func(ctx context.Context, in *Incoming) ([]byte, error)
	notified func(s *Session, method string, params []byte)

	mu     sync.Mutex
	closed []string
}

func (h *scripted) Serve(ctx context.Context, in *Incoming) ([]byte, error) {
	if in.Method == MethodInitialize {
		return []byte(`{"protocolVersion":"` + in.Version + `","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`), nil
	}
	if h.serve != nil {
		return h.serve(ctx, in)
	}
	return []byte(`{"resultType":"complete","content":[]}`), nil
}

func (h *scripted) Notified(_ context.Context, s *Session, method string, params []byte) {
	if h.notified != nil {
		h.notified(s, method, params)
	}
}

func (h *scripted) Closed(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = append(h.closed, s.ID)
}

// endpoint is an HTTPServer on a real socket with a client of its own.
type endpoint struct {
	t      testing.TB
	srv    *HTTPServer
	url    string
	client *http.Client
}

// serveHTTP starts an endpoint and checks in the end that nothing is left of it.
func serveHTTP(t testing.TB, h Handler, o HTTPOptions) *endpoint {
	t.Helper()
	before := goleak.IgnoreCurrent()
	srv := NewHTTPServer(h, o)
	ts := httptest.NewServer(srv)
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	e := &endpoint{t: t, srv: srv, url: ts.URL, client: &http.Client{Transport: transport}}
	t.Cleanup(func() {
		srv.Close()
		transport.CloseIdleConnections()
		ts.Close()
		goleak.VerifyNone(t, before)
	})
	return e
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// call is one HTTP request of a test.
type call struct {
	verb    string // POST if empty
	body    string
	headers map[string]string // "" removes a default one
}

func modernCall(method, name, more string) call {
	c := call{
		body:    `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + modernMeta + more + `}}`,
		headers: map[string]string{"Mcp-Protocol-Version": VersionModern, "Mcp-Method": method},
	}
	if name != "" {
		c.headers["Mcp-Name"] = name
	}
	return c
}

func (e *endpoint) request(ctx context.Context, c call) *http.Request {
	verb := c.verb
	if verb == "" {
		verb = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, verb, e.url, strings.NewReader(c.body))
	if err != nil {
		e.t.Fatal(err)
	}
	if verb == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range c.headers {
		if v == "" {
			req.Header.Del(k)
		} else {
			req.Header.Set(k, v)
		}
	}
	return req
}

// open sends a request and leaves its body to be read.
func (e *endpoint) open(ctx context.Context, c call) *http.Response {
	e.t.Helper()
	resp, err := e.client.Do(e.request(ctx, c))
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// do sends a request and reads the whole answer.
func (e *endpoint) do(c call) (*http.Response, string) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testPatience)
	defer cancel()
	resp := e.open(ctx, c)
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		e.t.Fatal(err)
	}
	return resp, string(b)
}

// initialize opens a legacy session and returns what later requests must carry.
func (e *endpoint) initialize(version string) map[string]string {
	e.t.Helper()
	resp, body := e.do(call{body: `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`})
	if resp.StatusCode != http.StatusOK || resp.Header.Get(headerSession) == "" {
		e.t.Fatalf("initialize: %d %s", resp.StatusCode, body)
	}
	return map[string]string{headerSession: resp.Header.Get(headerSession), headerVersion: version}
}

// with adds headers to some.
func with(headers map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for k, v := range headers {
		out[k] = v
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// errorCode is the JSON-RPC error code in a body, 0 if there is none.
func errorCode(body string) int {
	var m struct {
		Error struct{ Code int }
	}
	json.Unmarshal([]byte(body), &m)
	return m.Error.Code
}

// seenEvent is an event as an agent reads it.
type seenEvent struct{ id, data string }

// agentEvents reads n events; a negative n reads to the end.
func agentEvents(t testing.TB, r *bufio.Reader, n int) []seenEvent {
	t.Helper()
	var events []seenEvent
	var now seenEvent
	var data []string
	some := false
	for len(events) != n {
		line, err := r.ReadString('\n')
		if err != nil {
			if n >= 0 {
				t.Fatalf("stream ended after %d of %d events: %v", len(events), n, err)
			}
			return events
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && some:
			now.data = strings.Join(data, "\n")
			events = append(events, now)
			now, data, some = seenEvent{}, nil, false
		case name == "id":
			now.id, some = value, true
		case name == "data":
			data, some = append(data, value), true
		}
	}
	return events
}

func wantDone(t testing.TB, what string, ch <-chan struct{}) {
	t.Helper()
	select {
	case <-ch:
	case <-time.After(testPatience):
		t.Fatalf("%s did not happen", what)
	}
}

// eventually polls for a condition.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(testPatience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
		<-tick.C
	}
}

func TestModernRequestIsAnsweredAsOneDocument(t *testing.T) {
	var got *Incoming
	e := serveHTTP(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		got = in
		return []byte(`{"resultType":"complete","n":9223372036854775807, "x" : [1e-7]}`), nil
	}}, HTTPOptions{})
	resp, body := e.do(modernCall("tools/call", "add", `,"name":"add","arguments":{"a":1}`))
	if want := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","n":9223372036854775807, "x" : [1e-7]}}`; body != want {
		t.Errorf("body = %s, want %s", body, want)
	}
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/json" || resp.ContentLength != int64(len(body)) {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	if got.Era != Modern || got.Session != nil || got.ID != "1" || got.Version != VersionModern || got.Meta.Capabilities.Raw == nil {
		t.Errorf("incoming = %+v", got)
	}
	if _, err := got.Back.Request(context.Background(), MethodElicit, nil); err != ErrNoRequests {
		t.Errorf("a modern agent could be asked: %v", err)
	}
}

func TestLargeResultArrivesUnchanged(t *testing.T) {
	result := []byte(`{"resultType":"complete","text":"` + strings.Repeat("0123456789abcdef", 64<<10) + "\",\r\n\"n\":\n1}")
	for _, stream := range []bool{false, true} {
		e := serveHTTP(t, &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
			if stream {
				in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
			}
			return result, nil
		}}, HTTPOptions{})
		resp, body := e.do(modernCall("tools/list", "", ""))
		if stream {
			if resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("X-Accel-Buffering") != "no" {
				t.Errorf("headers = %v", resp.Header)
			}
			events := agentEvents(t, bufio.NewReader(strings.NewReader(body)), 2)
			body = events[1].data
		}
		m, err := Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		want := result
		if stream {
			want = bytes.ReplaceAll(result, []byte("\r\n"), []byte("\n")) // space between tokens
		}
		if !bytes.Equal(m.Result, want) {
			t.Errorf("stream %v: the result of %d bytes came as %d", stream, len(result), len(m.Result))
		}
	}
}

func TestNotificationsComeBeforeTheAnswer(t *testing.T) {
	h := &scripted{serve: func(_ context.Context, in *Incoming) ([]byte, error) {
		for _, p := range []string{"1", "2"} {
			if err := in.Back.Notify(MethodProgress, []byte(`{"progress":`+p+`}`)); err != nil && in.Header.Get("Accept") != "application/json" {
				return nil, err
			}
		}
		return nil, Errorf(CodeInvalidParams, "after the stream began")
	}}
	e := serveHTTP(t, h, HTTPOptions{})
	resp, body := e.do(modernCall("tools/list", "", ""))
	events := agentEvents(t, bufio.NewReader(strings.NewReader(body)), -1)
	if resp.StatusCode != 200 || len(events) != 3 || events[0].id != "" || !strings.Contains(events[1].data, `"progress":2`) || errorCode(events[2].data) != CodeInvalidParams {
		t.Errorf("%d %v", resp.StatusCode, events)
	}
	c := modernCall("tools/list", "", "")
	c.headers["Accept"] = "application/json"
	if resp, body = e.do(c); resp.StatusCode != 400 || errorCode(body) != CodeInvalidParams {
		t.Errorf("without a stream: %d %s", resp.StatusCode, body)
	}
	c.headers["Accept"] = "text/event-stream"
	h.serve = nil
	if resp, body = e.do(c); resp.StatusCode != 200 || len(agentEvents(t, bufio.NewReader(strings.NewReader(body)), -1)) != 1 {
		t.Errorf("with a stream alone: %d %s", resp.StatusCode, body)
	}
}

func TestSlowAnswerIsKeptAlive(t *testing.T) {
	release := make(chan struct{})
	e := serveHTTP(t, &scripted{serve: func(context.Context, *Incoming) ([]byte, error) {
		<-release
		return []byte(`{}`), nil
	}}, HTTPOptions{KeepAlive: 5 * time.Millisecond})
	resp := e.open(context.Background(), modernCall("tools/list", "", ""))
	r := bufio.NewReader(resp.Body)
	for range 2 {
		if line, err := r.ReadString('\n'); err != nil || line != ": keep-alive\n" {
			t.Fatalf("line = %q, %v", line, err)
		}
		r.ReadString('\n')
	}
	close(release)
	if events := agentEvents(t, r, -1); len(events) != 1 || !strings.Contains(events[0].data, `"result":{}`) {
		t.Errorf("events = %v", events)
	}
}

func TestPanicIsAnInternalError(t *testing.T) {
	e := serveHTTP(t, &scripted{
		serve:    func(context.Context, *Incoming) ([]byte, error) { panic("boom") },
		notified: func(*Session, string, []byte) { panic("boom") },
	}, HTTPOptions{})
	if resp, body := e.do(modernCall("tools/list", "", "")); resp.StatusCode != 200 || errorCode(body) != CodeInternal {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	session := e.initialize(Version202511)
	if resp, _ := e.do(call{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers: session}); resp.StatusCode != 202 {
		t.Errorf("notification: %d", resp.StatusCode)
	}
}

func TestDrainEndsSubscriptionsWithAResult(t *testing.T) {
	started := make(chan struct{}, 2)
	release := make(chan struct{})
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		started <- struct{}{}
		if in.Method == MethodListen {
			in.Back.Notify(MethodAcknowledged, []byte(`{}`))
			<-ctx.Done()
			return nil, ctx.Err()
		}
		select {
		case <-release:
			return []byte(`{"done":true}`), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}, HTTPOptions{})
	session := e.initialize(Version202511)
	get := bufio.NewReader(e.open(context.Background(), call{verb: "GET", headers: session}).Body)
	listen := bufio.NewReader(e.open(context.Background(), modernCall(MethodListen, "", "")).Body)
	agentEvents(t, listen, 1)
	answered := make(chan string, 1)
	go func() {
		resp, err := e.client.Do(e.request(context.Background(), modernCall("tools/list", "", "")))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answered <- string(b)
	}()
	<-started
	<-started
	e.srv.Drain()
	if events := agentEvents(t, listen, -1); len(events) != 1 || !strings.Contains(events[0].data, `"io.modelcontextprotocol/subscriptionId":1`) {
		t.Errorf("the subscription ended with %v", events)
	}
	if events := agentEvents(t, get, -1); len(events) != 1 || events[0].data != "" {
		t.Errorf("the session's stream carried %v", events)
	}
	if resp, body := e.do(modernCall("tools/list", "", "")); resp.StatusCode != 503 {
		t.Errorf("a new request while draining: %d %s", resp.StatusCode, body)
	}
	close(release)
	if got := <-answered; !strings.Contains(got, `"done":true`) {
		t.Errorf("the running request was answered with %s", got)
	}
}
