package guard_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"toolcrib/internal/call"
	"toolcrib/internal/guard"
	"toolcrib/internal/wire"
)

// caller makes calls of tools as somebody, and tells how each ended: 0 it was made, else
// in how many seconds to try again.
func caller(t *testing.T, do call.Func) func(who, server, tool string) int {
	return func(who, server, tool string) int {
		t.Helper()
		_, err := do(t.Context(), &call.Request{Server: server, Method: wire.MethodToolsCall, Name: tool, Caller: call.Caller{Subject: who}})
		if err == nil {
			return 0
		}
		var e *wire.Error
		if !errors.As(err, &e) || e.Code != wire.CodeLimited || e.RetryAfter() < 1 || !strings.Contains(e.Message, "try again") || !strings.Contains(e.Message, "rule 7") {
			t.Fatalf("%v", err)
		}
		return e.RetryAfter()
	}
}

func done(context.Context, *call.Request) ([]byte, error) { return []byte(`{"content":[]}`), nil }

func TestLimitsCount(t *testing.T) {
	s := shelf(t)
	for name, c := range map[string]struct {
		limit guard.Limit
		do    func(t *testing.T, call func(who, server, tool string) int)
	}{
		"a burst, and then evenly": {guard.Limit{PerMinute: 6}, func(t *testing.T, call func(who, server, tool string) int) {
			for i := range 6 {
				if wait := call("a", "git-hub", "list_issues"); wait != 0 {
					t.Errorf("call %d has to wait %d s", i, wait)
				}
			}
			if wait := call("b", "notes", "Add Note"); wait != 10 {
				t.Errorf("the seventh, of another, has to wait %d s", wait)
			}
			time.Sleep(9500 * time.Millisecond)
			if wait := call("a", "git-hub", "list_issues"); wait != 1 {
				t.Errorf("half a second before: %d s", wait)
			}
			time.Sleep(500 * time.Millisecond)
			if call("a", "git-hub", "list_issues") != 0 || call("a", "git-hub", "list_issues") == 0 {
				t.Error("one comes back every ten seconds")
			}
			time.Sleep(time.Hour)
			for range 6 {
				call("a", "git-hub", "list_issues")
			}
			if call("a", "git-hub", "list_issues") == 0 {
				t.Error("more than a minute's were saved up")
			}
		}},
		"an hour": {guard.Limit{PerHour: 2}, func(t *testing.T, call func(who, server, tool string) int) {
			for i, want := range []int{0, 0, 1800} {
				if wait := call("a", "git-hub", "list_issues"); wait != want {
					t.Errorf("call %d has to wait %d s", i, wait)
				}
			}
		}},
		"the longer of two": {guard.Limit{PerMinute: 1, PerHour: 1}, func(t *testing.T, call func(who, server, tool string) int) {
			call("a", "git-hub", "list_issues")
			if wait := call("a", "git-hub", "list_issues"); wait != 3600 {
				t.Errorf("%d s", wait)
			}
		}},
		"each caller": {guard.Limit{PerHour: 1, Each: []guard.Share{guard.EachCaller}}, func(t *testing.T, call func(who, server, tool string) int) {
			if call("a", "git-hub", "list_issues") != 0 || call("b", "git-hub", "list_issues") != 0 || call("a", "notes", "Add Note") == 0 {
				t.Error("callers do not have their own")
			}
		}},
		"each server": {guard.Limit{PerHour: 1, Each: []guard.Share{guard.EachServer}}, func(t *testing.T, call func(who, server, tool string) int) {
			if call("a", "git-hub", "list_issues") != 0 || call("a", "notes", "Add Note") != 0 || call("b", "git-hub", "delete_repo") == 0 {
				t.Error("servers do not have their own")
			}
		}},
		"each caller and tool": {guard.Limit{PerHour: 1, Each: []guard.Share{guard.EachCaller, guard.EachTool}}, func(t *testing.T, call func(who, server, tool string) int) {
			if call("a", "git-hub", "list_issues") != 0 || call("a", "git-hub", "delete_repo") != 0 || call("b", "git-hub", "list_issues") != 0 || call("b", "git-hub", "list_issues") == 0 {
				t.Error("callers and tools do not have their own")
			}
		}},
		"what it is about": {guard.Limit{Terms: guard.Terms{Annotations: []guard.Annotation{guard.Writes}, Who: []string{"a*"}}, PerHour: 1}, func(t *testing.T, call func(who, server, tool string) int) {
			call("a1", "git-hub", "delete_repo")
			if call("a2", "notes", "Add Note") == 0 || call("a1", "git-hub", "list_issues") != 0 || call("b", "git-hub", "delete_repo") != 0 || call("a1", "git-hub", "nobody knows it") == 0 {
				t.Error("it is about others")
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.limit.Where = "rule 7"
				c.do(t, caller(t, newGate(t, s, &guard.Policy{Limits: []guard.Limit{c.limit}}, nil).Around(done)))
			})
		})
	}
}

