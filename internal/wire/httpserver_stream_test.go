package wire

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestBrokenStreamIsResumed(t *testing.T) {
	next := make(chan int)
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		for {
			select {
			case n := <-next:
				if n == 0 {
					return []byte(`{"done":true}`), nil
				}
				in.Back.Notify(MethodProgress, fmt.Appendf(nil, `{"progress":%d}`, n))
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
	}}, HTTPOptions{})
	session := e.initialize(Version202511)
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	answer := make(chan *bufio.Reader, 1)
	go func() { answer <- bufio.NewReader(e.open(ctx, legacyRequest("1", "x", session)).Body) }()
	next <- 1
	next <- 2
	events := agentEvents(t, <-answer, 3)
	if events[0].data != "" || events[0].id == "" || !strings.Contains(events[2].data, `"progress":2`) {
		t.Fatalf("events = %v", events)
	}
	hangUp()
	next <- 3 // the call goes on without the agent
	resume := func(last string) *bufio.Reader {
		return bufio.NewReader(e.open(context.Background(), call{verb: "GET", headers: with(session, headerLastEvent, last)}).Body)
	}
	stream := resume(events[1].id)
	if again := agentEvents(t, stream, 2); again[0] != events[2] || !strings.Contains(again[1].data, `"progress":3`) {
		t.Errorf("resumed with %v", again)
	}
	older := stream
	stream = resume(events[0].id) // the agent gave up on that connection before we noticed
	if again := agentEvents(t, stream, 3); again[0] != events[1] {
		t.Errorf("resumed again with %v", again)
	}
	if left := agentEvents(t, older, -1); len(left) != 0 {
		t.Errorf("the older connection got %v", left)
	}
	next <- 0
	last := agentEvents(t, stream, -1)
	if len(last) != 1 || !strings.Contains(last[0].data, `"done":true`) {
		t.Fatalf("ended with %v", last)
	}
	if again := agentEvents(t, resume(events[2].id), -1); len(again) != 2 || again[1] != last[0] {
		t.Errorf("after the end resumed with %v", again)
	}
}

func TestAnswerToAnAbsentAgentIsKeptForAWhile(t *testing.T) {
	release := make(chan struct{})
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
		<-release
		return []byte(`{"text":"` + strings.Repeat("x", 2<<20) + `"}`), ctx.Err()
	}}, HTTPOptions{ResumeGrace: 300 * time.Millisecond})
	session := e.initialize(Version202506)
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	events := agentEvents(t, bufio.NewReader(e.open(ctx, legacyRequest("1", "x", session)).Body), 1)
	hs := e.srv.sessions[session[headerSession]]
	st := hs.stream("1")
	hangUp()
	eventually(t, "the server notices", func() bool { return !st.attached() })
	close(release)
	resume := call{verb: "GET", headers: with(session, headerLastEvent, events[0].id)}
	if again := agentEvents(t, bufio.NewReader(e.open(context.Background(), resume).Body), -1); len(again) != 1 || len(again[0].data) < 2<<20 {
		t.Errorf("%d events after the break", len(again))
	}
	eventually(t, "it is forgotten", func() bool {
		resp, _ := e.do(resume)
		return resp.StatusCode == 400
	})
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if len(hs.streams) != 0 || len(hs.ended) != 0 || hs.endedBytes != 0 {
		t.Errorf("%d streams, %d ended, %d bytes are left", len(hs.streams), len(hs.ended), hs.endedBytes)
	}
}

func TestDisconnectCancels(t *testing.T) {
	for _, tt := range []struct {
		name   string
		legacy bool
		stream bool // something was sent before the agent left
	}{
		{"modern", false, false},
		{"modern stream", false, true},
		{"legacy", true, false},
		{"legacy stream, after the grace", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			running, over := make(chan struct{}), make(chan struct{})
			e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
				if tt.stream {
					in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
				}
				close(running)
				<-ctx.Done()
				close(over)
				return nil, ctx.Err()
			}}, HTTPOptions{ResumeGrace: 50 * time.Millisecond})
			c := modernCall("tools/list", "", "")
			if tt.legacy {
				c = legacyRequest("1", "x", e.initialize(Version202506))
			}
			ctx, hangUp := context.WithCancel(context.Background())
			defer hangUp()
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				resp, err := e.client.Do(e.request(ctx, c))
				if err == nil {
					agentEvents(t, bufio.NewReader(resp.Body), 1)
					resp.Body.Close()
				}
			}()
			<-running
			if tt.stream {
				<-gone
			} else {
				hangUp()
			}
			wantDone(t, "the cancellation", over)
			<-gone
		})
	}
}

func TestStreamLogIsBounded(t *testing.T) {
	var lost []uint64
	st := newOutStream("1", false)
	st.lost = func(ask uint64) { lost = append(lost, ask) }
	piece := outEvent{head: make([]byte, 100<<10)}
	for i := range 50 {
		e := piece
		if i%10 == 0 {
			e.ask = uint64(i + 1)
		}
		if err := st.append(e); err != nil {
			t.Fatal(err)
		}
		if st.size > maxKeptBytes {
			t.Fatalf("%d bytes kept", st.size)
		}
	}
	if len(st.events) != 10 || st.dropped != 40 || fmt.Sprint(lost) != "[1 11 21 31]" {
		t.Errorf("%d kept, %d dropped, lost %v", len(st.events), st.dropped, lost)
	}
	for range 1000 {
		st.append(outEvent{head: []byte("x")})
	}
	if len(st.events) != maxKeptEvents {
		t.Errorf("%d kept", len(st.events))
	}
	st.end(outEvent{head: make([]byte, 5<<20)})
	if err := st.append(piece); err == nil || st.size < 5<<20 {
		t.Errorf("after the end: %v, %d bytes", err, st.size)
	}
}

func TestEventDataSurvivesLineEnds(t *testing.T) {
	for _, text := range []string{"", "{}", "{\n}", "{\r\n \"a\"\r:\n\n1}", "\n", "\r", "\r\n\r\n", "{}\r"} {
		events := agentEvents(t, bufio.NewReader(strings.NewReader("data: "+string(appendData(nil, []byte(text)))+"\n\n")), 1)
		want := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		if events[0].data != want {
			t.Errorf("%q came as %q", text, events[0].data)
		}
	}
}
