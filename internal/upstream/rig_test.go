package upstream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// patience is how long a test waits for what should come at once: other things
// may run on the machine.
const patience = 30 * time.Second

// late is how much later than its figure something may be for the same reason.
const late = 3 * time.Second

// A rig is a pool with real servers behind it.
type rig struct {
	*upstream.Pool
	t   testing.TB
	log *book

	mu     sync.Mutex
	events []upstream.Event
}

// newRig runs specs until the test ends. o may be nil.
func newRig(t testing.TB, o *upstream.Options, specs ...upstream.Spec) *rig {
	t.Helper()
	if o == nil {
		o = &upstream.Options{}
	}
	r := &rig{t: t, log: &book{}}
	o.Version = "test"
	o.Log = slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	pool, err := upstream.NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	r.Pool = pool
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := pool.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
		if t.Failed() && os.Getenv("TOOLCRIB_TEST_LOG") != "" {
			t.Log(r.log.text())
		}
	})
	pool.Watch(func(e upstream.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
	})
	r.apply(specs...)
	return r
}

func (r *rig) apply(specs ...upstream.Spec) {
	r.t.Helper()
	if err := r.Apply(specs); err != nil {
		r.t.Fatal(err)
	}
}

// heard counts the events that a server published with a method.
func (r *rig) heard(server, method string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, e := range r.events {
		if e.Server == server && e.Method == method {
			n++
		}
	}
	return n
}

func (r *rig) status(server string) upstream.Status {
	r.t.Helper()
	for _, s := range r.Status() {
		if s.Name == server {
			return s
		}
	}
	r.t.Fatalf("no server %s", server)
	return upstream.Status{}
}

// child is the spec of a server process of mcptest.
func child(t testing.TB, name, behaviour string, args ...string) upstream.Spec {
	t.Helper()
	command, arguments, env := mcptest.Command(t, behaviour, args...)
	env["GORACE"] = "atexit_sleep_ms=0" // else each takes a second to end
	return upstream.Spec{Name: name, Command: command, Args: arguments, Env: env}
}

// request is a call of a tool by nobody in particular, in the legacy era.
func request(server, tool, arguments string) *call.Request {
	return &call.Request{
		Server: server, Method: wire.MethodToolsCall, Name: tool,
		Params: fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, tool, arguments),
		Caller: call.Caller{Era: wire.Legacy},
	}
}

// tool calls a tool and returns its structured content.
func (r *rig) tool(server, tool, arguments string) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return r.send(ctx, request(server, tool, arguments))
}

func (r *rig) send(ctx context.Context, q *call.Request) (map[string]any, error) {
	result, err := r.Call(ctx, q)
	if err != nil {
		return nil, err
	}
	var out struct {
		StructuredContent map[string]any
		IsError           bool
	}
	if err := json.Unmarshal(result, &out); err != nil {
		return nil, err
	}
	if out.IsError {
		return nil, fmt.Errorf("tool failed: %s", result)
	}
	return out.StructuredContent, nil
}

// must is tool for one that has to work.
func (r *rig) must(server, tool, arguments string) map[string]any {
	r.t.Helper()
	got, err := r.tool(server, tool, arguments)
	if err != nil {
		r.t.Fatalf("call %s of %s: %v\n%s", tool, server, err, r.log.text())
	}
	return got
}

// pid of the process that answers a shared server's calls.
func (r *rig) pid(server string) int {
	r.t.Helper()
	return int(r.must(server, "pid", `{}`)["pid"].(float64))
}

// refused checks that err is an error of ours with a code and all words in it.
func refused(t testing.TB, err error, code int, words ...string) {
	t.Helper()
	var e *wire.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error %v, want code %d", err, code)
	}
	for _, w := range words {
		if !strings.Contains(e.Message, w) {
			t.Errorf("error %q does not say %q", e.Message, w)
		}
	}
}

// eventually waits until check returns nil.
func eventually(t testing.TB, within time.Duration, check func() error) {
	t.Helper()
	if err := wait(within, check); err != nil {
		t.Fatalf("still so after %v: %v", within, err)
	}
}

// wait returns what check still says when the time is over.
func wait(within time.Duration, check func() error) error {
	for deadline := time.Now().Add(within); ; time.Sleep(5 * time.Millisecond) {
		if err := check(); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// untilGone waits until none of pids is alive.
func untilGone(t testing.TB, within time.Duration, pids ...int) {
	t.Helper()
	eventually(t, within, func() error {
		for _, pid := range pids {
			if alive(pid) {
				return fmt.Errorf("process %d is alive", pid)
			}
		}
		return nil
	})
}

// until waits for a state.
func (r *rig) until(server string, want upstream.State) upstream.Status {
	r.t.Helper()
	eventually(r.t, patience, func() error { return stateIs(r, server, want) })
	return r.status(server)
}

// A book is a log that can be read while it is written.
type book struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *book) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// count is how often words stand in the log.
func (b *book) count(words string) int { return strings.Count(b.text(), words) }

func stateIs(r *rig, server string, want upstream.State) error {
	if s := r.status(server); s.State != want {
		return fmt.Errorf("server %s is %s (%s), want %s", server, s.State, s.Reason, want)
	}
	return nil
}