// So many run, and the next is refused until one has ended, however it ends. A call that
// one limit refuses is counted by none.
func TestLimitsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := &guard.Policy{Limits: []guard.Limit{{AtOnce: 2, Where: "rule 7"}, {PerHour: 4, Where: "rule 7"}}}
		do := newGate(t, shelf(t), policy, nil).Around(func(ctx context.Context, r *call.Request) ([]byte, error) {
			time.Sleep(time.Minute)
			return nil, errors.New("it fails")
		})
		var refused atomic.Int64
		for range 5 {
			go func() {
				_, err := do(t.Context(), &call.Request{Server: "git-hub", Method: wire.MethodToolsCall, Name: "list_issues"})
				var e *wire.Error
				if errors.As(err, &e) && e.Code == wire.CodeLimited {
					refused.Add(1)
				}
			}()
		}
		time.Sleep(2 * time.Minute)
		if refused.Load() != 3 {
			t.Errorf("%d of five were refused", refused.Load())
		}
		for i := range 3 {
			_, err := do(t.Context(), &call.Request{Server: "git-hub", Method: wire.MethodToolsCall, Name: "list_issues"})
			var e *wire.Error
			if limited := errors.As(err, &e); limited != (i == 2) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	})
}

// A change of the policy starts no count anew, and a limit that is gone is gone.
func TestLimitsOutliveAPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := guard.Limit{PerHour: 1, Where: "rule 7"}
		g := newGate(t, shelf(t), &guard.Policy{Limits: []guard.Limit{one}}, nil)
		call := caller(t, g.Around(done))
		call("a", "git-hub", "list_issues")
		one.Where = "rule 7, a line below"
		g.SetPolicy(&guard.Policy{Limits: []guard.Limit{{PerMinute: 100, Where: "x"}, one}, Rules: []guard.Rule{{Verdict: guard.Allow}}})
		if call("a", "git-hub", "list_issues") == 0 {
			t.Error("the count began anew")
		}
		g.SetPolicy(&guard.Policy{})
		if call("a", "git-hub", "list_issues") != 0 {
			t.Error("a limit that is gone still counts")
		}
	})
}

// However many callers there are, what is kept is bounded; who called last is known.
func TestLimitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := guard.Limit{PerHour: 1, Each: []guard.Share{guard.EachCaller}, Where: "rule 7"}
		g := newGate(t, shelf(t), &guard.Policy{Limits: []guard.Limit{limit}}, nil)
		g.CountAtMost(100)
		call := caller(t, g.Around(done))
		for i := range 250 {
			call(fmt.Sprint(i), "git-hub", "list_issues")
			time.Sleep(time.Millisecond)
			if n := g.Counted(); n > 100 {
				t.Fatalf("%d are kept", n)
			}
		}
		if call("249", "git-hub", "list_issues") == 0 {
			t.Error("the last caller was forgotten")
		}
		time.Sleep(2 * time.Hour)
		for i := range 90 { // what is due goes first
			call(fmt.Sprint("x", i), "git-hub", "list_issues")
		}
		if call("x0", "git-hub", "list_issues") == 0 || g.Counted() > 100 {
			t.Errorf("a caller was forgotten for others that are due; %d are kept", g.Counted())
		}
	})
}

// Prompts and resources count where a limit is about whole servers.
func TestLimitsOfPromptsAndResources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		do := newGate(t, shelf(t), &guard.Policy{Limits: []guard.Limit{
			{Terms: guard.Terms{Servers: []string{"notes"}}, PerHour: 2, Where: "rule 7"}, {Terms: guard.Terms{Tools: []string{"*"}}, PerHour: 1, Where: "rule 7"},
		}}, nil).Around(done)
		ask := func(server, method string) bool {
			_, err := do(t.Context(), &call.Request{Server: server, Method: method, Name: "x"})
			return err == nil
		}
		for range 3 {
			if !ask("notes", wire.MethodComplete) || !ask("notes", wire.MethodPromptsList) || !ask("git-hub", wire.MethodPromptsGet) {
				t.Error("what is not limited is refused")
			}
		}
		if !ask("notes", wire.MethodPromptsGet) || !ask("notes", wire.MethodResourcesRead) || ask("notes", wire.MethodPromptsGet) {
			t.Error("prompts and resources are not counted")
		}
	})
}

// A refusal is a decision, and written down as one.
func TestLimitsAreAudited(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	audit, err := guard.OpenAudit(guard.AuditOptions{File: file})
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close()
	call := caller(t, newGate(t, shelf(t), &guard.Policy{Limits: []guard.Limit{{PerHour: 1, Where: "rule 7"}}}, audit).Around(done))
	call("a", "git-hub", "list_issues")
	call("a", "git-hub", "list_issues")
	lines := auditLines(t, file)
	if len(lines) != 2 || lines[0]["verdict"] != "allow" || lines[1]["verdict"] != "limit" || lines[1]["by"] != "rule 7" || lines[1]["outcome"] != "refused" {
		t.Errorf("%v", lines)
	}
}
