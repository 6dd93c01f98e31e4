package upstream_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

func remote(name string, h *mcptest.HTTPServer) upstream.Spec {
	return upstream.Spec{Name: name, URL: h.URL}
}

// kinds of HTTP servers.
func kinds() map[string]*mcptest.HTTPOptions {
	return map[string]*mcptest.HTTPOptions{
		"dual":   {},
		"legacy": {Eras: mcptest.LegacyOnly},
		"modern": {Eras: mcptest.ModernOnly},
		"sse":    {SSEOnly: true},
	}
}

// list has the pool read a server's tools, as it does when an agent asks.
func (r *rig) list(server string) {
	r.t.Helper()
	q := &call.Request{Server: server, Method: wire.MethodToolsList, Params: []byte(`{}`), Caller: call.Caller{Era: wire.Legacy}}
	if _, err := r.Call(r.t.Context(), q); err != nil {
		r.t.Fatal(err)
	}
}

func TestServersOverHTTP(t *testing.T) {
	t.Parallel()
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := mcptest.HTTP(t, o)
			r := newRig(t, nil, remote("a", h))
			for range 3 {
				r.must("a", "echo", `{"text":"x"}`)
				r.ask(modern("a", "region", `{"region":"eu"}`))
			}
			if faults := h.Faults(); len(faults) > 0 {
				t.Errorf("we did wrong: %q", faults)
			}
			if s := r.status("a"); s.State != upstream.Ready {
				t.Errorf("status %+v", s)
			}
		})
	}
}

// F17: a call whose answer breaks off is sent again only if it does no harm.
func TestF17AnswerThatBreaksOff(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"legacy", "modern"} {
		for _, after := range []int{0, 10} {
			t.Run(fmt.Sprint(name, " after ", after), func(t *testing.T) {
				t.Parallel()
				h := mcptest.HTTP(t, kinds()[name])
				r := newRig(t, nil, remote("a", h), remote("b", h))
				r.list("a")
				h.Reset("count", after)
				began := time.Now()
				_, err := r.tool("a", "count", `{}`)
				refused(t, err, wire.CodeUpstreamFailed, "server a")
				if d := time.Since(began); d > time.Second {
					t.Errorf("the error took %v", d)
				}
				if n := h.Calls("count"); n != 1 {
					t.Errorf("the call arrived %d times", n)
				}
				h.Reset("echo", after) // marked as reading only
				r.must("a", "echo", `{"text":"x"}`)
				if n := h.Calls("echo"); n != 2 {
					t.Errorf("the harmless call arrived %d times", n)
				}
				h.Reset("count", after)
				q := request("a", "count", `{}`)
				q.Idempotent = true
				r.ask(q)
				if n := h.Calls("count"); n != 3 {
					t.Errorf("with one that may be repeated, it arrived %d times", n-1)
				}
				h.Reset("echo", after) // its tools were never listed
				if _, err := r.tool("b", "echo", `{"text":"x"}`); name == "legacy" && err == nil {
					t.Error("repeated although nothing is known of the tool")
				}
			})
		}
	}
}

// F38: a server that forgets its sessions gets new ones, and every call once.
func TestF38SessionIsLost(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, &mcptest.HTTPOptions{Eras: mcptest.LegacyOnly, SessionLife: 4})
	r := newRig(t, nil, remote("a", h))
	const calls = 12
	for i := range calls {
		if got := r.must("a", "count", `{}`)["count"]; got != float64(i+1) {
			t.Errorf("call %d was number %v", i+1, got)
		}
	}
	h.DropSessions()
	r.must("a", "count", `{}`)
	if n := h.Requests()["initialize"]; n < calls/3 {
		t.Errorf("%d sessions", n)
	}
	if faults := h.Faults(); len(faults) > 0 {
		t.Errorf("we did wrong: %q", faults)
	}
	if s := r.status("a"); s.State != upstream.Ready {
		t.Errorf("status %+v", s)
	}
}

// An agent's session at one server is not another agent's.
func TestSessionsOfAgentsOverHTTP(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, kinds()["legacy"])
	spec := remote("a", h)
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	one, two := newAgent(t, "one"), newAgent(t, "two")
	for range 2 {
		r.ask(one.request("a", "echo", `{"text":"x"}`))
		r.ask(two.request("a", "echo", `{"text":"x"}`))
	}
	if n := h.Sessions(); n != 2 {
		t.Errorf("%d sessions", n)
	}
	one.leave()
	eventually(t, patience, func() error {
		if n := h.Sessions(); n != 1 {
			return fmt.Errorf("%d sessions after one agent left", n)
		}
		return nil
	})
	r.ask(two.request("a", "echo", `{"text":"x"}`))
}

// F20: a server that is away for a while is back without our doing, and its
// lists are read anew.
func TestF20ServerThatRestarts(t *testing.T) {
	t.Parallel()
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := mcptest.HTTP(t, o)
			r := newRig(t, nil, remote("a", h))
			r.must("a", "count", `{}`)
			told := r.heard("a", wire.MethodToolsChanged)
			if told != 1 {
				t.Errorf("told of a first connection: %d times", told)
			}
			h.Down()
			eventually(t, patience, func() error { // the first may fail on a connection that was kept
				_, err := r.tool("a", "count", `{}`)
				refused(t, err, wire.CodeUpstreamFailed, "server a")
				if s := r.status("a"); s.State != upstream.Failed {
					return fmt.Errorf("status %+v", s)
				}
				return nil
			})
			if err := h.Up(); err != nil {
				t.Fatal(err)
			}
			eventually(t, patience, func() error {
				_, err := r.tool("a", "count", `{}`)
				return err
			})
			if s := r.status("a"); s.State != upstream.Ready {
				t.Errorf("status %+v", s)
			}
			eventually(t, patience, func() error {
				for _, method := range []string{wire.MethodToolsChanged, wire.MethodPromptsChanged, wire.MethodResourcesChanged} {
					if r.heard("a", method) <= told {
						return fmt.Errorf("nobody was told: %s", method)
					}
				}
				return nil
			})
		})
	}
}

// Whoever listens hears of the restart even if nobody calls.
func TestF20RestartIsNoticedByItself(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, kinds()["modern"])
	r := newRig(t, nil, remote("a", h))
	r.ask(modern("a", "echo", `{"text":"x"}`))
	h.Down()
	r.until("a", upstream.Failed)
	told := r.heard("a", wire.MethodToolsChanged)
	if err := h.Up(); err != nil {
		t.Fatal(err)
	}
	r.until("a", upstream.Ready)
	eventually(t, patience, func() error {
		if r.heard("a", wire.MethodToolsChanged) == told {
			return errors.New("nobody was told")
		}
		return nil
	})
}

func TestServerThatCannotBeReached(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, nil)
	address := h.URL
	h.Down()
	locked := mcptest.HTTP(t, &mcptest.HTTPOptions{Token: "secret"})
	r := newRig(t, nil, upstream.Spec{Name: "a", URL: address}, remote("b", locked),
		upstream.Spec{Name: "c", URL: locked.URL, Header: map[string]string{"Authorization": "Bearer secret"}})
	_, err := r.tool("a", "echo", `{}`)
	refused(t, err, wire.CodeUpstreamFailed, "server a", "could not be reached", "refused", "it is tried again in")
	_, err = r.tool("b", "echo", `{}`)
	refused(t, err, wire.CodeUpstreamFailed, "server b", fmt.Sprint(http.StatusUnauthorized), "check the credentials")
	r.must("c", "echo", `{"text":"x"}`)
}
