package upstream_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

func TestServerStartsWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "good"), child(t, "b", "good"))
	for _, s := range r.Status() {
		if s.State != upstream.Idle || s.Restarts != 0 {
			t.Errorf("before any call: %+v", s)
		}
	}
	if n := r.log.count("server started"); n != 0 {
		t.Errorf("%d processes before any call", n)
	}
	r.must("a", "echo", `{"text":"hello"}`)
	if s := r.status("a"); s.State != upstream.Ready {
		t.Errorf("after a call: %+v", s)
	}
	if s := r.status("b"); s.State != upstream.Idle {
		t.Errorf("nobody called it: %+v", s)
	}
	if got := strings.Join(r.Names(), " "); got != "a b" {
		t.Errorf("names %q", got)
	}
}

func TestIdleServerIsStoppedAndComesBack(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "good")
	spec.IdleTimeout = 100 * time.Millisecond
	r := newRig(t, nil, spec)
	first := r.pid("a")
	r.until("a", upstream.Idle)
	if second := r.pid("a"); second == first {
		t.Errorf("process %d answers again", first)
	}
	if s := r.status("a"); s.Restarts != 1 {
		t.Errorf("status %+v", s)
	}
	if n := r.log.count("server is gone"); n != 0 {
		t.Errorf("a stop was taken for a failure:\n%s", r.log.text())
	}
}

// A server is not idle while it works, however long that takes.
func TestBusyServerIsNotStopped(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "good")
	spec.IdleTimeout = 50 * time.Millisecond
	r := newRig(t, nil, spec)
	for range 3 {
		r.must("a", "slow", `{"ms":300}`)
	}
}

// Calls that come just when a server is stopped for being idle must not notice.
func TestIdleStopHitsNoCall(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "good")
	spec.IdleTimeout = 2 * time.Millisecond
	r := newRig(t, nil, spec)
	for range rounds(15, 100) {
		r.must("a", "count", `{}`) // may not be repeated
		r.until("a", upstream.Idle)
	}
}

func TestStartsAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	var specs []upstream.Spec
	for i := range 4 {
		specs = append(specs, child(t, fmt.Sprint("s", i), "slow-start", "ms=300"))
	}
	r := newRig(t, &upstream.Options{MaxStarts: 1}, specs...)
	began := time.Now()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			if _, err := r.tool(fmt.Sprint("s", i), "echo", `{"text":"x"}`); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if d := time.Since(began); d < 4*300*time.Millisecond {
		t.Errorf("four servers of 300 ms each were started within %v, one at a time", d)
	}
}

// F06: a server that never answers takes its own time only.
func TestF06MuteServerHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	mute := child(t, "mute", "mute")
	mute.ProbeTimeout, mute.StartTimeout = 500*time.Millisecond, 1500*time.Millisecond
	specs := []upstream.Spec{mute}
	for i := range 3 {
		specs = append(specs, child(t, fmt.Sprint("good", i), "good"))
	}
	r := newRig(t, nil, specs...)
	ended := make(chan error, 1)
	go func() {
		_, err := r.tool("mute", "echo", `{"text":"x"}`)
		ended <- err
	}()
	r.until("mute", upstream.Starting)
	for i := range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		if _, err := r.Hello(ctx, fmt.Sprint("good", i), call.Caller{Era: wire.Modern}); err != nil {
			t.Error(err)
		}
		cancel()
	}
	refused(t, <-ended, wire.CodeUpstreamFailed, "server mute", "did not answer within 1.5s")
	if s := r.status("mute"); s.State != upstream.Failed || s.Retry.IsZero() {
		t.Errorf("status %+v", s)
	}
}

func TestCommandThatCannotBeRun(t *testing.T) {
	t.Parallel()
	nowhere := child(t, "dir", "good")
	nowhere.Dir = "/no/such/directory"
	own := upstream.Spec{Name: "own", Command: "no-such-command", Env: map[string]string{"PATH": "/nowhere:/neither"}}
	r := newRig(t, nil, upstream.Spec{Name: "none", Command: "no-such-command"}, nowhere, own)
	for server, words := range map[string][]string{
		"none": {"server none", `command "no-such-command" is not on PATH`, "install it, or write its full path as command"},
		"dir":  {"server dir", `working directory "/no/such/directory" does not exist`, "correct cwd"},
		"own":  {`"no-such-command"`, "not on the PATH that env gives it"},
	} {
		_, err := r.tool(server, "echo", `{}`)
		refused(t, err, wire.CodeUpstreamFailed, words...)
	}
}

func TestCommandOnThePathOfItsOwn(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "good")
	dir, name := spec.Command[:strings.LastIndexByte(spec.Command, '/')], spec.Command[strings.LastIndexByte(spec.Command, '/')+1:]
	spec.Command, spec.Env["PATH"] = name, "/nowhere:"+dir
	r := newRig(t, nil, spec)
	r.must("a", "echo", `{"text":"x"}`)
}

// What a process finds in its environment: a few names of ours, and its own.
func TestEnvironmentOfServers(t *testing.T) {
	t.Setenv("CANARY_TOKEN", "secret of another server")
	t.Setenv("LC_TIME", "C")
	spec := child(t, "a", "good")
	spec.Env["OWN"] = "mine"
	spec.Env["LANG"] = "xx"
	r := newRig(t, nil, spec)
	env := r.must("a", "env", `{}`)
	for name, want := range map[string]any{"OWN": "mine", "LANG": "xx", "LC_TIME": "C", "CANARY_TOKEN": nil} {
		if env[name] != want {
			t.Errorf("%s is %v, want %v", name, env[name], want)
		}
	}
	if env["PATH"] == nil {
		t.Error("no PATH")
	}
}

func TestUnknownAndDoubledServers(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "good"))
	_, err := r.tool("b", "echo", `{}`)
	refused(t, err, wire.CodeUpstreamFailed, `no server "b"`, "removed from the configuration")
	if err := r.Apply([]upstream.Spec{child(t, "a", "good"), child(t, "a", "legacy")}); err == nil || !strings.Contains(err.Error(), "two servers are called a") {
		t.Errorf("error %v", err)
	}
	r.must("a", "echo", `{"text":"still the old set"}`)
}

// A call of an agent that gave up waiting for the start does not stop the
// server from starting.
func TestStartOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "slow-start", "ms=500"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.send(ctx, request("a", "echo", `{"text":"x"}`)); err == nil || !strings.Contains(err.Error(), "server a") {
		t.Errorf("error %v", err)
	}
	r.until("a", upstream.Ready)
	if n := r.log.count("server started"); n != 1 {
		t.Errorf("%d processes", n)
	}
}
