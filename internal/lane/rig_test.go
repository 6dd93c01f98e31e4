package lane

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A rig is a listener in front of an http.Server, which counts what gets through to it.
type rig struct {
	t       *testing.T
	lane    *Listener
	server  *http.Server
	address string
	others  atomic.Int64 // requests that net/http answered
}

// start serves h at /mcp: usual requests by the lane, others by net/http.
func start(t *testing.T, h http.HandlerFunc) *rig {
	t.Helper()
	return startAt(t, "/mcp", h)
}

func startAt(t *testing.T, path string, h http.HandlerFunc) *rig {
	t.Helper()
	return startOn(t, loopback(t), path, h)
}

func loopback(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func startOn(t *testing.T, l net.Listener, path string, h http.HandlerFunc) *rig {
	t.Helper()
	r := &rig{t: t, address: l.Addr().String()}
	r.lane = Listen(l, Options{Path: path, Handler: h})
	r.server = &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.others.Add(1); h(w, q) }),
		ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := r.server.Serve(r.lane); err != http.ErrServerClosed && !errors.Is(err, net.ErrClosed) {
			t.Errorf("serve: %v", err)
		}
	}()
	t.Cleanup(func() {
		_ = r.server.Close()
		r.lane.Abort()
		<-ended
		_ = r.lane.Wait(context.Background())
	})
	return r
}

// A caller is one connection to a rig, as raw as it can be.
type caller struct {
	*net.TCPConn
	t *testing.T
	r *bufio.Reader
}

func (r *rig) dial() *caller {
	r.t.Helper()
	c, err := net.Dial("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute)) // so that a mistake is not a hang
	return &caller{c.(*net.TCPConn), r.t, bufio.NewReader(c)}
}

func (c *caller) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

// answer reads a response as net/http's own client would.
func (c *caller) answer() (*http.Response, string) {
	c.t.Helper()
	resp, err := http.ReadResponse(c.r, &http.Request{Method: http.MethodPost})
	if err != nil {
		c.t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp, string(b)
}

// over tells whether the other side closed the connection.
func (c *caller) over() bool {
	_, err := c.r.ReadByte()
	return err == io.EOF
}

// post is a usual request.
func post(body string, headers ...string) string {
	return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n" +
		strings.Join(append(headers, ""), "\r\n") + "\r\n" + body
}

// echo answers with what it was asked.
func echo(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "text/plain")
	_, _ = w.Write(b)
}

// eventually waits for something that is bound to happen.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s did not happen", what)
		case <-time.After(time.Millisecond):
		}
	}
}
