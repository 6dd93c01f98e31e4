package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"toolcrib/internal/config"
)

// agent is the other end of ServeStdio.
type agent struct {
	in   io.WriteCloser
	out  *bufio.Scanner
	stop context.CancelFunc
	end  chan error
}

func serveStdio(t *testing.T, c config.Config) *agent {
	t.Helper()
	life, kill := context.WithCancel(context.Background())
	app, err := Open(life, c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	soft, stop := context.WithCancel(life)
	a := &agent{in: inWrite, out: bufio.NewScanner(outRead), stop: stop, end: make(chan error, 1)}
	go func() {
		err := app.ServeStdio(soft, inRead, outWrite)
		outWrite.Close()
		a.end <- err
	}()
	t.Cleanup(func() {
		inWrite.Close()
		outRead.Close()
		stop()
		kill()
		app.Close(context.Background())
	})
	return a
}

const metaModern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func (a *agent) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(a.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (a *agent) ended(t *testing.T) error {
	t.Helper()
	select {
	case err := <-a.end:
		return err
	case <-time.After(15 * time.Second):
		t.Fatal("ServeStdio did not end")
		return nil
	}
}

func TestStdioEndsWithItsAgent(t *testing.T) {
	t.Parallel()
	a := serveStdio(t, config.Config{Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}})
	a.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"ms":300},`+metaModern+`}}`)
	a.in.Close() // as a shell's pipe does; the answer is still wanted
	if !a.out.Scan() || !strings.Contains(a.out.Text(), "done") {
		t.Errorf("answered %q (%v)", a.out.Text(), a.out.Err())
	}
	if a.out.Scan() {
		t.Errorf("and then %q", a.out.Text())
	}
	if err := a.ended(t); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestStdioEndsGracefullyWhenAsked(t *testing.T) {
	t.Parallel()
	a := serveStdio(t, config.Config{Disclosure: asIs, Servers: []config.Server{server(t, "one", "good")}})
	a.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"progress","arguments":{"steps":2,"ms":300},"_meta":{"progressToken":7,`+metaModern[len(`"_meta":{`):]+`}}`)
	if !a.out.Scan() || !strings.Contains(a.out.Text(), "notifications/progress") {
		t.Fatalf("first line %q (%v)", a.out.Text(), a.out.Err())
	}
	a.stop()
	var last string
	for a.out.Scan() {
		last = a.out.Text()
	}
	if !strings.Contains(last, "done") {
		t.Errorf("last line %q", last)
	}
	if err := a.ended(t); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestEndable(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := endable(ctx, in)
	go feed.Write([]byte("hello"))
	b := make([]byte, 5)
	if _, err := io.ReadFull(r, b); err != nil || string(b) != "hello" {
		t.Fatalf("read %q, %v", b, err)
	}
	cancel()
	if n, err := r.Read(b); err != io.EOF {
		t.Errorf("after the end: %d, %v", n, err)
	}
	broken := errors.New("broken")
	in2, feed2 := io.Pipe()
	feed2.CloseWithError(broken)
	if _, err := endable(t.Context(), in2).Read(b); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}
