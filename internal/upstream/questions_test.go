package upstream_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"toolcrib/internal/mcptest"
	"toolcrib/internal/upstream"
	"toolcrib/internal/wire"
)

const accepted = `{"action":"accept","content":{"name":"Ada"}}`

// busy has an agent call a tool that takes its time, until release.
func (r *rig) busy(a *agent, server string) (release func()) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.send(ctx, a.request(server, "slow", `{"ms":60000}`))
	}()
	eventually(r.t, patience, func() error {
		got := r.ask(a.request(server, "calls", `{}`))
		if n, _ := got["slow"].(float64); n == 0 {
			return fmt.Errorf("calls %v", got)
		}
		return nil
	})
	return func() {
		cancel()
		<-ended
	}
}

func TestQuestionGoesToTheAgentThatCalls(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	one, two := newAgent(t, "one"), newAgent(t, "two")
	one.answer = accepted
	r.ask(two.request("a", "echo", `{"text":"x"}`))
	got := r.ask(one.request("a", "elicit", `{}`))
	if !strings.Contains(fmt.Sprint(got), "Ada") {
		t.Errorf("result %v", got)
	}
	if q := one.questions(); len(q) != 1 || q[0] != wire.MethodElicit {
		t.Errorf("asked %v", q)
	}
	if q := two.questions(); len(q) != 0 {
		t.Errorf("an agent that calls nothing was asked %v", q)
	}
	// The same agent's other calls do not confuse it.
	release := r.busy(one, "a")
	defer release()
	r.ask(one.request("a", "elicit", `{}`))
}

func TestQuestionThatCouldBeForTwo(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	one, two := newAgent(t, "one"), newAgent(t, "two")
	one.answer, two.answer = accepted, accepted
	release := r.busy(one, "a")
	defer release()
	_, err := r.send(t.Context(), two.request("a", "elicit", `{}`))
	if err == nil || !strings.Contains(err.Error(), "calls of several agents are under way") {
		t.Errorf("error %v", err)
	}
	if n := len(one.questions()) + len(two.questions()); n > 0 {
		t.Errorf("%d questions to somebody", n)
	}
	if !strings.Contains(r.log.text(), "set sessions: per_agent for this server") {
		t.Error("nothing says how to change that")
	}
}

// Where agents are kept apart there is no doubt.
func TestQuestionsOfServersOfTheirOwn(t *testing.T) {
	t.Parallel()
	spec := child(t, "a", "legacy")
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	one, two := newAgent(t, "one"), newAgent(t, "two")
	two.answer = accepted
	release := r.busy(one, "a")
	defer release()
	r.ask(two.request("a", "elicit", `{}`))
	if n := len(one.questions()); n > 0 {
		t.Errorf("%d questions to the other", n)
	}
}

// Over HTTP a question comes on the stream of its call.
func TestQuestionsOverHTTP(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, kinds()["legacy"])
	r := newRig(t, nil, remote("a", h))
	one, two := newAgent(t, "one"), newAgent(t, "two")
	two.answer = accepted
	release := r.busy(one, "a")
	defer release()
	r.ask(two.request("a", "elicit", `{}`))
	if n := len(one.questions()); n > 0 {
		t.Errorf("%d questions to the other", n)
	}
}

func TestQuestionToAnAgentThatCannotAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "legacy"))
	one := newAgent(t, "one")
	one.answer = accepted
	one.caller.Capabilities = wire.ParseCapabilities([]byte(`{"roots":{}}`))
	_, err := r.send(t.Context(), one.request("a", "elicit", `{}`))
	if err == nil || !strings.Contains(err.Error(), "did not declare that capability") {
		t.Errorf("error %v", err)
	}
	if n := len(one.questions()); n > 0 {
		t.Errorf("%d questions", n)
	}
}

// A server that asks before anybody calls gets answers: an empty list of roots,
// and errors for what nobody knows.
func TestQuestionsBeforeAnyCall(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, child(t, "a", "early-requests", "asks=15"))
	const all = 1 + 1 + 15 // a log line as a request, a ping, the roots
	eventually(t, patience, func() error {
		if n := r.must("a", "replies", `{}`)["count"]; n != float64(all) {
			return fmt.Errorf("%v replies", n)
		}
		return nil
	})
	if got := r.must("a", "faults", `{}`)["faults"]; len(got.([]any)) > 0 {
		t.Errorf("we did wrong: %v", got)
	}
	if r.heard("a", wire.MethodToolsChanged) < 2 { // ours of Apply, and its own
		t.Error("its early notice was lost")
	}
}

// A server that is there for one agent learns of that agent's roots.
func TestRootsChanged(t *testing.T) {
	t.Parallel()
	h := mcptest.HTTP(t, kinds()["legacy"])
	spec := remote("a", h)
	spec.Sharing = upstream.PerAgent
	r := newRig(t, nil, spec)
	one, two := newAgent(t, "one"), newAgent(t, "two")
	one.answer = `{"roots":[{"uri":"file:///here"}]}`
	r.ask(two.request("a", "echo", `{"text":"x"}`))
	if got := r.ask(one.request("a", "roots", `{}`)); !strings.Contains(fmt.Sprint(got), "file:///here") {
		t.Errorf("roots %v", got)
	}
	r.RootsChanged(nil)
	r.RootsChanged(one.session)
	told := func() (n int) {
		for _, method := range h.Received() {
			if method == wire.MethodRootsChanged {
				n++
			}
		}
		return n
	}
	eventually(t, patience, func() error {
		if n := told(); n != 1 {
			return fmt.Errorf("told %d times", n)
		}
		return nil
	})
}
