package wire

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// F12: a body of 50 MB is refused within a second and without room for it.
func TestHugeBodyIsRefused(t *testing.T) {
	e := serveHTTP(t, &scripted{}, HTTPOptions{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, announced := range []bool{true, false} {
		size := int64(50 << 20)
		req := e.request(context.Background(), modernCall("tools/list", "", ""))
		req.Body, req.ContentLength = io.NopCloser(io.LimitReader(spaces{}, size)), size
		if !announced {
			req.ContentLength = -1
		}
		start := time.Now()
		resp, err := e.client.Do(req)
		if err != nil {
			// The connection is closed on whoever goes on sending.
			if !announced {
				continue
			}
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge || time.Since(start) > 5*time.Second {
			t.Errorf("announced %v: %d after %s", announced, resp.StatusCode, time.Since(start))
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 40<<20 {
		t.Errorf("%d MB were set aside", grown>>20)
	}
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// F13, the part of a body: whoever sends it one byte at a time is cut off.
func TestBodyThatDoesNotArrive(t *testing.T) {
	e := serveHTTP(t, &scripted{}, HTTPOptions{ReadTimeout: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(e.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	conn.SetReadDeadline(time.Now().Add(testPatience))
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %d", resp.StatusCode)
	}
}

// F14: an agent that reads nothing of a 100 MB answer is cut off, and nobody
// else notices.
func TestStalledReaderIsCutOff(t *testing.T) {
	result := []byte(`{"text":"` + strings.Repeat("x", 100<<20) + `"}`)
	for _, stream := range []bool{true, false} {
		over := make(chan error, 1)
		e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
			if in.Method != "big" {
				return []byte(`{}`), nil
			}
			if stream {
				in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
			}
			context.AfterFunc(ctx, func() { over <- context.Cause(ctx) })
			return result, nil
		}}, HTTPOptions{WriteTimeout: 300 * time.Millisecond})
		conn, err := net.Dial("tcp", strings.TrimPrefix(e.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		c := modernCall("big", "", "")
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: big\r\nContent-Length: %d\r\n\r\n%s", len(c.body), c.body)
		for range 20 {
			if resp, _ := e.do(modernCall("tools/list", "", "")); resp.StatusCode != 200 {
				t.Errorf("another agent was refused: %d", resp.StatusCode)
			}
		}
		select {
		case <-over:
		case <-time.After(testPatience):
			t.Fatal("the reader was waited for")
		}
	}
}

// A reader that stalls does not hold up whoever sends to it, nor does what is
// sent pile up.
func TestNotifyDoesNotWait(t *testing.T) {
	sent := make(chan error, 1)
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		note := []byte(`{"text":"` + strings.Repeat("x", 64<<10) + `"}`)
		for range 1000 {
			if err := in.Back.Notify(MethodLogMessage, note); err != nil {
				sent <- err
				return nil, err
			}
		}
		sent <- nil
		<-ctx.Done()
		return nil, ctx.Err()
	}}, HTTPOptions{WriteTimeout: testPatience})
	ctx, hangUp := context.WithCancel(context.Background())
	resp := e.open(ctx, modernCall("x", "", ""))
	select {
	case err := <-sent:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(testPatience / 2):
		t.Error("Notify waited for the reader")
	}
	hangUp()
	resp.Body.Close()
}

// F15: agents that hang up in mid-call leave nothing behind.
func TestThousandDisconnects(t *testing.T) {
	var begun, ended atomic.Int64
	e := serveHTTP(t, &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		begun.Add(1)
		defer ended.Add(1)
		if in.Meta.Version == "" && in.ID == "2" {
			in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}, HTTPOptions{ResumeGrace: 10 * time.Millisecond})
	session := e.initialize(Version202511)
	kinds := []call{modernCall("tools/list", "", ""), legacyRequest("1", "x", session), legacyRequest("2", "x", session)}
	const n, callers = 1000, 8
	var left atomic.Int64
	left.Store(n)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for i := left.Add(-1); i >= 0; i = left.Add(-1) {
				ctx, hangUp := context.WithCancel(context.Background())
				time.AfterFunc(time.Duration(i%5)*time.Millisecond, hangUp)
				resp, err := e.client.Do(e.request(ctx, kinds[i%int64(len(kinds))]))
				if err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				hangUp()
			}
		})
	}
	wg.Wait()
	eventually(t, "all calls end", func() bool { return begun.Load() == ended.Load() })
	if resp, _ := e.do(legacyRequest("1", "ping", session)); resp.StatusCode != 200 {
		t.Errorf("ping: %d", resp.StatusCode)
	}
	hs := e.srv.sessions[session[headerSession]]
	eventually(t, "the session is empty", func() bool {
		hs.mu.Lock()
		defer hs.mu.Unlock()
		return len(hs.calls) == 0 && len(hs.streams) == 0 && hs.busy == 0
	})
}

// F38 with calls in flight: Close ends everything.
func TestCloseEndsEverything(t *testing.T) {
	h := &scripted{serve: func(ctx context.Context, in *Incoming) ([]byte, error) {
		in.Back.Notify(MethodProgress, []byte(`{"progress":1}`))
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	e := serveHTTP(t, h, HTTPOptions{})
	session := e.initialize(Version202511)
	for _, c := range []call{modernCall("tools/list", "", ""), legacyRequest("1", "x", session), {verb: "GET", headers: session}} {
		resp := e.open(context.Background(), c)
		stream := bufio.NewReader(resp.Body)
		agentEvents(t, stream, 1)
		defer agentEvents(t, stream, -1) // it ends
	}
	e.srv.Close()
	if resp, _ := e.do(modernCall("tools/list", "", "")); resp.StatusCode != 503 {
		t.Errorf("after Close: %d", resp.StatusCode)
	}
	if len(h.closed) != 1 {
		t.Errorf("%d sessions were closed", len(h.closed))
	}
}
