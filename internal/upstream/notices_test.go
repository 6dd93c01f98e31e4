package upstream_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"toolcrib/internal/call"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

// Callers may use the same progress token; each hears of its own call.
func TestProgress(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil, child(t, "a", behaviour))
			agents := []*agent{newAgent(t, "one"), newAgent(t, "two")}
			var all sync.WaitGroup
			for i, a := range agents {
				all.Go(func() {
					q := a.request("a", "progress", fmt.Sprintf(`{"steps":%d,"ms":20}`, i+2))
					q.Caller.Progress = []byte(`"token"`)
					if _, err := r.send(t.Context(), q); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			for i, a := range agents {
				got := a.notices()
				if len(got) != i+2 {
					t.Errorf("agent %d heard %q", i, got)
				}
				for _, n := range got {
					if !strings.HasPrefix(n, wire.MethodProgress) || !strings.Contains(n, `"progressToken":"token"`) || !strings.Contains(n, fmt.Sprintf(`"total":%d`, i+2)) {
						t.Errorf("agent %d heard %s", i, n)
					}
				}
			}
		})
	}
}

func TestCancellationReachesTheServer(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]upstream.Spec{
		"legacy": child(t, "a", "legacy"), "modern": child(t, "a", "modern"),
		"http": remote("a", mcptest.HTTP(t, kinds()["modern"])),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, spec)
			one := newAgent(t, "one")
			r.busy(one, "a")()
			eventually(t, patience, func() error {
				if n := r.must("a", "cancelled-count", `{}`)["count"]; n != 1.0 {
					return fmt.Errorf("%v cancelled", n)
				}
				return nil
			})
		})
	}
}

// logs calls the tool that logs.
func (r *rig) logs(q *call.Request) {
	r.t.Helper()
	if _, err := r.send(r.t.Context(), q); err != nil {
		r.t.Fatal(err)
	}
}

// Each agent gets the log messages of its own calls, of the level it wants.
func TestLogLevels(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"legacy", "modern"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil, child(t, "a", behaviour))
			want := map[string]map[string]bool{ // level wanted: level logged: heard
				"error":   {"debug": false, "info": false, "error": true, "alert": true},
				"debug":   {"debug": true, "alert": true},
				"warning": {"info": false, "warning": true}, // the server was told debug by now
			}
			for _, wanted := range []string{"error", "debug", "warning"} {
				for level, heard := range want[wanted] {
					a := newAgent(t, wanted+level)
					q := a.request("a", "log", fmt.Sprintf(`{"level":%q}`, level))
					q.Caller.LogLevel = wanted
					r.logs(q)
					if n := len(a.notices()); (n == 1) != heard {
						t.Errorf("one that wants %s heard %d messages of level %s", wanted, n, level)
					}
				}
			}
		})
	}
}

// An agent that named no level gets none in the modern era, all in the other.
func TestLogMessagesWithoutALevel(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	legacy := newAgent(t, "legacy")
	r.logs(legacy.request("a", "log", `{"level":"debug"}`))
	if n := len(legacy.notices()); n != 1 {
		t.Errorf("a legacy agent heard %d messages", n)
	}
	other := newAgent(t, "modern")
	q := modern("a", "log", `{"level":"alert"}`)
	q.Back = other
	r.logs(q)
	if n := len(other.notices()); n != 0 {
		t.Errorf("a modern agent heard %d messages", n)
	}
}

// What one agent's call logs is not told to another whose call runs beside it.
func TestLogMessagesThatCouldBeOfTwo(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	one, two := newAgent(t, "one"), newAgent(t, "two")
	release := r.busy(one, "a")
	defer release()
	r.logs(two.request("a", "log", `{}`))
	if n := len(one.notices()) + len(two.notices()); n != 0 {
		t.Errorf("%d messages to somebody", n)
	}
	if r.heard("a", wire.MethodLogMessage) != 0 {
		t.Error("told to everybody")
	}
}

// What a modern agent says of itself does not reach a legacy server, and a
// legacy agent is introduced to a modern one.
func TestIntroductions(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "old", "legacy"), child(t, "new", "modern"))
	if meta := r.ask(modern("old", "meta", `{}`)); len(meta) != 0 {
		t.Errorf("a legacy server got %v", meta)
	}
	one := newAgent(t, "one")
	one.caller.ClientInfo = []byte(`{"name":"agent","version":"7"}`)
	q := one.request("new", "meta", `{}`)
	q.Caller.LogLevel = "error"
	b, err := json.Marshal(r.ask(q))
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{wire.VersionModern, `"agent"`, `"sampling"`, `"error"`} {
		if !strings.Contains(string(b), words) {
			t.Errorf("a modern server got %s, without %s", b, words)
		}
	}
}

// F09: what a server prints beside its messages is borne, and told once.
func TestF09Banners(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "banner", fmt.Sprint("bytes=", 50<<10)), child(t, "b", "banner", fmt.Sprint("bytes=", 80<<10)))
	for range 5 {
		r.must("a", "echo", `{"text":"x"}`)
	}
	r.list("a")
	if n := r.log.count("level=WARN"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, r.log.text())
	}
	_, err := r.tool("b", "echo", `{"text":"x"}`) // over 64 KiB in a row
	refused(t, err, wire.CodeUpstreamFailed, "server b", "no messages")
}
